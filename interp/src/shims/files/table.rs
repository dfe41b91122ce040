//! The files that are open: where their bytes are, their positions, and what may be done with them next.

use crate::errno::{EINVAL, EIO};
use crate::outcome::Location;
use crate::shims::input::{Input, Source};
use crate::value::Pointer;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::rc::Rc;

/// Where the bytes of a file are.
#[derive(Clone, Debug)]
pub(super) enum Body {
    /// On the host.
    Host(Rc<File>),
    /// In the interpreter alone: `tmpfile`.
    Held(Rc<RefCell<Vec<u8>>>),
    /// The same, handed to the program through two of its objects: where its address goes, and its size
    /// (`open_memstream`).
    Handed(Rc<RefCell<Vec<u8>>>, Pointer, Pointer),
}

/// What a mode allows (C17 7.21.5.3p3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Mode {
    pub(super) reads: bool,
    pub(super) writes: bool,
    /// Every output goes to the end.
    pub(super) appends: bool,
    /// The file is made if there is none.
    pub(super) creates: bool,
    pub(super) truncates: bool,
    /// The file must not exist.
    pub(super) exclusive: bool,
}

/// What was last done, as far as it says what may be done next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Last {
    Nothing,
    Read(Option<Location>),
    Wrote(Location),
}

/// An open file.
#[derive(Clone, Debug)]
pub(super) struct Open {
    pub(super) body: Body,
    pub(super) mode: Mode,
    pub(super) number: u32,
    /// The position, while nothing is read ahead.
    pub(super) position: u64,
    /// What is read ahead; the position is its.
    pub(super) ahead: Option<Input>,
    pub(super) last: Last,
    /// The indicators of end and error.
    pub(super) ended: bool,
    pub(super) failed: bool,
}

/// The files that were opened.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub(super) open: BTreeMap<u64, Box<Open>>,
    /// Where others were closed.
    pub(super) closed: BTreeMap<u64, Location>,
    /// Bytes of the open files that are in memory.
    pub(super) held: u64,
}

impl Table {
    pub(super) fn open(&mut self, key: u64) -> Option<&mut Open> {
        self.open.get_mut(&key).map(|open| &mut **open)
    }

    /// The least number that no open file has, as POSIX gives them.
    pub(super) fn free_number(&self) -> u32 {
        let taken = |number: &u32| self.open.values().any(|open| open.number == *number);
        (3..).find(|number| !taken(number)).unwrap_or(3)
    }
}

impl Open {
    pub(super) fn new(body: Body, mode: Mode, number: u32) -> Open {
        let mut open =
            Open { body, mode, number, position: 0, ahead: None, last: Last::Nothing, ended: false, failed: false };
        // Where the position of a file for appending is at first, C leaves open; glibc has it at the end unless the
        // file is read too.
        if mode.appends && !mode.reads {
            open.position = open.length().unwrap_or(0);
        }
        open
    }

    pub(super) fn length(&self) -> Result<u64, i32> {
        match &self.body {
            Body::Host(file) => file.metadata().map(|m| m.len()).map_err(|error| number_of(&error)),
            Body::Held(all) | Body::Handed(all, ..) => Ok(all.borrow().len() as u64),
        }
    }

    /// The position; nothing is read ahead afterwards, and what was pushed back is forgotten.
    pub(super) fn settle(&mut self) -> u64 {
        if let Some(ahead) = self.ahead.take() {
            self.position = ahead.position();
            self.ended = ahead.at_end();
        }
        self.position
    }

    pub(super) fn tell(&self) -> u64 {
        self.ahead.as_ref().map_or(self.position, Input::position)
    }

    /// Moves the position (C17 7.21.9.2): the end is no longer met, what was put back is dropped, and input and output
    /// may follow.
    pub(super) fn seek(&mut self, by: i64, whence: i64) -> Result<(), i32> {
        let base = match whence {
            0 => 0,
            1 => self.settle(),
            2 => self.length()?,
            _ => return Err(EINVAL),
        };
        let to = base.checked_add_signed(by).filter(|to| i64::try_from(*to).is_ok()).ok_or(EINVAL)?;
        self.settle();
        (self.position, self.ended, self.last) = (to, false, Last::Nothing);
        Ok(())
    }

    pub(super) fn at_end(&self) -> bool {
        self.ahead.as_ref().map_or(self.ended, Input::at_end)
    }

    pub(super) fn source(&self) -> Source {
        match &self.body {
            Body::Host(file) => Source::Host(Rc::clone(file)),
            Body::Held(all) | Body::Handed(all, ..) => Source::Held(Rc::clone(all)),
        }
    }

    /// Writes at the position, or at the end.
    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<(), i32> {
        self.settle();
        match &self.body {
            // A file opened for appending takes every output at its end.
            Body::Host(file) => {
                file.write_all_at(bytes, self.position).map_err(|error| number_of(&error))?;
                self.position += bytes.len() as u64;
                if self.mode.appends {
                    self.position = self.length()?;
                }
            }
            Body::Held(all) | Body::Handed(all, ..) => {
                let mut all = all.borrow_mut();
                let at = if self.mode.appends { all.len() } else { self.position as usize };
                let end = at + bytes.len();
                if all.len() < end {
                    all.resize(end, 0);
                }
                all[at..end].copy_from_slice(bytes);
                self.position = end as u64;
            }
        }
        Ok(())
    }
}

/// The error number of a failed operation of the host.
pub(super) fn number_of(error: &std::io::Error) -> i32 {
    error.raw_os_error().unwrap_or(EIO)
}
