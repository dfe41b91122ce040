//! Output: the `printf` family, `puts` and its like.
//!
//! What a `FILE` is stands in `files`.

use super::files::{self, EOF};
use super::format::format;
use crate::exec::va_list::Arguments;
use crate::machine::Machine;
use crate::outcome::{Fault, Res, UbKind};
use crate::output::Stream;
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "printf" => |i, c| printed(i, c, files::STDOUT, 0, Arguments::of(c)),
        "__printf_chk" => |i, c| printed(i, c, files::STDOUT, 1, Arguments::of(c)),
        "vprintf" => |i, c| printed(i, c, files::STDOUT, 0, Arguments::List(c.ptr(1)?)),
        "__vprintf_chk" => |i, c| printed(i, c, files::STDOUT, 1, Arguments::List(c.ptr(2)?)),
        "fprintf" => |i, c| printed(i, c, file(i, c, 0)?, 1, Arguments::of(c)),
        "__fprintf_chk" => |i, c| printed(i, c, file(i, c, 0)?, 2, Arguments::of(c)),
        "vfprintf" => |i, c| printed(i, c, file(i, c, 0)?, 1, Arguments::List(c.ptr(2)?)),
        "__vfprintf_chk" => |i, c| printed(i, c, file(i, c, 0)?, 2, Arguments::List(c.ptr(3)?)),
        "dprintf" => |i, c| {
            let to = numbered(c.uint(0)? as u32)?;
            printed(i, c, to, 1, Arguments::of(c))
        },
        "sprintf" => |i, c| written(i, c, u64::MAX, 1, Arguments::of(c)),
        "__sprintf_chk" => |i, c| written(i, c, u64::MAX, 3, Arguments::of(c)),
        "vsprintf" => |i, c| written(i, c, u64::MAX, 1, Arguments::List(c.ptr(2)?)),
        "__vsprintf_chk" => |i, c| written(i, c, u64::MAX, 3, Arguments::List(c.ptr(4)?)),
        "snprintf" => |i, c| written(i, c, c.uint(1)?, 2, Arguments::of(c)),
        "__snprintf_chk" => |i, c| written(i, c, c.uint(1)?, 4, Arguments::of(c)),
        "vsnprintf" => |i, c| written(i, c, c.uint(1)?, 2, Arguments::List(c.ptr(3)?)),
        "__vsnprintf_chk" => |i, c| written(i, c, c.uint(1)?, 4, Arguments::List(c.ptr(5)?)),
        "puts" => |i, c| {
            let mut text = i.memory.read_cstr(c.ptr(0)?)?;
            text.push(b'\n');
            let done = files::write(i, files::STDOUT, &text, c.at)?;
            Ok(Value::i32(if done { text.len() as i32 } else { EOF }))
        },
        "fputs" | "fputs_unlocked" => |i, c| {
            let text = i.memory.read_cstr(c.ptr(0)?)?;
            let to = file(i, c, 1)?;
            let done = files::write(i, to, &text, c.at)?;
            Ok(Value::i32(if done { 1 } else { EOF }))
        },
        "putchar" | "putchar_unlocked" => |i, c| put(i, c, files::STDOUT),
        "fputc" | "putc" | "_IO_putc" | "fputc_unlocked" | "putc_unlocked" => |i, c| put(i, c, file(i, c, 1)?),
        "fwrite" | "fwrite_unlocked" => fwrite,
        "write" => |i, c| {
            let bytes = i.memory.read_bytes(c.ptr(1)?, c.uint(2)?)?;
            let done = files::write(i, numbered(c.uint(0)? as u32)?, &bytes, c.at)?;
            Ok(Value::i64(if done { bytes.len() as i64 } else { -1 }))
        },
        "fileno" => |i, c| Ok(Value::i32(files::object::file_number(i, c.ptr(0)?)? as i32)),
        // How output is buffered cannot be seen from outside.
        "setvbuf" => |i, c| {
            let file = file(i, c, 0)?;
            files::alive(i, file)?;
            buffer(i, c.ptr(1)?, c.uint(3)?)?;
            Ok(Value::i32(0))
        },
        "setbuf" => |i, c| {
            let file = file(i, c, 0)?;
            files::alive(i, file)?;
            buffer(i, c.ptr(1)?, BUFSIZ)?;
            Ok(Value::void())
        },
        "setlinebuf" => |i, c| {
            let file = file(i, c, 0)?;
            files::alive(i, file).map(|_| Value::void())
        },
        "perror" => perror,
        _ => return None,
    })
}

