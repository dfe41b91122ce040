//! The format language of `printf`, with glibc's results byte for byte (default rounding mode, C locale).

mod decimal;
pub mod spec;

use self::spec::{Length, Spec};
use crate::exec::va_list::Arguments;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::Interp;
use crate::value::Pointer;
use ir::FloatKind;

/// Widths and precisions beyond this are refused as a use of memory that no program means.
const MOST: i64 = 1 << 24;

/// Formats as `printf` does.
pub fn format<M: Machine>(
    interp: &mut Interp<'_, M>,
    format: Pointer,
    args: &mut Arguments<'_, M::Shadow>,
) -> Res<Vec<u8>> {
    let text = interp.memory.read_cstr(format)?;
    let mut out = Vec::with_capacity(text.len() + 32);
    let mut rest = text.as_slice();
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        out.extend_from_slice(&rest[..at]);
        let mut reader = Reader { text: &rest[at + 1..] };
        let spec = reader.spec(interp, args)?;
        convert(interp, &spec, args, &mut out)?;
        rest = reader.text;
    }
    out.extend_from_slice(rest);
    Ok(out)
}

/// The part of a format that is not yet read.
struct Reader<'a> {
    text: &'a [u8],
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.first().copied()
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.text = &self.text[1..];
        }
        found
    }

    /// A decimal number; 0 if there are no digits.
    fn digits(&mut self) -> Res<usize> {
        let mut value: i64 = 0;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            value = bounded(value * 10 + i64::from(digit - b'0'))?;
            self.text = &self.text[1..];
        }
        Ok(value as usize)
    }

    /// Everything after the `%` up to the conversion.
    fn spec<M: Machine>(&mut self, interp: &mut Interp<'_, M>, args: &mut Arguments<'_, M::Shadow>) -> Res<Spec> {
        let mut spec = Spec {
            left: false,
            plus: false,
            space: false,
            alternative: false,
            zero: false,
            width: 0,
            precision: None,
            length: Length::None,
            conversion: 0,
        };
        loop {
            match self.peek() {
                Some(b'-') => spec.left = true,
                Some(b'+') => spec.plus = true,
                Some(b' ') => spec.space = true,
                Some(b'#') => spec.alternative = true,
                Some(b'0') => spec.zero = true,
                // Grouping and alternative digits change nothing in the C locale.
                Some(b'\'' | b'I') => {}
                _ => break,
            }
            self.text = &self.text[1..];
        }
        if self.take(b'*') {
            let width = bounded(i64::from(args.int(interp, 32)? as i32))?;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        } else {
            spec.width = self.digits()?;
            if self.peek() == Some(b'$') {
                return Err(Fault::unsupported("numbered arguments (`%1$d`) in a format of printf"));
            }
        }
        if self.take(b'.') {
            spec.precision = if self.take(b'*') {
                let precision = bounded(i64::from(args.int(interp, 32)? as i32))?;
                usize::try_from(precision).ok()
            } else {
                Some(self.digits()?)
            };
        }
        spec.length = self.length();
        spec.conversion = self.peek().unwrap_or(0);
        self.text = self.text.get(1..).unwrap_or(&[]);
        Ok(spec)
    }

    fn length(&mut self) -> Length {
        let once = |first, twice, reader: &mut Self, letter| if reader.take(letter) { twice } else { first };
        match self.peek() {
            Some(b'h') => {
                self.take(b'h');
                once(Length::Short, Length::Char, self, b'h')
            }
            Some(b'l') => {
                self.take(b'l');
                once(Length::Long, Length::Long, self, b'l')
            }
            Some(letter @ (b'z' | b'j' | b't' | b'q' | b'Z')) => {
                self.take(letter);
                Length::Long
            }
            Some(b'L') => {
                self.take(b'L');
                Length::LongDouble
            }
            _ => Length::None,
        }
    }
}

fn bounded(value: i64) -> Res<i64> {
    if value.abs() > MOST {
        return Err(Fault::resource(format!("printf with a width or precision of {value}")));
    }
    Ok(value)
}

fn convert<M: Machine>(
    interp: &mut Interp<'_, M>,
    spec: &Spec,
    args: &mut Arguments<'_, M::Shadow>,
    out: &mut Vec<u8>,
) -> Res {
    let bits = if matches!(spec.length, Length::Long | Length::LongDouble) { 64 } else { 32 };
    let text = match spec.conversion {
        b'%' => b"%".to_vec(),
        b'd' | b'i' => spec.signed(args.int(interp, bits)?),
        b'u' | b'o' | b'x' | b'X' | b'b' => spec.unsigned(args.int(interp, bits)?),
        b'c' if spec.length == Length::None => spec.pad(&[args.int(interp, 32)? as u8]),
        b's' if spec.length == Length::None => {
            let pointer = args.ptr(interp)?;
            let most = spec.precision.map_or(u64::MAX, |p| p as u64);
            if pointer.is_null() {
                // glibc prints this, or nothing where it would not fit the precision.
                spec.pad(if most >= 6 { b"(null)" } else { b"" })
            } else {
                spec.pad(&interp.memory.read_cstr_max(pointer, most)?)
            }
        }
        b'p' => {
            let pointer = args.ptr(interp)?;
            if pointer.is_null() {
                spec.pad(b"(nil)")
            } else {
                Spec { length: Length::Long, ..spec.clone() }.unsigned(pointer.addr)
            }
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let kind = if spec.length == Length::LongDouble { FloatKind::X86Fp80 } else { FloatKind::Double };
            spec.float(kind, args.float(interp, kind)?)
        }
        b'n' => return Err(Fault::unsupported("the conversion %n of printf, which writes memory")),
        b'm' => return Err(Fault::unsupported("the conversion %m of printf")),
        b'c' | b's' | b'C' | b'S' => return Err(Fault::unsupported("wide characters in printf")),
        0 => return Err(Fault::ub(UbKind::Library, "a format of printf that ends inside a conversion")),
        other => {
            let text = format!("printf has no conversion %{}", char::from(other).escape_default());
            return Err(Fault::ub(UbKind::Library, text));
        }
    };
    out.extend_from_slice(&text);
    Ok(())
}
