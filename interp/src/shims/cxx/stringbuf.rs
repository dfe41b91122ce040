//! `std::ostringstream`, `std::istringstream` and `std::stringstream`: streams over a string ([string.streams]).
//!
//! A `std::stringbuf` is laid out as libstdc++'s (`streambuf`, `sstream`), because optimised programs reach into it: a
//! virtual table, the get area (8, 16, 24: begin, next, end), the put area (32, 40, 48), a locale (56), the mode (64),
//! and the string (72) whose block both areas lie in. What was written is the text from the put area's begin to the
//! later of its next character and the get area's end.

use super::classes::{self, Class, OVER_STRINGS, mode};
use super::string::Text;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Location, Res};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::thrown::pointer;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// Offsets in the buffer.
mod field {
    pub const GET: [i64; 3] = [8, 16, 24];
    pub const PUT: [i64; 3] = [32, 40, 48];
    pub const LOCALE: i64 = 56;
    pub const MODE: i64 = 64;
    pub const STRING: i64 = 72;
}

/// `std::stringbuf`'s mangled name.
const BUFFER: &str = "St7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE";
/// An argument of type `const std::string &`.
const STRING: &str = "ERKNS_12basic_stringIcS2_S3_EE";

/// A buffer of the program.
#[derive(Clone, Copy)]
pub struct StringBuf {
    object: Pointer,
}

impl StringBuf {
    /// The buffer at an address, if its virtual table says that it is one.
    pub fn at<M: Machine>(i: &Interp<'_, M>, object: Pointer) -> Option<StringBuf> {
        classes::is_buffer(i, object, &format!("N{BUFFER}E"), 0).then_some(StringBuf { object })
    }

    fn text(self) -> Text {
        Text::at(self.object.offset(field::STRING))
    }

    fn get<M: Machine>(self, i: &Interp<'_, M>, offset: i64) -> Res<Pointer> {
        pointer(i.memory.load_ptr(self.object.offset(offset), 8)?)
    }

    fn set<M: Machine>(self, i: &mut Interp<'_, M>, offset: i64, to: Pointer) -> Res {
        i.memory.store(self.object.offset(offset), Leaf::Ptr, Scalar::ptr(to), 8)
    }

    fn area<M: Machine>(self, i: &mut Interp<'_, M>, fields: [i64; 3], to: [Pointer; 3]) -> Res {
        fields.into_iter().zip(to).try_for_each(|(offset, to)| self.set(i, offset, to))
    }

    fn mode<M: Machine>(self, i: &Interp<'_, M>) -> Res<u64> {
        Ok(i.memory.load(self.object.offset(field::MODE), Leaf::Int(32), 4)?.lo)
    }

    /// Makes an empty buffer of the object.
    fn start<M: Machine>(self, i: &mut Interp<'_, M>, mode: u64) -> Res {
        let table = classes::buffer_table(i, 0)?;
        self.set(i, 0, table)?;
        self.area(i, field::GET, [Pointer::NULL; 3])?;
        self.area(i, field::PUT, [Pointer::NULL; 3])?;
        self.set(i, field::LOCALE, Pointer::NULL)?;
        i.memory.store(self.object.offset(field::MODE), Leaf::Int(32), Scalar::word(mode), 4)?;
        self.text().start(i)
    }

    /// Lays both areas over the string's block: the next character to read is the `next`th, the next to write the
    /// `end`th.
    fn sync<M: Machine>(self, i: &mut Interp<'_, M>, data: Pointer, next: u64, end: u64) -> Res {
        let (own, len, capacity) = (self.text().data(i)?, self.text().len(i)?, self.text().capacity(i)?);
        let (mut last, mut room, mut next) = (data.offset(len as i64), data.offset(capacity as i64), next as i64);
        if own.addr != data.addr {
            last = last.offset(next);
            room = last;
            next = 0;
        }
        let mode = self.mode(i)?;
        if mode & mode::IN != 0 {
            self.area(i, field::GET, [data, data.offset(next), last])?;
        }
        if mode & mode::OUT != 0 {
            self.area(i, field::PUT, [data, data.offset(end as i64), room])?;
            if mode & mode::IN == 0 {
                self.area(i, field::GET, [last; 3])?;
            }
        }
        Ok(())
    }

    /// Replaces the content.
    fn assign<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res {
        self.text().assign(i, c, text)?;
        let appends = self.mode(i)? & (mode::APPEND | mode::AT_END) != 0;
        let data = self.text().data(i)?;
        self.sync(i, data, 0, if appends { text.len() as u64 } else { 0 })
    }

