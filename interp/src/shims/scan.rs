//! Input: `getchar` and its like, `fread`, `fgets`, and the `scanf` family (C17 7.21.6.2), from standard input, a file
//! or a string.

use super::convert;
use super::files;
use super::input::Input;
use crate::exec::va_list::Arguments;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::FloatKind;

const EOF: i32 = -1;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "getchar" | "getchar_unlocked" => |i, c| get(i, c, files::STDIN),
        "fgetc" | "getc" | "_IO_getc" | "fgetc_unlocked" | "getc_unlocked" => |i, c| {
            let file = files::key(i, c.ptr(0)?)?;
            get(i, c, file)
        },
        "ungetc" => |i, c| {
            // The end of the file is no character and is not put back (C17 7.21.7.10p3).
            let (byte, file) = (c.int(0)? as i32, files::key(i, c.ptr(1)?)?);
            let put = byte != EOF && reading(i, c, file, |input| input.unread(byte as u8))?.is_some();
            Ok(Value::i32(if put { byte & 0xff } else { EOF }))
        },
        "fread" | "fread_unlocked" => fread,
        "fgets" | "fgets_unlocked" => fgets,
        "getline" => |i, c| getdelim(i, c, b'\n', 2),
        "getdelim" | "__getdelim" => |i, c| getdelim(i, c, c.uint(2)? as u8, 3),
        "scanf" | "__isoc99_scanf" | "__isoc23_scanf" => |i, c| from_file(i, c, files::STDIN, 0, Arguments::of(c)),
        "vscanf" | "__isoc99_vscanf" | "__isoc23_vscanf" => {
            |i, c| from_file(i, c, files::STDIN, 0, Arguments::List(c.ptr(1)?))
        }
        "fscanf" | "__isoc99_fscanf" | "__isoc23_fscanf" => |i, c| {
            let file = files::key(i, c.ptr(0)?)?;
            from_file(i, c, file, 1, Arguments::of(c))
        },
        "vfscanf" | "__isoc99_vfscanf" | "__isoc23_vfscanf" => |i, c| {
            let file = files::key(i, c.ptr(0)?)?;
            from_file(i, c, file, 1, Arguments::List(c.ptr(2)?))
        },
        "vsscanf" | "__isoc99_vsscanf" | "__isoc23_vsscanf" => |i, c| {
            let mut text = Input::of(i.memory.read_cstr(c.ptr(0)?)?);
            scan(i, c, 1, &mut text, Arguments::List(c.ptr(2)?))
        },
        "sscanf" | "__isoc99_sscanf" | "__isoc23_sscanf" => |i, c| {
            let mut text = Input::of(i.memory.read_cstr(c.ptr(0)?)?);
            scan(i, c, 1, &mut text, Arguments::of(c))
        },
        _ => return None,
    })
}

/// Reads from a file; nothing comes of one that cannot be read from.
fn reading<M: Machine, R>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    file: u64,
    how: impl FnOnce(&mut Input) -> R,
) -> Res<Option<R>> {
    let Some(mut input) = files::take_input(i, file, Some(c.at))? else { return Ok(None) };
    let result = how(&mut input);
    files::put_input(i, file, input)?;
    Ok(Some(result))
}

fn get<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, file: u64) -> Res<Value<M::Shadow>> {
    let byte = reading(i, c, file, Input::byte)?.flatten();
    Ok(Value::i32(byte.map_or(EOF, i32::from)))
}

/// C17 7.21.8.1: the number of whole elements; the bytes of one that is not whole are stored all the same, as glibc
/// does.
fn fread<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (size, count) = (c.uint(1)?, c.uint(2)?);
    let file = files::key(i, c.ptr(3)?)?;
    if size == 0 || count == 0 {
        return Ok(Value::i64(0));
    }
    let Some(total) = size.checked_mul(count) else {
        return Err(Fault::ub(UbKind::OutOfBounds, format!("fread of {size} times {count} bytes")));
    };
    let total = usize::try_from(total).unwrap_or(usize::MAX);
    // No more than there is room for: what is behind it is an access out of bounds, however long the file is.
    let at = c.ptr(0)?;
    let room = i.memory.info(at).map_or(1, |o| (o.base + o.size).saturating_sub(at.addr) as usize + 1);
    let bytes = reading(i, c, file, |input| input.take(total.min(room)))?.unwrap_or_default();
    i.memory.write_bytes(at, &bytes)?;
    Ok(Value::i64((bytes.len() as u64 / size) as i64))
}

