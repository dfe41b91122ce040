//! Input from `std::cin` and from streams over strings: words, numbers, lines and single characters ([istream]).
//!
//! Every function starts as the standard's `sentry` does: a stream that is not good fails and reads nothing, and
//! formatted functions skip white space, at whose end the stream fails.

use super::filebuf::FileBuf;
use super::ios;
use super::ios::state::{BAD, EOF, FAIL};
use super::iostream::{Place, Target, itself};
use super::string::Text;
use crate::machine::Machine;
use crate::outcome::{Fault, Location, Res};
use crate::shim_call::ShimCall;
use crate::shims::files;
use crate::shims::input::Input;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Scalar, Value};
use ir::FloatKind;

/// Flags of the format.
const HEX: u64 = 8;
const OCT: u64 = 0x40;
const SKIPWS: u64 = 0x1000;

/// Reads with a function, and tells whether it met the end.
fn read<M: Machine, R>(i: &mut Interp<'_, M>, from: &Target, how: impl Fn(&mut Input) -> R) -> Res<(R, bool)> {
    let buffer = match from.place(i)? {
        Place::In => {
            // What cannot be read from is empty.
            let input = files::take_input(i, files::STDIN, None)?;
            let mut input = input.unwrap_or_else(|| Input::of(Vec::new()));
            let result = (how(&mut input), input.at_end());
            files::put_input(i, files::STDIN, input)?;
            return Ok(result);
        }
        Place::Text(buffer) => buffer,
        Place::File(buffer) => return read_file(i, buffer, from.at(), how),
        Place::Out(_) => return Err(Fault::unsupported("input from a stream for output")),
    };
    // A piece of the text, and a longer one where that was not enough.
    let mut most = 64;
    loop {
        let (bytes, all) = buffer.ahead(i, most)?;
        let mut input = Input::of(bytes);
        let result = how(&mut input);
        input.check()?;
        if all || !input.at_end() {
            buffer.advance(i, input.used() as i64)?;
            return Ok((result, input.at_end()));
        }
        most *= 8;
    }
}

/// Reads from a file; one that is not open is empty.
pub fn read_file<M: Machine, R>(
    i: &mut Interp<'_, M>,
    buffer: FileBuf,
    at: Location,
    how: impl Fn(&mut Input) -> R,
) -> Res<(R, bool)> {
    let input = if buffer.is_open(i)? { files::take_input(i, buffer.key(), Some(at))? } else { None };
    let Some(mut input) = input else {
        let mut input = Input::of(Vec::new());
        return Ok((how(&mut input), true));
    };
    // A stream whose state was cleared looks again whether there is more; C's `FILE` remembers the end.
    input.clear();
    let result = (how(&mut input), input.at_end());
    files::put_input(i, buffer.key(), input)?;
    Ok(result)
}

/// Adds to the state.
fn note<M: Machine>(i: &mut Interp<'_, M>, from: &Target, ended: bool, failed: bool) -> Res {
    from.add(i, if ended { EOF } else { 0 } | if failed { FAIL } else { 0 })
}

/// The stream, if it is ready to be read.
fn sentry<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, skips: bool) -> Res<Option<Target>> {
    let from = Target::of(i, c)?;
    if from.field(i, ios::STATE, 32)? != 0 {
        note(i, &from, false, true)?;
        return Ok(None);
    }
    if skips && from.field(i, ios::FLAGS, 32)? & SKIPWS != 0 {
        let (next, ended) = read(i, &from, |input| {
            input.skip_space();
            input.peek()
        })?;
        if next.is_none() {
            note(i, &from, ended, true)?;
            return Ok(None);
        }
    }
    Ok(Some(from))
}

/// Reads a whole number and stores it; what does not fit becomes the nearest number that does, and fails
/// ([facet.num.get.virtuals]).
fn integer<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    bits: u8,
    signed: bool,
) -> Res<Value<M::Shadow>> {
    let Some(from) = sentry(i, c, true)? else { return itself::<M>(c) };
    let flags = from.field(i, ios::FLAGS, 32)?;
    let radix = if flags & HEX != 0 {
        16
    } else if flags & OCT != 0 {
        8
    } else {
        10
    };
    let (text, ended) = read(i, &from, |input| input.integer(radix))?;
    let digits = String::from_utf8_lossy(&text).replace(['x', 'X'], "");
    let number = i128::from_str_radix(&digits, radix).ok();
    let (least, most) = match (bits, signed) {
        // A truth value.
        (1, _) => (0, 1),
        (_, true) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        // Negative numbers wrap around.
        (_, false) => (1 - (1i128 << bits), (1i128 << bits) - 1),
    };
    let kept = number.unwrap_or(0).clamp(least, most);
    i.memory.store(c.ptr(1)?, Leaf::Int(bits.max(8)), Scalar::word(kept as u64 & crate::value::mask64(bits)), 1)?;
    note(i, &from, ended, number != Some(kept))?;
    itself::<M>(c)
}

