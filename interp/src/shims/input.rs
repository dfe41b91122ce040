//! Input: bytes of standard input, of a file or of a text, read when they are first asked for.

use crate::outcome::{Fault, Res};
use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

/// Where the bytes come from.
#[derive(Clone, Debug, Default)]
pub enum Source {
    /// Nowhere: the input is empty behind what was given.
    #[default]
    Nothing,
    /// The standard input of the interpreter's own process.
    Standard,
    /// A file of the host.
    Host(Rc<File>),
    /// A file that exists in the interpreter alone.
    Held(Rc<RefCell<Vec<u8>>>),
}

/// What a program reads from.
#[derive(Clone, Debug, Default)]
pub struct Input {
    bytes: Vec<u8>,
    /// The next byte.
    next: usize,
    /// Where in its file the first of the bytes stands.
    start: i64,
    source: Source,
    /// The end was met.
    ended: bool,
    /// The error number of a failed read.
    failed: Option<i32>,
    /// A line, word or number was longer than may be.
    overlong: bool,
}

/// Bytes of the longest line, word or number: a file may have holes of any size.
const LONGEST: usize = 1 << 28;
/// How much is read ahead.
const AHEAD: usize = 1 << 14;

impl Input {
    /// The standard input of the interpreter's own process.
    pub fn standard() -> Input {
        Input { source: Source::Standard, ..Input::default() }
    }

    /// Those bytes.
    pub fn of(bytes: Vec<u8>) -> Input {
        Input { bytes, ..Input::default() }
    }

    /// A file from a position on; its end may have been met already, and then stays met.
    pub fn at(source: Source, position: u64, ended: bool) -> Input {
        Input { source, start: position as i64, ended, ..Input::default() }
    }

    /// The position in the file.
    pub fn position(&self) -> u64 {
        (self.start + self.next as i64).max(0) as u64
    }

    /// Was everything read as it is there?
    pub fn check(&self) -> Res {
        match self.overlong {
            true => Err(Fault::resource(format!("a line, word or number of more than {LONGEST} bytes is read"))),
            false => Ok(()),
        }
    }

    /// The error number of a read that failed since this was last asked.
    pub fn failure(&mut self) -> Option<i32> {
        self.failed.take()
    }

    /// Reads ahead, in place of what has been used.
    fn refill(&mut self) {
        if matches!(self.source, Source::Nothing) {
            return;
        }
        self.start += self.next as i64;
        self.bytes.resize(AHEAD, 0);
        self.next = 0;
        let at = self.start.max(0) as u64;
        let got = match &self.source {
            Source::Nothing => Ok(0),
            Source::Standard => std::io::stdin().lock().read(&mut self.bytes),
            Source::Host(file) => file.read_at(&mut self.bytes, at),
            Source::Held(all) => {
                let all = all.borrow();
                let rest = all.get(usize::try_from(at).unwrap_or(usize::MAX)..).unwrap_or(&[]);
                let count = rest.len().min(AHEAD);
                self.bytes[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        };
        self.bytes.truncate(*got.as_ref().unwrap_or(&0));
        match got {
            Ok(count) if count > 0 => {}
            // Standard input that has ended, or cannot be read, has no more.
            _ if matches!(self.source, Source::Standard) => self.source = Source::Nothing,
            Ok(_) => {}
            Err(error) => self.failed = Some(error.raw_os_error().unwrap_or(5)),
        }
    }

    /// The next byte, left where it is. An end that was met is met again (C17 7.21.7.1), until it is forgotten.
    pub fn peek(&mut self) -> Option<u8> {
        if self.next == self.bytes.len() && !self.ended {
            self.refill();
        }
        let byte = self.bytes.get(self.next).copied();
        self.ended |= byte.is_none() && self.failed.is_none();
        byte
    }

    /// As many bytes as there are, up to that number; what is behind them is not looked at.
    pub fn take(&mut self, most: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while out.len() < most && self.peek().is_some() {
            let count = (most - out.len()).min(self.bytes.len() - self.next);
            out.extend_from_slice(&self.bytes[self.next..self.next + count]);
            self.next += count;
        }
        out
    }

    /// Forgets that the end was met.
    pub fn clear(&mut self) {
        self.ended = false;
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
            self.start -= 1;
        }
    }

    /// Goes back to the byte before; not from the first of its file, or where what was read is gone.
    pub fn back(&mut self) -> bool {
        match (self.next, &self.source) {
            (1.., _) => self.next -= 1,
            (0, Source::Host(_) | Source::Held(_)) if self.start > 0 => {
                self.start -= 1;
                self.bytes.clear();
            }
            _ => return false,
        }
        self.ended = false;
        true
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
            if out.len() >= LONGEST {
                self.overlong = true;
                break;
            }
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