fn fgets<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let file = files::key(i, c.ptr(2)?)?;
    // No more than there is room for: what is behind it is an access out of bounds, however long the line is.
    let at = c.ptr(0)?;
    let space = i.memory.info(at).map_or(1, |o| (o.base + o.size).saturating_sub(at.addr) as i64 + 1);
    let room = c.int(1)?.min(space.max(2));
    let read = |input: &mut Input| {
        let mut line = Vec::new();
        while (line.len() as i64) + 1 < room && line.last() != Some(&b'\n') {
            let Some(byte) = input.byte() else { break };
            line.push(byte);
        }
        line
    };
    let Some(mut line) = reading(i, c, file, read)? else { return Ok(Value::ptr(Pointer::NULL)) };
    if line.is_empty() && room > 1 {
        return Ok(Value::ptr(Pointer::NULL));
    }
    line.push(0);
    i.memory.write_bytes(c.ptr(0)?, &line)?;
    Ok(Value::ptr(c.ptr(0)?))
}

/// POSIX `getdelim`: the buffer grows as it must.
fn getdelim<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    end: u8,
    file: usize,
) -> Res<Value<M::Shadow>> {
    let file = files::key(i, c.ptr(file)?)?;
    let read = |input: &mut Input| input.line(end).map(|line| (line, input.at_end()));
    let Some((mut line, ended)) = reading(i, c, file, read)?.flatten() else { return Ok(Value::i64(-1)) };
    if !ended {
        line.push(end);
    }
    let length = line.len() as i64;
    line.push(0);
    let (place, size) = (c.ptr(0)?, c.ptr(1)?);
    let old = i.memory.load_ptr(place, 8)?.as_ptr();
    let room = i.memory.load(size, Leaf::Int(64), 8)?.lo;
    let mut buffer = old;
    if old.is_null() || room < line.len() as u64 {
        let wanted = (line.len() as u64).max(120).max(if old.is_null() { 0 } else { 2 * room });
        i.memory.free(old, HeapKind::Malloc, Some(c.at))?;
        buffer = i.memory.allocate(wanted, 16, AllocKind::Heap(HeapKind::Malloc), Some(c.at))?;
        i.memory.store(place, Leaf::Ptr, Scalar::ptr(buffer), 8)?;
        i.memory.store(size, Leaf::Int(64), Scalar::word(wanted), 8)?;
    }
    i.memory.write_bytes(buffer, &line)?;
    Ok(Value::i64(length))
}

fn from_file<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    file: u64,
    format: usize,
    args: Arguments<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let Some(mut input) = files::take_input(i, file, Some(c.at))? else { return Ok(Value::i32(EOF)) };
    let result = scan(i, c, format, &mut input, args);
    files::put_input(i, file, input)?;
    result
}

/// A conversion: whether its result is stored, the width, the length modifier, the letter.
struct Conversion {
    stored: bool,
    width: usize,
    length: u8,
    letter: u8,
}

/// Bits of the integer that a conversion stores.
fn bits(length: u8) -> u8 {
    match length {
        b'H' => 8,
        b'h' => 16,
        b'l' | b'q' | b'j' | b'z' | b't' | b'L' => 64,
        _ => 32,
    }
}

fn conversion(format: &mut &[u8]) -> Conversion {
    let mut found = Conversion { stored: true, width: 0, length: 0, letter: 0 };
    let next = |format: &mut &[u8]| {
        let first = format.first().copied().unwrap_or(0);
        *format = format.get(1..).unwrap_or(&[]);
        first
    };
    let mut byte = next(format);
    if byte == b'*' {
        found.stored = false;
        byte = next(format);
    }
    while byte.is_ascii_digit() {
        found.width = (found.width * 10 + usize::from(byte - b'0')).min(1 << 20);
        byte = next(format);
    }
    while matches!(byte, b'h' | b'l' | b'q' | b'j' | b'z' | b't' | b'L') {
        found.length = if byte == b'h' && found.length == b'h' { b'H' } else { byte };
        byte = next(format);
    }
    found.letter = byte;
    found
}

/// The members of `[…]`, and whether they are excluded.
fn set(format: &mut &[u8]) -> (Vec<u8>, bool) {
    let excluded = format.first() == Some(&b'^');
    let mut rest = &format[usize::from(excluded)..];
    let mut members = Vec::new();
    while let Some(byte) = rest.first().copied().filter(|b| *b != b']' || members.is_empty()) {
        if byte == b'-' && !members.is_empty() && rest.get(1).is_some_and(|b| *b != b']') {
            let from = members.last().copied().unwrap_or(byte);
            members.extend(from..=rest[1]);
            rest = &rest[2..];
        } else {
            members.push(byte);
            rest = &rest[1..];
        }
    }
    *format = rest.get(1..).unwrap_or(&[]);
    (members, excluded)
}

/// The characters of an integer in a base (0: as its prefix says).
fn integer(input: &mut Input, base: u32, width: usize) -> Vec<u8> {
    input.take_while(|so_far, b| {
        if so_far.len() >= width {
            return false;
        }
        let digits = so_far.strip_prefix(b"-").or_else(|| so_far.strip_prefix(b"+")).unwrap_or(so_far);
        let hexadecimal = base == 16 || base == 0 && digits.len() >= 2 && digits[1].eq_ignore_ascii_case(&b'x');
        match b {
            b'+' | b'-' => so_far.is_empty(),
            b'x' | b'X' => digits == b"0" && (base == 16 || base == 0),
            b'0'..=b'7' => true,
            b'8' | b'9' => base != 8,
            _ => hexadecimal && b.is_ascii_hexdigit(),
        }
    })
}

