//! Standard input: bytes read when they are first asked for.

use std::io::Read;

/// Where the bytes come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Source {
    /// Nowhere: the input is empty behind what was given.
    #[default]
    Nothing,
    /// The standard input of the interpreter's own process.
    Standard,
}

/// The program's standard input.
#[derive(Clone, Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    /// The next byte.
    next: usize,
    source: Source,
    /// The end was met.
    ended: bool,
}

impl Input {
    /// The standard input of the interpreter's own process.
    pub fn standard() -> Input {
        Input { source: Source::Standard, ..Input::default() }
    }

    /// Those bytes.
    pub fn of(bytes: Vec<u8>) -> Input {
        Input { bytes, ..Input::default() }
    }

    /// The next byte, left where it is.
    pub fn peek(&mut self) -> Option<u8> {
        if self.next == self.bytes.len() && self.source == Source::Standard {
            let mut more = [0; 4096];
            match std::io::stdin().lock().read(&mut more) {
                Ok(count) if count > 0 => self.bytes.extend_from_slice(&more[..count]),
                _ => self.source = Source::Nothing,
            }
        }
        let byte = self.bytes.get(self.next).copied();
        self.ended |= byte.is_none();
        byte
    }

    /// The next byte.
    pub fn byte(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.next += 1;
        Some(byte)
    }

    /// Puts a byte back.
    pub fn unread(&mut self, byte: u8) {
        self.ended = false;
        if self.next > 0 {
            self.next -= 1;
            self.bytes[self.next] = byte;
        } else {
            self.bytes.insert(0, byte);
        }
    }

    /// Was the end met?
    pub fn at_end(&self) -> bool {
        self.ended
    }

    /// Skips white space.
    pub fn skip_space(&mut self) {
        while self.peek().is_some_and(|b| matches!(b, b' ' | 9..=13)) {
            self.next += 1;
        }
    }

    /// Bytes while they are wanted.
    pub fn take_while(&mut self, wanted: impl Fn(&[u8], u8) -> bool) -> Vec<u8> {
        let mut out = Vec::new();
        while let Some(byte) = self.peek().filter(|b| wanted(&out, *b)) {
            out.push(byte);
            self.next += 1;
        }
        out
    }

    /// The characters of a decimal number, behind white space.
    pub fn number(&mut self) -> Vec<u8> {
        self.skip_space();
        self.take_while(|so_far, b| match b {
            b'+' | b'-' => matches!(so_far.last(), None | Some(b'e' | b'E')),
            b'0'..=b'9' => true,
            b'.' => !so_far.contains(&b'.') && !so_far.iter().any(|c| c.eq_ignore_ascii_case(&b'e')),
            b'e' | b'E' => {
                so_far.iter().any(u8::is_ascii_digit) && !so_far.iter().any(|c| c.eq_ignore_ascii_case(&b'e'))
            }
            _ => false,
        })
    }

    /// The characters of a whole number of that base, behind white space.
    pub fn integer(&mut self, radix: u32) -> Vec<u8> {
        self.skip_space();
        self.take_while(|so_far, b| match b {
            b'+' | b'-' => so_far.is_empty(),
            b'x' | b'X' if radix == 16 => matches!(so_far, [b'0'] | [b'+' | b'-', b'0']),
            _ => char::from(b).is_digit(radix),
        })
    }

    /// How many bytes were read.
    pub fn used(&self) -> usize {
        self.next
    }

    /// A line without its end; none at the end of the input.
    pub fn line(&mut self, end: u8) -> Option<Vec<u8>> {
        self.peek()?;
        let line = self.take_while(|_, b| b != end);
        self.byte();
        Some(line)
    }
}
