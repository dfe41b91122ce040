//! `std::ofstream`, `std::ifstream` and `std::fstream`: streams over files ([file.streams]).
//!
//! A `std::filebuf` is laid out as libstdc++'s (`fstream`): a virtual table, the get and put areas of every stream
//! buffer, which stay empty, and the file (104). The file itself is one of [`files`], found by the buffer's address,
//! with its permissions and its rules: "The restrictions on reading and writing a sequence controlled by an object of
//! class basic_filebuf are the same as for reading and writing with the C library FILEs" ([filebuf]).

use super::classes::{self, Class, Tables, Way, mode};
use super::iostream::Target;
use super::string::Text;
use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::outcome::{Fault, Res};
use crate::shims::files;
use crate::unwind::exceptions;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Bytes of a buffer.
const SIZE: i64 = 240;
/// `std::ofstream`, `std::ifstream` and `std::fstream`.
pub const CLASSES: [Class; 3] = [
    Class { name: "St14basic_ofstreamIcSt11char_traitsIcEE", way: Way::Out, size: SIZE },
    Class { name: "St14basic_ifstreamIcSt11char_traitsIcEE", way: Way::In, size: SIZE },
    Class { name: "St13basic_fstreamIcSt11char_traitsIcEE", way: Way::Both, size: SIZE },
];
/// `std::filebuf`'s mangled name.
const BUFFER: &str = "St13basic_filebufIcSt11char_traitsIcEE";
/// The file in it, and its mangled name.
const FILE: i64 = 104;
const FILE_CLASS: &str = "St12__basic_fileIcE";
/// An argument of type `const std::string &`, and the mode behind a name.
const STRING: &str = "ERKNSt7__cxx1112basic_stringIcS1_SaIcEEE";
const MODE: &str = "St13_Ios_Openmode";

/// A buffer of the program.
#[derive(Clone, Copy)]
pub struct FileBuf {
    object: Pointer,
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
        let file = exceptions::pointer(i.memory.load_ptr(self.object.offset(FILE), 8)?)?;
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
    fn start<M: Machine>(self, i: &mut Interp<'_, M>) -> Res {
        let table = Tables::buffer(i, 1)?;
        i.memory.fill(self.object, Scalar::word(0), SIZE as u64)?;
        i.memory.store(self.object, Leaf::Ptr, Scalar::ptr(table), 8)
    }

    /// Opens a file ([filebuf.members]); `false` if that fails, if the mode is none, or if there is a file already.
    fn open<M: Machine>(self, i: &mut Interp<'_, M>, name: &[u8], openmode: u64) -> Res<bool> {
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
    fn close<M: Machine>(self, i: &mut Interp<'_, M>) -> Res<bool> {
        let was_open = self.is_open(i)?;
        files::close_for(i, self.object);
        self.note(i, false)?;
        Ok(was_open)
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    let member = name.strip_prefix("_ZN").map(|rest| rest.strip_prefix('K').unwrap_or(rest))?;
    if let Some(member) = member.strip_prefix(FILE_CLASS) {
        return file(member);
    }
    if let Some(member) = member.strip_prefix(BUFFER) {
        return buffer(member);
    }
    let [output, input, both] = CLASSES.map(|class| member.strip_prefix(class.name));
    if let Some(member) = output {
        return stream::<M, 0>(member);
    }
    if let Some(member) = input {
        return stream::<M, 1>(member);
    }
    stream::<M, 2>(both?)
}

/// Which form of a name `open` and the constructors are given.
enum Name {
    None,
    Characters,
    String,
}

fn name_of(arguments: &str) -> Option<Name> {
    Some(match arguments {
        "Ev" => Name::None,
        _ if arguments.strip_prefix("EPKc") == Some(MODE) => Name::Characters,
        _ if arguments.strip_prefix(STRING) == Some(MODE) => Name::String,
        _ => return None,
    })
}

/// The name in the second argument: a `std::string`, or characters.
fn given<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, string: bool) -> Res<Vec<u8>> {
    let at = c.ptr(1)?;
    if string { Text::at(at).bytes(i) } else { i.memory.read_cstr(at) }
}

/// Makes a stream of the object in the first argument, and its buffer.
fn construct<M: Machine>(i: &mut Interp<'_, M>, object: Pointer, class: Class) -> Res<FileBuf> {
    let buffer = FileBuf { object: classes::construct(i, object, class)? };
    buffer.start(i)?;
    Ok(buffer)
}

/// Opens the file of a stream that is there; its state says whether that went well.
fn open<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    class: Class,
    string: bool,
) -> Res<Value<M::Shadow>> {
    let name = given(i, c, string)?;
    let buffer = FileBuf { object: c.ptr(0)?.offset(class.buffer()) };
    let opened = buffer.open(i, &name, c.uint(2)? | class.mode())?;
    let target = Target::of(i, c)?;
    if opened {
        target.clear(i)?
    } else {
        target.fail(i)?
    }
    Ok(Value::void())
}