/// Bytes of the buffer that `setbuf` is given (glibc).
const BUFSIZ: u64 = 8192;

/// A stream gets a buffer of the program's own: "the contents of the array at any time are indeterminate" (C11
/// 7.21.5.6).
fn buffer<M: Machine>(interp: &mut Interp<'_, M>, at: Pointer, size: u64) -> Res {
    if at.is_null() { Ok(()) } else { interp.memory.fill(at, Scalar::undef(Leaf::Int(8)), size) }
}

/// The standard stream of a file number; of others, none is modelled.
fn numbered(number: u32) -> Res<u64> {
    match number {
        1 => Ok(files::STDOUT),
        2 => Ok(files::STDERR),
        other => Err(Fault::unsupported(format!("output to file number {other}"))),
    }
}

/// The file that an argument is.
fn file<M: Machine>(interp: &Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, index: usize) -> Res<u64> {
    files::key(interp, call.ptr(index)?)
}

/// Prints to a stream. `fmt` is the index of the format.
fn printed<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    to: u64,
    fmt: usize,
    mut args: Arguments<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let text = format(interp, call.ptr(fmt)?, &mut args)?;
    let done = files::write(interp, to, &text, call.at)?;
    Ok(Value::i32(if done { text.len() as i32 } else { EOF }))
}

/// Writes to memory, at most `room` bytes with the NUL.
fn written<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    room: u64,
    fmt: usize,
    mut args: Arguments<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let mut text = format(interp, call.ptr(fmt)?, &mut args)?;
    let length = text.len();
    if room > 0 {
        text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
        text.push(0);
        interp.memory.write_bytes(call.ptr(0)?, &text)?;
    }
    Ok(Value::i32(length as i32))
}

fn put<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, to: u64) -> Res<Value<M::Shadow>> {
    let byte = call.uint(0)? as u8;
    let done = files::write(interp, to, &[byte], call.at)?;
    Ok(Value::i32(if done { i32::from(byte) } else { EOF }))
}

fn fwrite<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (size, count) = (call.uint(1)?, call.uint(2)?);
    let Some(total) = size.checked_mul(count) else {
        return Err(Fault::ub(UbKind::OutOfBounds, format!("fwrite of {size} times {count} bytes")));
    };
    let to = file(interp, call, 3)?;
    let bytes = interp.memory.read_bytes(call.ptr(0)?, total)?;
    let done = total > 0 && files::write(interp, to, &bytes, call.at)?;
    Ok(Value::i64(if done { count as i64 } else { 0 }))
}

/// `text: message of errno`
fn perror<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let number = match interp.errno {
        Some(at) => interp.memory.load(at, Leaf::Int(32), 4)?.lo as i32,
        None => 0,
    };
    let message = match number {
        0 => "Success",
        1 => "Operation not permitted",
        2 => "No such file or directory",
        9 => "Bad file descriptor",
        12 => "Cannot allocate memory",
        13 => "Permission denied",
        17 => "File exists",
        20 => "Not a directory",
        21 => "Is a directory",
        22 => "Invalid argument",
        28 => "No space left on device",
        29 => "Illegal seek",
        33 => "Numerical argument out of domain",
        34 => "Numerical result out of range",
        39 => "Directory not empty",
        other => return Err(Fault::unsupported(format!("the message of error number {other}"))),
    };
    let prefix = call.ptr(0)?;
    let mut text = if prefix.is_null() { Vec::new() } else { interp.memory.read_cstr(prefix)? };
    if !text.is_empty() {
        text.extend_from_slice(b": ");
    }
    text.extend_from_slice(message.as_bytes());
    text.push(b'\n');
    interp.output.write(Stream::Err, &text);
    Ok(Value::void())
}
