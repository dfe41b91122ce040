//! Searches in texts as the members of `std::string` define them ([string.find], [string.compare]).

/// `std::string::npos`
pub const NOWHERE: u64 = u64::MAX;

/// Is a character in a set?
pub type Wanted<'a> = &'a dyn Fn(u8) -> bool;

/// The first character from `at` on that is wanted.
pub fn first(text: &[u8], at: u64, wanted: Wanted<'_>) -> u64 {
    let at = usize::try_from(at).unwrap_or(usize::MAX).min(text.len());
    text[at..].iter().position(|b| wanted(*b)).map_or(NOWHERE, |p| (at + p) as u64)
}

/// The last one up to `at`.
pub fn last(text: &[u8], at: u64, wanted: Wanted<'_>) -> u64 {
    let end = usize::try_from(at).unwrap_or(usize::MAX).saturating_add(1).min(text.len());
    text[..end].iter().rposition(|b| wanted(*b)).map_or(NOWHERE, |p| p as u64)
}

/// The first place from `at` on where the text stands.
pub fn find_text(text: &[u8], wanted: &[u8], at: u64) -> u64 {
    let Some(at) = usize::try_from(at).ok().filter(|at| *at <= text.len()) else { return NOWHERE };
    if wanted.is_empty() {
        return at as u64;
    }
    text[at..].windows(wanted.len()).position(|w| w == wanted).map_or(NOWHERE, |p| (at + p) as u64)
}

/// The last place up to `at` where the text stands.
pub fn find_text_last(text: &[u8], wanted: &[u8], at: u64) -> u64 {
    let Some(most) = text.len().checked_sub(wanted.len()) else { return NOWHERE };
    let from = usize::try_from(at).unwrap_or(usize::MAX).min(most);
    (0..=from).rev().find(|p| text[*p..].starts_with(wanted)).map_or(NOWHERE, |p| p as u64)
}

/// The order of two texts as `compare` gives it.
pub fn order(a: &[u8], b: &[u8]) -> i32 {
    let differing = a.iter().zip(b).find(|(x, y)| x != y);
    let lengths = (a.len() as i64 - b.len() as i64).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    differing.map_or(lengths, |(x, y)| i32::from(*x) - i32::from(*y))
}