/// Reads a floating-point number and stores it; zero where there is none.
fn float<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    leaf: Leaf,
    parse: impl Fn(&str) -> Option<u64>,
) -> Res<Value<M::Shadow>> {
    let Some(from) = sentry(i, c, true)? else { return itself::<M>(c) };
    let (text, ended) = read(i, &from, Input::number)?;
    let bits = parse(&String::from_utf8_lossy(&text));
    i.memory.store(c.ptr(1)?, leaf, Scalar::word(bits.unwrap_or(0)), 1)?;
    note(i, &from, ended, bits.is_none())?;
    itself::<M>(c)
}

/// Sets how many characters an unformatted function has read.
fn counted<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, count: u64) -> Res {
    i.memory.store(c.ptr(0)?.offset(8), Leaf::Int(64), Scalar::word(count), 8)
}

/// One character by an unformatted function.
fn character<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Option<u8>> {
    counted(i, c, 0)?;
    let Some(from) = sentry(i, c, false)? else { return Ok(None) };
    let (byte, ended) = read(i, &from, Input::byte)?;
    note(i, &from, ended, byte.is_none())?;
    counted(i, c, u64::from(byte.is_some()))?;
    Ok(byte)
}

/// Skips characters up to a number of them or behind the given one.
fn ignore<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    most: u64,
    end: Option<u8>,
) -> Res<Value<M::Shadow>> {
    counted(i, c, 0)?;
    let Some(from) = sentry(i, c, false)? else { return itself::<M>(c) };
    let (count, ended) = read(i, &from, |input| {
        let mut count = 0;
        while count < most {
            let Some(byte) = input.byte() else { break };
            count += 1;
            if Some(byte) == end {
                break;
            }
        }
        count
    })?;
    note(i, &from, ended, false)?;
    counted(i, c, count)?;
    itself::<M>(c)
}

/// Goes back by a character, which must be the given one.
fn back<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let from = Target::of(i, c)?;
    // [istream.unformatted]: first clears eofbit.
    let state = from.field(i, ios::STATE, 32)? & !EOF;
    from.set(i, ios::STATE, 32, state)?;
    counted(i, c, 0)?;
    let Some(from) = sentry(i, c, false)? else { return itself::<M>(c) };
    let expected = if c.args.len() > 1 { Some(c.uint(1)? as u8) } else { None };
    let (went, next) = match from.place(i)? {
        Place::Text(buffer) => {
            let went = buffer.advance(i, -1)?;
            (went, buffer.ahead(i, 1)?.0.first().copied())
        }
        Place::File(buffer) => read_file(i, buffer, c.at, |input| (input.back(), input.peek()))?.0,
        Place::Out(_) | Place::In => return Err(Fault::unsupported("a character is put back into std::cin")),
    };
    if went && expected.is_some() && next != expected {
        return Err(Fault::unsupported("another character than the last is put back into a stream"));
    }
    if !went {
        from.add(i, BAD)?;
    }
    itself::<M>(c)
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    numbers(name).or_else(|| texts(name)).or_else(|| characters(name))
}

fn numbers<M: Machine>(name: &str) -> Option<Shim<M>> {
    let name = name.strip_prefix("_ZNSi")?;
    let kind = match name.strip_prefix("rsER") {
        Some(kind) => kind,
        None => name.strip_prefix("10_M_extractI")?.strip_suffix("EERSiRT_")?,
    };
    Some(match kind {
        "b" => |i, c| integer(i, c, 1, false),
        "s" => |i, c| integer(i, c, 16, true),
        "t" => |i, c| integer(i, c, 16, false),
        "i" => |i, c| integer(i, c, 32, true),
        "j" => |i, c| integer(i, c, 32, false),
        "l" | "x" => |i, c| integer(i, c, 64, true),
        "m" | "y" => |i, c| integer(i, c, 64, false),
        "d" => |i, c| float(i, c, Leaf::Float(FloatKind::Double), |text| Some(text.parse::<f64>().ok()?.to_bits())),
        "f" => {
            |i, c| float(i, c, Leaf::Float(FloatKind::Float), |text| Some(text.parse::<f32>().ok()?.to_bits().into()))
        }
        _ => return None,
    })
}