/// The characters of a number: decimal, hexadecimal, infinite or none (C17 7.21.6.2 with 7.22.1.3).
fn float(input: &mut Input, width: usize) -> Vec<u8> {
    input.take_while(|so_far, b| so_far.len() < width && begins_number(&[so_far, &[b]].concat().to_ascii_lowercase()))
}

/// Can a number begin like this?
fn begins_number(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    if b"infinity".starts_with(text) || b"nan".starts_with(text) {
        return true;
    }
    if let Some(tag) = text.strip_prefix(b"nan(") {
        let tag = tag.strip_suffix(b")").unwrap_or(tag);
        return tag.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
    }
    let (mantissa, hexadecimal) = match text.strip_prefix(b"0x") {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let mark = if hexadecimal { b'p' } else { b'e' };
    let is_digit = |b: &u8| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let (mantissa, exponent) = match mantissa.iter().position(|b| *b == mark) {
        Some(at) => (&mantissa[..at], Some(&mantissa[at + 1..])),
        None => (mantissa, None),
    };
    let points = mantissa.iter().filter(|b| **b == b'.').count();
    let digits = mantissa.iter().filter(|b| is_digit(b)).count();
    let power = |power: &[u8]| {
        let power = power.strip_prefix(b"-").or_else(|| power.strip_prefix(b"+")).unwrap_or(power);
        digits > 0 && power.iter().all(u8::is_ascii_digit)
    };
    points <= 1 && points + digits == mantissa.len() && exponent.is_none_or(power)
}

fn scan<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    format: usize,
    input: &mut Input,
    mut args: Arguments<'_, M::Shadow>,
) -> Res<Value<M::Shadow>> {
    let format = i.memory.read_cstr(c.ptr(format)?)?;
    let mut format = format.as_slice();
    let mut done = 0;
    // What is said when the input ends before the first conversion.
    let failed = |done: i32, input: &Input| Ok(Value::i32(if done == 0 && input.at_end() { EOF } else { done }));
    while let Some(byte) = format.first().copied() {
        format = &format[1..];
        if byte.is_ascii_whitespace() {
            input.skip_space();
            continue;
        }
        if byte != b'%' {
            if input.peek() != Some(byte) {
                return failed(done, input);
            }
            input.byte();
            continue;
        }
        let conversion = conversion(&mut format);
        let width = if conversion.width == 0 { usize::MAX } else { conversion.width };
        if !matches!(conversion.letter, b'c' | b'[' | b'n') {
            input.skip_space();
        }
        let text = match conversion.letter {
            b'%' => {
                if input.peek() != Some(b'%') {
                    return failed(done, input);
                }
                input.byte();
                continue;
            }
            b'd' | b'u' => integer(input, 10, width),
            b'i' => integer(input, 0, width),
            b'x' | b'X' => integer(input, 16, width),
            b'o' => integer(input, 8, width),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => float(input, width),
            b's' => input.take_while(|so_far, b| so_far.len() < width && !matches!(b, b' ' | 9..=13)),
            b'c' => input.take(conversion.width.max(1)),
            b'[' => {
                let (members, excluded) = set(&mut format);
                input.take_while(|so_far, b| so_far.len() < width && members.contains(&b) != excluded)
            }
            other => {
                let text = format!("the conversion %{} of scanf", char::from(other).escape_default());
                return Err(Fault::unsupported(text));
            }
        };
        input.check()?;
        if text.is_empty() {
            input.peek();
            return failed(done, input);
        }
        if !conversion.stored {
            continue;
        }
        let at = args.ptr(i)?;
        match conversion.letter {
            b's' | b'[' => {
                i.memory.write_bytes(at, &text)?;
                i.memory.write_bytes(at.offset(text.len() as i64), &[0])?;
            }
            b'c' => i.memory.write_bytes(at, &text)?,
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let kind = match conversion.length {
                    b'l' => FloatKind::Double,
                    b'L' => FloatKind::X86Fp80,
                    _ => FloatKind::Float,
                };
                let Some(number) = convert::float_of(&text, kind) else { return failed(done, input) };
                i.memory.store(at, Leaf::Float(kind), Scalar::wide(number), 1)?;
            }
            letter => {
                let base = match letter {
                    b'i' => 0,
                    b'x' | b'X' => 16,
                    b'o' => 8,
                    _ => 10,
                };
                let Some(number) = convert::int_of(&text, base) else { return failed(done, input) };
                let bits = bits(conversion.length);
                i.memory.store(at, Leaf::Int(bits), Scalar::word(number & crate::value::mask64(bits)), 1)?;
            }
        }
        done += 1;
    }
    Ok(Value::i32(done))
}