    /// The whole text.
    pub fn bytes<M: Machine>(self, i: &Interp<'_, M>) -> Res<Vec<u8>> {
        let [begin, next, _] = field::PUT;
        let next = self.get(i, next)?;
        if next.is_null() {
            return self.text().bytes(i);
        }
        let begin = self.get(i, begin)?;
        let end = self.get(i, field::GET[2])?.addr.max(next.addr);
        i.memory.read_bytes(begin, end - begin.addr)
    }

    /// Writes at the put position.
    pub fn write<M: Machine>(self, i: &mut Interp<'_, M>, text: &[u8], at: Location) -> Res {
        let [begin, next, room] = field::PUT;
        if self.mode(i)? & mode::OUT == 0 {
            return Err(Fault::unsupported("output to a stream that was opened for input"));
        }
        let from = self.get(i, begin)?;
        let used = self.get(i, next)?.addr - from.addr;
        let needed = used + text.len() as u64;
        if needed > self.get(i, room)?.addr - from.addr {
            let old = self.bytes(i)?;
            let capacity = (2 * self.text().capacity(i)?).max(512).max(needed);
            let block = i.memory.allocate(capacity + 1, 16, AllocKind::Heap(HeapKind::New), Some(at))?;
            i.memory.write_bytes(block, &old)?;
            let read = field::GET.map(|field| self.get(i, field).map(|p| p.addr.wrapping_sub(from.addr) as i64));
            let [first, second, third] = read;
            self.area(i, field::GET, [block.offset(first?), block.offset(second?), block.offset(third?)])?;
            self.text().take_block(i, block, capacity, at)?;
            self.area(i, field::PUT, [block, block.offset(used as i64), block.offset(capacity as i64)])?;
        }
        let to = self.get(i, next)?;
        i.memory.write_bytes(to, text)?;
        self.set(i, next, to.offset(text.len() as i64))
    }

    /// At most `most` of the bytes that are left to read, and whether these are all.
    pub fn ahead<M: Machine>(self, i: &mut Interp<'_, M>, most: u64) -> Res<(Vec<u8>, bool)> {
        let [_, next, end] = field::GET;
        let mut last = self.get(i, end)?;
        // What was written since can be read, too.
        let written = self.get(i, field::PUT[1])?;
        if written.addr > last.addr {
            last = written;
            self.set(i, end, last)?;
        }
        let from = self.get(i, next)?;
        let left = if self.mode(i)? & mode::IN == 0 { 0 } else { last.addr - from.addr };
        let count = left.min(most);
        let bytes = if count == 0 { Vec::new() } else { i.memory.read_bytes(from, count)? };
        Ok((bytes, count == left))
    }

    /// Moves the get position; `false` where it cannot.
    pub fn advance<M: Machine>(self, i: &mut Interp<'_, M>, by: i64) -> Res<bool> {
        let [begin, next, _] = field::GET;
        let to = self.get(i, next)?.offset(by);
        if to.addr < self.get(i, begin)?.addr {
            return Ok(false);
        }
        self.set(i, next, to)?;
        Ok(true)
    }
}

impl StringBuf {
    /// The position of the next character to write, or to read; none if the buffer is not for that.
    pub fn tell<M: Machine>(self, i: &mut Interp<'_, M>, output: bool) -> Res<Option<u64>> {
        let (needed, [begin, next, _]) = if output { (mode::OUT, field::PUT) } else { (mode::IN, field::GET) };
        if self.mode(i)? & needed == 0 {
            return Ok(None);
        }
        let (begin, next) = (self.get(i, begin)?, self.get(i, next)?);
        Ok(Some(next.addr - begin.addr))
    }

    /// Moves that position; `false` where there is no such place ([stringbuf.virtuals]).
    pub fn seek<M: Machine>(self, i: &mut Interp<'_, M>, output: bool, to: i64) -> Res<bool> {
        let (needed, [begin, next, _]) = if output { (mode::OUT, field::PUT) } else { (mode::IN, field::GET) };
        let length = self.bytes(i)?.len() as i64;
        if self.mode(i)? & needed == 0 || !(0..=length).contains(&to) {
            return Ok(false);
        }
        // What was written stays, though the next character is written in front of it.
        let end = self.get(i, field::PUT[1])?;
        if !end.is_null() && end.addr > self.get(i, field::GET[2])?.addr {
            self.set(i, field::GET[2], end)?;
            if self.mode(i)? & mode::IN == 0 {
                self.set(i, field::GET[0], end)?;
                self.set(i, field::GET[1], end)?;
            }
        }
        let begin = self.get(i, begin)?;
        self.set(i, next, begin.offset(to))?;
        Ok(true)
    }
}

