//! Values of arguments: sizes, times, optimisation levels.

use adjudicate::Level;

/// A number of bytes: `4096`, `64K`, `512M`, `4G`.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is no number of bytes"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("`{text}` is too large"))
}

/// A time: `90`, `90s`, `5m`, `2h`.
pub(crate) fn duration(text: &str) -> Result<std::time::Duration, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 's')) => (&text[..at], 1),
        Some((at, 'm')) => (&text[..at], 60),
        Some((at, 'h')) => (&text[..at], 3600),
        _ => (text, 1),
    };
    let number: u64 = digits.parse().map_err(|_| format!("`{text}` is no time"))?;
    let seconds = number.checked_mul(unit).ok_or_else(|| format!("`{text}` is too long"))?;
    Ok(std::time::Duration::from_secs(seconds))
}

/// An optimisation level, as we name it (`O2`) or as compilers spell it (`-O2`).
pub(crate) fn level(text: &str) -> Result<String, String> {
    let name = if text.starts_with('O') { text.to_owned() } else { format!("O{text}") };
    name.parse::<Level>().map(|level| level.to_string()).map_err(|unknown| unknown.to_string())
}