fn texts<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_"
        | "_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE" => {
            |i, c| {
                let end = if c.args.len() > 2 { c.uint(2)? as u8 } else { b'\n' };
                let Some(from) = sentry(i, c, false)? else { return itself::<M>(c) };
                let (line, ended) = read(i, &from, |input| input.line(end))?;
                note(i, &from, ended, line.is_none())?;
                Text::at(c.ptr(1)?).assign(i, c, &line.unwrap_or_default())?;
                itself::<M>(c)
            }
        }
        "_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE" => {
            |i, c| {
                let Some(from) = sentry(i, c, true)? else { return itself::<M>(c) };
                let most = match from.field(i, ios::WIDTH, 64)? {
                    0 => usize::MAX,
                    width => width as usize,
                };
                let (word, ended) = read(i, &from, |input| {
                    input.take_while(|so_far, b| so_far.len() < most && !matches!(b, b' ' | 9..=13))
                })?;
                from.set(i, ios::WIDTH, 64, 0)?;
                note(i, &from, ended, word.is_empty())?;
                Text::at(c.ptr(1)?).assign(i, c, &word)?;
                itself::<M>(c)
            }
        }
        "_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_" => |i, c| {
            let from = Target::of(i, c)?;
            let (_, ended) = read(i, &from, |input| {
                input.skip_space();
                input.peek();
            })?;
            note(i, &from, ended, false)?;
            itself::<M>(c)
        },
        _ => return None,
    })
}

fn characters<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_" => |i, c| {
            let Some(from) = sentry(i, c, true)? else { return itself::<M>(c) };
            let (byte, ended) = read(i, &from, Input::byte)?;
            if let Some(byte) = byte {
                i.memory.write_bytes(c.ptr(1)?, &[byte])?;
            }
            note(i, &from, ended, byte.is_none())?;
            itself::<M>(c)
        },
        "_ZNSi3getEv" => |i, c| Ok(Value::i32(character(i, c)?.map_or(-1, i32::from))),
        "_ZNSi3getERc" => |i, c| {
            if let Some(byte) = character(i, c)? {
                i.memory.write_bytes(c.ptr(1)?, &[byte])?;
            }
            itself::<M>(c)
        },
        "_ZNSi4peekEv" => |i, c| {
            counted(i, c, 0)?;
            let Some(from) = sentry(i, c, false)? else { return Ok(Value::i32(-1)) };
            let (byte, _) = read(i, &from, Input::peek)?;
            note(i, &from, byte.is_none(), false)?;
            Ok(Value::i32(byte.map_or(-1, i32::from)))
        },
        "_ZNKSi6gcountEv" => |i, c| {
            let count = i.memory.load(c.ptr(0)?.offset(8), Leaf::Int(64), 8)?;
            Ok(Value::i64(count.lo as i64))
        },
        "_ZNSi6ignoreEv" => |i, c| ignore(i, c, 1, None),
        "_ZNSi6ignoreEl" => |i, c| ignore(i, c, c.uint(1)?, None),
        "_ZNSi6ignoreEli" => |i, c| {
            let end = c.int(2)?;
            ignore(i, c, c.uint(1)?, u8::try_from(end).ok())
        },
        "_ZNSi4readEPcl" => |i, c| {
            counted(i, c, 0)?;
            let Some(from) = sentry(i, c, false)? else { return itself::<M>(c) };
            let most = c.uint(2)? as usize;
            let (bytes, ended) = read(i, &from, |input| input.take_while(|so_far, _| so_far.len() < most))?;
            let short = bytes.len() < most;
            i.memory.write_bytes(c.ptr(1)?, &bytes)?;
            note(i, &from, ended && short, short)?;
            counted(i, c, bytes.len() as u64)?;
            itself::<M>(c)
        },
        "_ZNSi5ungetEv" | "_ZNSi7putbackEc" => |i, c| back(i, c),
        _ => return None,
    })
}
