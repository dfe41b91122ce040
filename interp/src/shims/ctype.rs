//! Character classes in the C locale: the `is…` functions, and the tables behind glibc's macros (`__ctype_b_loc` and
//! its kin).

use crate::machine::Machine;
use crate::memory::AllocKind;
use crate::outcome::{Fault, Res, UbKind};
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Bits of glibc's class masks on a little-endian machine (`ctype.h`).
mod mask {
    pub const UPPER: u16 = 1 << 8;
    pub const LOWER: u16 = 1 << 9;
    pub const ALPHA: u16 = 1 << 10;
    pub const DIGIT: u16 = 1 << 11;
    pub const XDIGIT: u16 = 1 << 12;
    pub const SPACE: u16 = 1 << 13;
    pub const PRINT: u16 = 1 << 14;
    pub const GRAPH: u16 = 1 << 15;
    pub const BLANK: u16 = 1 << 0;
    pub const CNTRL: u16 = 1 << 1;
    pub const PUNCT: u16 = 1 << 2;
    pub const ALNUM: u16 = 1 << 3;
}

/// Entries of a table: characters -128 to 255.
const ENTRIES: i64 = 384;
/// Index of character 0.
const ZERO: i64 = 128;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    macro_rules! class {
        ($mask:expr) => {
            |_, c| Ok(Value::i32(i32::from(classes(character(c.int(0)?)?) & $mask)))
        };
    }
    Some(match name {
        "isupper" => class!(mask::UPPER),
        "islower" => class!(mask::LOWER),
        "isalpha" => class!(mask::ALPHA),
        "isdigit" => class!(mask::DIGIT),
        "isxdigit" => class!(mask::XDIGIT),
        "isspace" => class!(mask::SPACE),
        "isprint" => class!(mask::PRINT),
        "isgraph" => class!(mask::GRAPH),
        "isblank" => class!(mask::BLANK),
        "iscntrl" => class!(mask::CNTRL),
        "ispunct" => class!(mask::PUNCT),
        "isalnum" => class!(mask::ALNUM),
        "tolower" => |_, c| Ok(Value::i32(character(c.int(0)?).map_or(c.int(0)? as i32, lower))),
        "toupper" => |_, c| Ok(Value::i32(character(c.int(0)?).map_or(c.int(0)? as i32, upper))),
        "__ctype_b_loc" => |i, _| {
            let table = i.runtime.ctype.classes;
            let table = table.map_or_else(|| make(i, 2, |c| u64::from(classes(c))), Ok)?;
            Ok(Value::ptr(*i.runtime.ctype.classes.insert(table)))
        },
        "__ctype_tolower_loc" => |i, _| {
            let table = i.runtime.ctype.lower;
            let table = table.map_or_else(|| make(i, 4, |c| lower(c) as u64), Ok)?;
            Ok(Value::ptr(*i.runtime.ctype.lower.insert(table)))
        },
        "__ctype_toupper_loc" => |i, _| {
            let table = i.runtime.ctype.upper;
            let table = table.map_or_else(|| make(i, 4, |c| upper(c) as u64), Ok)?;
            Ok(Value::ptr(*i.runtime.ctype.upper.insert(table)))
        },
        _ => return None,
    })
}

/// The argument of a class function: an `unsigned char` or `EOF`; glibc allows -128 to 255.
fn character(value: i64) -> Res<i32> {
    if (-ZERO..ENTRIES - ZERO).contains(&value) {
        return Ok(value as i32);
    }
    Err(Fault::ub(UbKind::Library, format!("{value} given to a character function is no character")))
}

fn classes(c: i32) -> u16 {
    let Some(byte) = u8::try_from(c).ok().filter(u8::is_ascii) else { return 0 };
    let rules = [
        (mask::UPPER, byte.is_ascii_uppercase()),
        (mask::LOWER, byte.is_ascii_lowercase()),
        (mask::ALPHA, byte.is_ascii_alphabetic()),
        (mask::DIGIT, byte.is_ascii_digit()),
        (mask::XDIGIT, byte.is_ascii_hexdigit()),
        (mask::SPACE, matches!(byte, b' ' | 9..=13)),
        (mask::PRINT, byte.is_ascii_graphic() || byte == b' '),
        (mask::GRAPH, byte.is_ascii_graphic()),
        (mask::BLANK, matches!(byte, b' ' | b'\t')),
        (mask::CNTRL, byte.is_ascii_control()),
        (mask::PUNCT, byte.is_ascii_punctuation()),
        (mask::ALNUM, byte.is_ascii_alphanumeric()),
    ];
    rules.iter().filter(|(_, holds)| *holds).fold(0, |all, (bit, _)| all | bit)
}

/// A negative character as the byte it is; glibc leaves only EOF alone.
fn byte(c: i32) -> i32 {
    if c < -1 { c + 256 } else { c }
}

fn lower(c: i32) -> i32 {
    u8::try_from(c).map_or(byte(c), |byte| i32::from(byte.to_ascii_lowercase()))
}

fn upper(c: i32) -> i32 {
    u8::try_from(c).map_or(byte(c), |byte| i32::from(byte.to_ascii_uppercase()))
}

/// Builds a table of entries of `size` bytes and a pointer to its middle.
fn make<M: Machine>(interp: &mut Interp<'_, M>, size: u64, entry: impl Fn(i32) -> u64) -> Res<Pointer> {
    let table = interp.memory.allocate(ENTRIES as u64 * size, 16, AllocKind::Runtime, None)?;
    for i in 0..ENTRIES {
        let bytes = entry((i - ZERO) as i32).to_le_bytes();
        interp.memory.write_bytes(table.offset(i * size as i64), &bytes[..size as usize])?;
    }
    interp.memory.freeze_object(table);
    let pointer = interp.memory.allocate(8, 8, AllocKind::Runtime, None)?;
    interp.memory.store(pointer, Leaf::Ptr, Scalar::ptr(table.offset(ZERO * size as i64)), 8)?;
    Ok(pointer)
}