/// Makes a stream of the object in the first argument.
fn construct<M: Machine>(
    i: &mut Interp<'_, M>,
    c: &ShimCall<'_, M::Shadow>,
    class: Class,
    (text, mode): (&[u8], u64),
) -> Res<Value<M::Shadow>> {
    let buffer = StringBuf { object: classes::construct(i, c.ptr(0)?, class)? };
    buffer.start(i, mode | class.mode())?;
    buffer.assign(i, c, text)?;
    Ok(Value::void())
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    base(name).or_else(|| {
        let member = name.strip_prefix("_ZN").map(|rest| rest.strip_prefix('K').unwrap_or(rest))?;
        if let Some(member) = member.strip_prefix(BUFFER) {
            return buffer::<M, 0>(member).or_else(|| areas(member));
        }
        let [output, input, both] = OVER_STRINGS.map(|class| member.strip_prefix(class.name));
        if let Some(member) = output {
            return constructor::<M, 0>(member).or_else(|| buffer::<M, { OVER_STRINGS[0].buffer() }>(member));
        }
        if let Some(member) = input {
            return constructor::<M, 1>(member).or_else(|| buffer::<M, { OVER_STRINGS[1].buffer() }>(member));
        }
        let member = both?;
        constructor::<M, 2>(member).or_else(|| buffer::<M, { OVER_STRINGS[2].buffer() }>(member))
    })
}

/// Constructors of a class of streams.
fn constructor<M: Machine, const CLASS: usize>(member: &str) -> Option<Shim<M>> {
    let member = member.strip_prefix("C1")?;
    Some(match member.strip_prefix(STRING).unwrap_or(member) {
        "Ev" => |i, c| construct(i, c, OVER_STRINGS[CLASS], (b"", mode::IN | mode::OUT)),
        "ESt13_Ios_Openmode" => |i, c| construct(i, c, OVER_STRINGS[CLASS], (b"", c.uint(1)?)),
        "St13_Ios_Openmode" => |i, c| {
            let text = Text::at(c.ptr(1)?).bytes(i)?;
            construct(i, c, OVER_STRINGS[CLASS], (&text, c.uint(2)?))
        },
        _ => return None,
    })
}

/// Members of a stream, or of the buffer itself, that concern the buffer at that offset.
fn buffer<M: Machine, const OFFSET: i64>(member: &str) -> Option<Shim<M>> {
    if member.strip_prefix("3str") == Some(STRING) {
        return Some(|i, c| {
            let text = Text::at(c.ptr(1)?).bytes(i)?;
            StringBuf { object: c.ptr(0)?.offset(OFFSET) }.assign(i, c, &text)?;
            Ok(Value::void())
        });
    }
    Some(match member {
        // The string is made where the hidden first argument points.
        "3strEv" => |i, c| {
            let text = StringBuf { object: c.ptr(1)?.offset(OFFSET) }.bytes(i)?;
            let result = Text::at(c.ptr(0)?);
            result.start(i)?;
            result.assign(i, c, &text)?;
            Ok(Value::void())
        },
        "5rdbufEv" => |_, c| Ok(Value::ptr(c.ptr(0)?.offset(OFFSET))),
        "D1Ev" | "D2Ev" => |i, c| {
            StringBuf { object: c.ptr(0)?.offset(OFFSET) }.text().dispose(i, c)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Members of the buffer that lay its areas out.
fn areas<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
        "7_M_syncEPcmm" => |i, c| {
            StringBuf { object: c.ptr(0)? }.sync(i, c.ptr(1)?, c.uint(2)?, c.uint(3)?)?;
            Ok(Value::void())
        },
        "17_M_stringbuf_initESt13_Ios_Openmode" => |i, c| {
            let this = StringBuf { object: c.ptr(0)? };
            i.memory.store(this.object.offset(field::MODE), Leaf::Int(32), c.leaf(1)?, 4)?;
            let text = this.text().bytes(i)?;
            this.assign(i, c, &text)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// The parts that inlined constructors and destructors leave to the library. A locale is always the C locale, and has
/// no state.
fn base<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZNSt6localeC1Ev" | "_ZNSt6localeC1ERKS_" => |i, c| {
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(Pointer::NULL), 8)?;
            Ok(Value::void())
        },
        "_ZNSt6localeD1Ev" | "_ZNSt8ios_baseC2Ev" | "_ZNSt8ios_baseD2Ev" => |_, _| Ok(Value::void()),
        "_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E" => |i, c| {
            classes::start_ios(i, c.ptr(0)?, c.ptr(1)?)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}