fn stream<M: Machine, const CLASS: usize>(member: &str) -> Option<Shim<M>> {
    if let Some(arguments) = member.strip_prefix("C1") {
        return Some(match name_of(arguments)? {
            Name::None => |i, c| construct(i, c.ptr(0)?, CLASSES[CLASS]).map(|_| Value::void()),
            Name::Characters => |i, c| {
                construct(i, c.ptr(0)?, CLASSES[CLASS])?;
                open(i, c, CLASSES[CLASS], false)
            },
            Name::String => |i, c| {
                construct(i, c.ptr(0)?, CLASSES[CLASS])?;
                open(i, c, CLASSES[CLASS], true)
            },
        });
    }
    if let Some(arguments) = member.strip_prefix("4open") {
        return match name_of(arguments)? {
            Name::None => None,
            Name::Characters => Some(|i, c| open(i, c, CLASSES[CLASS], false)),
            Name::String => Some(|i, c| open(i, c, CLASSES[CLASS], true)),
        };
    }
    Some(match member {
        "5closeEv" => |i, c| {
            let buffer = FileBuf { object: c.ptr(0)?.offset(CLASSES[CLASS].buffer()) };
            if !buffer.close(i)? {
                Target::of(i, c)?.fail(i)?;
            }
            Ok(Value::void())
        },
        "7is_openEv" => |i, c| {
            let buffer = FileBuf { object: c.ptr(0)?.offset(CLASSES[CLASS].buffer()) };
            Ok(Value::i32(i32::from(buffer.is_open(i)?)))
        },
        "5rdbufEv" => |_, c| Ok(Value::ptr(c.ptr(0)?.offset(CLASSES[CLASS].buffer()))),
        "D1Ev" | "D2Ev" => |i, c| {
            FileBuf { object: c.ptr(0)?.offset(CLASSES[CLASS].buffer()) }.close(i)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Opens the file of a buffer, which is given back, or null.
fn open_buffer<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, string: bool) -> Res<Value<M::Shadow>> {
    let (name, this) = (given(i, c, string)?, FileBuf { object: c.ptr(0)? });
    let opened = this.open(i, &name, c.uint(2)?)?;
    Ok(Value::ptr(if opened { this.object } else { Pointer::NULL }))
}

/// Members of the buffer itself.
fn buffer<M: Machine>(member: &str) -> Option<Shim<M>> {
    if let Some(arguments) = member.strip_prefix("4open") {
        return match name_of(arguments)? {
            Name::None => None,
            Name::Characters => Some(|i, c| open_buffer(i, c, false)),
            Name::String => Some(|i, c| open_buffer(i, c, true)),
        };
    }
    Some(match member {
        "C1Ev" | "C2Ev" => |i, c| {
            FileBuf { object: c.ptr(0)? }.start(i)?;
            Ok(Value::void())
        },
        "5closeEv" => |i, c| {
            let this = FileBuf { object: c.ptr(0)? };
            Ok(Value::ptr(if this.close(i)? { this.object } else { Pointer::NULL }))
        },
        "7is_openEv" => |i, c| Ok(Value::i32(i32::from(FileBuf { object: c.ptr(0)? }.is_open(i)?))),
        "D1Ev" | "D2Ev" => |i, c| {
            FileBuf { object: c.ptr(0)? }.close(i)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Members of the file in a buffer.
fn file<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
        "7is_openEv" => |i, c| Ok(Value::i32(i32::from(FileBuf { object: c.ptr(0)?.offset(-FILE) }.is_open(i)?))),
        "D1Ev" | "D2Ev" => |i, c| {
            FileBuf { object: c.ptr(0)?.offset(-FILE) }.close(i)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}
