//! `std::ofstream`, `std::ifstream` and `std::fstream`: streams over files ([file.streams]), and members of their
//! buffers.

use super::classes::{self, Class, OVER_FILES};
use super::filebuf::{BUFFER, FILE, FileBuf};
use super::iostream::Target;
use super::string::Text;
use crate::machine::Machine;
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Pointer, Value};

/// The mangled name of the file in a buffer.
const FILE_CLASS: &str = "St12__basic_fileIcE";
/// An argument of type `const std::string &`, and the mode behind a name.
const STRING: &str = "ERKNSt7__cxx1112basic_stringIcS1_SaIcEEE";
const MODE: &str = "St13_Ios_Openmode";

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    let member = name.strip_prefix("_ZN").map(|rest| rest.strip_prefix('K').unwrap_or(rest))?;
    if let Some(member) = member.strip_prefix(FILE_CLASS) {
        return file(member);
    }
    if let Some(member) = member.strip_prefix(BUFFER) {
        return buffer(member);
    }
    let [output, input, both] = OVER_FILES.map(|class| member.strip_prefix(class.name));
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
            Name::None => |i, c| construct(i, c.ptr(0)?, OVER_FILES[CLASS]).map(|_| Value::void()),
            Name::Characters => |i, c| {
                construct(i, c.ptr(0)?, OVER_FILES[CLASS])?;
                open(i, c, OVER_FILES[CLASS], false)
            },
            Name::String => |i, c| {
                construct(i, c.ptr(0)?, OVER_FILES[CLASS])?;
                open(i, c, OVER_FILES[CLASS], true)
            },
        });
    }
    if let Some(arguments) = member.strip_prefix("4open") {
        return match name_of(arguments)? {
            Name::None => None,
            Name::Characters => Some(|i, c| open(i, c, OVER_FILES[CLASS], false)),
            Name::String => Some(|i, c| open(i, c, OVER_FILES[CLASS], true)),
        };
    }
    Some(match member {
        "5closeEv" => |i, c| {
            let buffer = FileBuf { object: c.ptr(0)?.offset(OVER_FILES[CLASS].buffer()) };
            if !buffer.close(i)? {
                Target::of(i, c)?.fail(i)?;
            }
            Ok(Value::void())
        },
        "7is_openEv" => |i, c| {
            let buffer = FileBuf { object: c.ptr(0)?.offset(OVER_FILES[CLASS].buffer()) };
            Ok(Value::i32(i32::from(buffer.is_open(i)?)))
        },
        "5rdbufEv" => |_, c| Ok(Value::ptr(c.ptr(0)?.offset(OVER_FILES[CLASS].buffer()))),
        "D1Ev" | "D2Ev" => |i, c| {
            FileBuf { object: c.ptr(0)?.offset(OVER_FILES[CLASS].buffer()) }.close(i)?;
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
