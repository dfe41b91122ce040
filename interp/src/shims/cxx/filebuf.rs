//! The buffer of streams over files ([file.streams]).
//!
//! A `std::filebuf` is laid out as libstdc++'s (`fstream`): a virtual table, the get and put areas of every stream
//! buffer, which stay empty, and the file (104). The file itself is one of [`files`], found by the buffer's address,
//! with its permissions and its rules: "The restrictions on reading and writing a sequence controlled by an object of
//! class basic_filebuf are the same as for reading and writing with the C library FILEs" ([filebuf]).

use super::classes::{self, FILE_BUFFER, mode};
use crate::machine::Machine;
use crate::outcome::{Fault, Res};
use crate::shims::files;
use crate::shims::state::Interp;
use crate::thrown::pointer;
use crate::value::{Leaf, Pointer, Scalar};

/// `std::filebuf`'s mangled name.
pub const BUFFER: &str = "St13basic_filebufIcSt11char_traitsIcEE";
/// The file in it.
pub const FILE: i64 = 104;
/// A buffer of the program.
#[derive(Clone, Copy)]
pub struct FileBuf {
    pub object: Pointer,
}

impl FileBuf {
    /// The buffer at an address, if its virtual table says that it is one.
    pub fn at<M: Machine>(i: &Interp<'_, M>, object: Pointer) -> Option<FileBuf> {
        classes::is_buffer(i, object, BUFFER, 1).then_some(FileBuf { object })
    }

    /// What the file is known by.
    pub fn key(self) -> u64 {
        self.object.addr
    }

    /// Is there a file?
    pub fn is_open<M: Machine>(self, i: &Interp<'_, M>) -> Res<bool> {
        let file = pointer(i.memory.load_ptr(self.object.offset(FILE), 8)?)?;
        if file.is_null() || files::is_open_for(i, self.object) {
            return Ok(!file.is_null());
        }
        Err(Fault::unsupported(
            "a stream over a file that was opened by another execution: files inside a differentiated call are apart \
             from those outside",
        ))
    }

    /// Notes in the buffer whether there is a file.
    fn note<M: Machine>(self, i: &mut Interp<'_, M>, open: bool) -> Res {
        let file = if open { self.object } else { Pointer::NULL };
        i.memory.store(self.object.offset(FILE), Leaf::Ptr, Scalar::ptr(file), 8)
    }

    /// Lets input follow output.
    pub fn flush<M: Machine>(self, i: &mut Interp<'_, M>) {
        files::flush_for(i, self.object);
    }

    /// The position of input and output; none if there is no file.
    pub fn tell<M: Machine>(self, i: &mut Interp<'_, M>) -> Option<u64> {
        files::tell_for(i, self.object)
    }

    /// Moves it, from the begin (0), from where it is (1) or from the end (2); `false` where there is no such place.
    pub fn seek<M: Machine>(self, i: &mut Interp<'_, M>, by: i64, whence: i64) -> bool {
        files::seek_for(i, self.object, by, whence)
    }

    /// Makes a buffer without a file of the object.
    pub fn start<M: Machine>(self, i: &mut Interp<'_, M>) -> Res {
        let table = classes::buffer_table(i, 1)?;
        i.memory.fill(self.object, Scalar::word(0), FILE_BUFFER as u64)?;
        i.memory.store(self.object, Leaf::Ptr, Scalar::ptr(table), 8)
    }

    /// Opens a file ([filebuf.members]); `false` if that fails, if the mode is none, or if there is a file already.
    pub fn open<M: Machine>(self, i: &mut Interp<'_, M>, name: &[u8], openmode: u64) -> Res<bool> {
        use mode::{APPEND, AT_END, BINARY, IN, OUT, TRUNCATE};
        let (truncates, appends) = (openmode & TRUNCATE != 0, openmode & APPEND != 0);
        if openmode & !(IN | OUT | TRUNCATE | APPEND | AT_END | BINARY) != 0 {
            return Err(Fault::unsupported(format!("a file is opened in the mode {openmode:#x}")));
        }
        let letters = match (openmode & IN != 0, openmode & OUT != 0, truncates, appends) {
            (false, true, _, false) => "w",
            (false, _, false, true) => "a",
            (true, false, false, false) => "r",
            (true, true, false, false) => "r+",
            (true, true, true, false) => "w+",
            (true, _, false, true) => "a+",
            _ => return Ok(false),
        };
        if self.is_open(i)? {
            return Ok(false);
        }
        let opened = files::open_for(i, self.object, ("opening", name, letters), openmode & AT_END != 0)?;
        self.note(i, opened)?;
        Ok(opened)
    }

    /// Closes the file; `false` if there is none.
    pub fn close<M: Machine>(self, i: &mut Interp<'_, M>) -> Res<bool> {
        let was_open = self.is_open(i)?;
        files::close_for(i, self.object);
        self.note(i, false)?;
        Ok(was_open)
    }
}
