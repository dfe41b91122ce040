//! `std::string` (`basic_string.h`): the members that programs leave to the shared library.
//!
//! A string is `{ char *characters, size_t length, union { char local[16]; size_t capacity; } }`; the characters lie in
//! `local` or in a block from `operator new`. Growth doubles the capacity, as libstdc++'s does, so that `capacity()` is
//! the same.

use super::search::{NOWHERE, find_text, find_text_last, first, last, order};
use super::standard;
use crate::interp::Interp;
use crate::library::{Shim, ShimCall};
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::unwind::exceptions;
use crate::value::{Leaf, Pointer, Scalar, Value};

const CLASS: &str = "7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";
/// Characters that fit into the object, without the NUL.
pub const LOCAL: u64 = 15;

/// A string of the program.
#[derive(Clone, Copy)]
pub struct Text {
    object: Pointer,
}

impl Text {
    /// The string object at an address.
    pub fn at(object: Pointer) -> Text {
        Text { object }
    }

    pub fn local(self) -> Pointer {
        self.object.offset(16)
    }

    pub fn data<M: Machine>(self, i: &Interp<'_, M>) -> Res<Pointer> {
        exceptions::pointer(i.memory.load_ptr(self.object, 8)?)
    }

    pub fn len<M: Machine>(self, i: &Interp<'_, M>) -> Res<u64> {
        let len = i.memory.load(self.object.offset(8), Leaf::Int(64), 8)?;
        if len.is_init() {
            return Ok(len.lo);
        }
        Err(Fault::ub(UbKind::Uninitialised, "a std::string is used that was never constructed"))
    }

    pub fn capacity<M: Machine>(self, i: &Interp<'_, M>) -> Res<u64> {
        if self.data(i)?.addr == self.local().addr {
            return Ok(LOCAL);
        }
        Ok(i.memory.load(self.local(), Leaf::Int(64), 8)?.lo)
    }

    /// The characters.
    pub fn bytes<M: Machine>(self, i: &Interp<'_, M>) -> Res<Vec<u8>> {
        i.memory.read_bytes(self.data(i)?, self.len(i)?)
    }

    pub fn set_data<M: Machine>(self, i: &mut Interp<'_, M>, to: Pointer) -> Res {
        i.memory.store(self.object, Leaf::Ptr, Scalar::ptr(to), 8)
    }

    pub fn set_capacity<M: Machine>(self, i: &mut Interp<'_, M>, to: u64) -> Res {
        i.memory.store(self.local(), Leaf::Int(64), Scalar::word(to), 8)
    }

    /// Sets the length and the NUL behind.
    fn set_len<M: Machine>(self, i: &mut Interp<'_, M>, to: u64) -> Res {
        i.memory.store(self.object.offset(8), Leaf::Int(64), Scalar::word(to), 8)?;
        let end = self.data(i)?.offset(to as i64);
        i.memory.write_bytes(end, &[0])
    }

    /// Makes an empty string of the object.
    pub fn start<M: Machine>(self, i: &mut Interp<'_, M>) -> Res {
        let local = self.local();
        self.set_data(i, local)?;
        self.set_len(i, 0)
    }

    pub fn dispose<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>) -> Res {
        let data = self.data(i)?;
        if data.addr != self.local().addr {
            i.memory.free(data, HeapKind::New, Some(c.at))?;
        }
        Ok(())
    }

    /// Takes a block in place of the old one; the length stays.
    pub fn take_block<M: Machine>(self, i: &mut Interp<'_, M>, block: Pointer, capacity: u64, at: Location) -> Res {
        let data = self.data(i)?;
        if data.addr != self.local().addr {
            i.memory.free(data, HeapKind::New, Some(at))?;
        }
        self.set_data(i, block)?;
        self.set_capacity(i, capacity)
    }

    /// A new block for `wanted` characters, at least twice the old ones; gives the block and its capacity.
    pub fn create<M: Machine>(
        i: &mut Interp<'_, M>,
        c: &ShimCall<'_, M::Shadow>,
        wanted: u64,
        old: u64,
    ) -> Res<(Pointer, u64)> {
        const MOST: u64 = (1 << 62) - 1;
        if wanted > MOST {
            return Err(standard::raise(i, c, "length_error", b"basic_string::_M_create"));
        }
        let capacity = if wanted > old && wanted < 2 * old { (2 * old).min(MOST) } else { wanted };
        let block = i.memory.allocate(capacity + 1, 16, AllocKind::Heap(HeapKind::New), Some(c.at))?;
        Ok((block, capacity))
    }

    /// Replaces the whole content; a block is kept if it is large enough.
    pub fn assign<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res {
        let (len, old) = (text.len() as u64, self.capacity(i)?);
        if len > old {
            let (block, capacity) = Text::create(i, c, len, old)?;
            self.dispose(i, c)?;
            self.set_data(i, block)?;
            self.set_capacity(i, capacity)?;
        }
        let data = self.data(i)?;
        i.memory.write_bytes(data, text)?;
        self.set_len(i, len)
    }

    /// Replaces `n` characters from `at` on.
    pub fn replace<M: Machine>(
        self,
        i: &mut Interp<'_, M>,
        c: &ShimCall<'_, M::Shadow>,
        (at, n): (u64, u64),
        with: &[u8],
    ) -> Res {
        let mut text = self.bytes(i)?;
        let at = (at as usize).min(text.len());
        let end = at + (n.min((text.len() - at) as u64) as usize);
        text.splice(at..end, with.iter().copied());
        self.assign(i, c, &text)
    }

    /// `at`, if it is no position behind the end.
    pub fn check<M: Machine>(self, i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, at: u64, who: &str) -> Res<u64> {
        let len = self.len(i)?;
        if at <= len {
            return Ok(at);
        }
        let text = format!("{who}: __pos (which is {at}) > this->size() (which is {len})");
        Err(standard::raise(i, c, "out_of_range", text.as_bytes()))
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    if let Some(member) = name.strip_prefix("_ZNSaIc") {
        // `std::allocator<char>` has no state.
        return (member.starts_with('E') && matches!(&member[1..3], "C1" | "C2" | "D1" | "D2"))
            .then_some(|_, _| Ok(Value::void()));
    }
    let member = name.strip_prefix("_ZNSt").or_else(|| name.strip_prefix("_ZNKSt"))?.strip_prefix(CLASS)?;
    construction(member)
        .or_else(|| parts(member))
        .or_else(|| changes(member))
        .or_else(|| questions(member))
        .or_else(|| super::string_parts::find(member))
}

pub fn this<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Text> {
    Ok(Text::at(c.ptr(0)?))
}

/// The characters of a `const char *` argument.
fn chars<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    i.memory.read_cstr(c.ptr(index)?)
}

/// Those of a `const char *` and a number of them.
pub fn counted<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    i.memory.read_bytes(c.ptr(index)?, c.uint(index + 1)?)
}

/// Those of a string argument.
pub fn other<M: Machine>(i: &Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    Text::at(c.ptr(index)?).bytes(i)
}

/// A repeated character: number, character.
fn repeated<M: Machine>(c: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    let count = c.uint(index)?;
    if count > 1 << 32 {
        return Err(Fault::resource(format!("a string of {count} characters")));
    }
    Ok(vec![c.uint(index + 1)? as u8; count as usize])
}

/// Part of a string argument: string, position, number.
pub fn part<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, index: usize, who: &str) -> Res<Vec<u8>> {
    let text = Text::at(c.ptr(index)?);
    let at = text.check(i, c, c.uint(index + 1)?, who)? as usize;
    let bytes = text.bytes(i)?;
    let n = c.uint(index + 2)?.min((bytes.len() - at) as u64) as usize;
    Ok(bytes[at..at + n].to_vec())
}

/// Makes a string of the object with that content.
pub fn make<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, text: &[u8]) -> Res<Value<M::Shadow>> {
    let this = this::<M>(c)?;
    this.start(i)?;
    this.assign(i, c, text)?;
    Ok(Value::void())
}

/// The result of members that return `*this`.
pub fn itself<M: Machine>(c: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    Ok(Value::ptr(c.ptr(0)?))
}

fn construction<M: Machine>(member: &str) -> Option<Shim<M>> {
    let member = member.strip_prefix("C1").or_else(|| member.strip_prefix("C2")).unwrap_or(member);
    Some(match member {
        "Ev" | "ERKS3_" => |i, c| make(i, c, b""),
        "ERKS4_" => |i, c| {
            let text = other(i, c, 1)?;
            make(i, c, &text)
        },
        "EOS4_" => |i, c| {
            let (to, from) = (this::<M>(c)?, Text::at(c.ptr(1)?));
            to.start(i)?;
            take_over(i, c, to, from)?;
            Ok(Value::void())
        },
        "ERKS4_mm" => |i, c| {
            let text = part(i, c, 1, "basic_string::basic_string")?;
            make(i, c, &text)
        },
        "EPKcRKS3_" => |i, c| {
            let text = chars(i, c, 1)?;
            make(i, c, &text)
        },
        "EPKcmRKS3_" => |i, c| {
            let text = counted(i, c, 1)?;
            make(i, c, &text)
        },
        "EmcRKS3_" | "12_M_constructEmc" => |i, c| {
            let text = repeated::<M>(c, 1)?;
            make(i, c, &text)
        },
        "D1Ev" | "D2Ev" | "10_M_disposeEv" => |i, c| {
            this::<M>(c)?.dispose(i, c)?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// A string takes the content of another, which is empty then.
fn take_over<M: Machine>(i: &mut Interp<'_, M>, c: &ShimCall<'_, M::Shadow>, to: Text, from: Text) -> Res {
    let (data, len) = (from.data(i)?, from.len(i)?);
    if data.addr == from.local().addr {
        let text = from.bytes(i)?;
        to.assign(i, c, &text)?;
        return from.set_len(i, 0);
    }
    let capacity = from.capacity(i)?;
    to.dispose(i, c)?;
    to.set_data(i, data)?;
    to.set_capacity(i, capacity)?;
    i.memory.store(to.object.offset(8), Leaf::Int(64), Scalar::word(len), 8)?;
    from.start(i)
}

/// Members that see or set the parts of the object.
fn parts<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
        "12_Alloc_hiderC1EPcRKS3_" | "12_Alloc_hiderC2EPcRKS3_" | "7_M_dataEPc" => |i, c| {
            this::<M>(c)?.set_data(i, c.ptr(1)?)?;
            Ok(Value::void())
        },
        "7_M_dataEv" | "5c_strEv" | "4dataEv" | "5beginEv" | "5frontEv" | "6cbeginEv" => {
            |i, c| Ok(Value::ptr(this::<M>(c)?.data(i)?))
        }
        "3endEv" | "4cendEv" => |i, c| {
            let this = this::<M>(c)?;
            Ok(Value::ptr(this.data(i)?.offset(this.len(i)? as i64)))
        },
        // A reverse iterator is made where the hidden first argument points.
        "6rbeginEv" => |i, c| {
            let text = Text::at(c.ptr(1)?);
            let end = text.data(i)?.offset(text.len(i)? as i64);
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(end), 8)?;
            Ok(Value::void())
        },
        "4rendEv" => |i, c| {
            let start = Text::at(c.ptr(1)?).data(i)?;
            i.memory.store(c.ptr(0)?, Leaf::Ptr, Scalar::ptr(start), 8)?;
            Ok(Value::void())
        },
        "4backEv" => |i, c| {
            let this = this::<M>(c)?;
            Ok(Value::ptr(this.data(i)?.offset(this.len(i)? as i64 - 1)))
        },
        "ixEm" => |i, c| {
            let (this, at) = (this::<M>(c)?, c.uint(1)?);
            if at > this.len(i)? {
                return Err(Fault::ub(
                    UbKind::OutOfBounds,
                    format!("element {at} of a std::string of {}", this.len(i)?),
                ));
            }
            Ok(Value::ptr(this.data(i)?.offset(at as i64)))
        },
        "2atEm" => |i, c| {
            let (this, at) = (this::<M>(c)?, c.uint(1)?);
            let len = this.len(i)?;
            if at >= len {
                let text = format!("basic_string::at: __n (which is {at}) >= this->size() (which is {len})");
                return Err(standard::raise(i, c, "out_of_range", text.as_bytes()));
            }
            Ok(Value::ptr(this.data(i)?.offset(at as i64)))
        },
        "13_M_local_dataEv" => |_, c| Ok(Value::ptr(this::<M>(c)?.local())),
        "11_M_is_localEv" => |i, c| {
            let this = this::<M>(c)?;
            Ok(Value::i32(i32::from(this.data(i)?.addr == this.local().addr)))
        },
        "4sizeEv" | "6lengthEv" => |i, c| Ok(Value::i64(this::<M>(c)?.len(i)? as i64)),
        "5emptyEv" => |i, c| Ok(Value::i32(i32::from(this::<M>(c)?.len(i)? == 0))),
        "8capacityEv" => |i, c| Ok(Value::i64(this::<M>(c)?.capacity(i)? as i64)),
        "8max_sizeEv" => |_, _| Ok(Value::i64((1 << 62) - 1)),
        "11_M_capacityEm" => |i, c| {
            this::<M>(c)?.set_capacity(i, c.uint(1)?)?;
            Ok(Value::void())
        },
        "9_M_lengthEm" => |i, c| {
            i.memory.store(c.ptr(0)?.offset(8), Leaf::Int(64), c.leaf(1)?, 8)?;
            Ok(Value::void())
        },
        "13_M_set_lengthEm" => |i, c| {
            this::<M>(c)?.set_len(i, c.uint(1)?)?;
            Ok(Value::void())
        },
        "9_M_createERmm" => |i, c| {
            let wanted = i.memory.load(c.ptr(1)?, Leaf::Int(64), 8)?.lo;
            let (block, capacity) = Text::create(i, c, wanted, c.uint(2)?)?;
            i.memory.store(c.ptr(1)?, Leaf::Int(64), Scalar::word(capacity), 8)?;
            Ok(Value::ptr(block))
        },
        // Copies a range of characters.
        "13_S_copy_charsEPcS5_S5_" | "13_S_copy_charsEPcPKcS7_" => |i, c| {
            let (to, from, end) = (c.ptr(0)?, c.ptr(1)?, c.ptr(2)?);
            i.memory.copy(to, from, end.addr.wrapping_sub(from.addr))?;
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Members that change the content.
fn changes<M: Machine>(member: &str) -> Option<Shim<M>> {
    /// A member that replaces a range and returns `*this`: the range and the new text.
    macro_rules! replacing {
        (|$i:ident, $c:ident, $this:ident| $range:expr, $text:expr) => {
            |$i, $c| {
                let $this = this::<M>($c)?;
                let range = $range;
                let text: Vec<u8> = $text;
                $this.replace($i, $c, range, &text)?;
                itself::<M>($c)
            }
        };
    }
    Some(match member {
        // A new block with a hole for, and then the text of, a replacement; the length stays.
        "9_M_mutateEmmPKcm" => |i, c| {
            let this = this::<M>(c)?;
            let (at, gone, n) = (c.uint(1)?, c.uint(2)?, c.uint(4)?);
            let (data, len) = (this.data(i)?, this.len(i)?);
            let rest = len - at - gone;
            let old = this.capacity(i)?;
            let (block, capacity) = Text::create(i, c, len + n - gone, old)?;
            i.memory.copy(block, data, at)?;
            if !c.ptr(3)?.is_null() {
                i.memory.copy(block.offset(at as i64), c.ptr(3)?, n)?;
            }
            i.memory.copy(block.offset((at + n) as i64), data.offset((at + gone) as i64), rest)?;
            this.dispose(i, c)?;
            this.set_data(i, block)?;
            this.set_capacity(i, capacity)?;
            Ok(Value::void())
        },
        "9_M_appendEPKcm" | "6appendEPKcm" => replacing!(|i, c, this| (this.len(i)?, 0), counted(i, c, 1)?),
        "6appendEPKc" | "pLEPKc" => replacing!(|i, c, this| (this.len(i)?, 0), chars(i, c, 1)?),
        "6appendERKS4_" | "pLERKS4_" => replacing!(|i, c, this| (this.len(i)?, 0), other(i, c, 1)?),
        "6appendERKS4_mm" => replacing!(|i, c, this| (this.len(i)?, 0), part(i, c, 1, "basic_string::append")?),
        "6appendEmc" => replacing!(|i, c, this| (this.len(i)?, 0), repeated::<M>(c, 1)?),
        "9push_backEc" | "pLEc" => replacing!(|i, c, this| (this.len(i)?, 0), vec![c.uint(1)? as u8]),
        "8pop_backEv" => |i, c| {
            let this = this::<M>(c)?;
            let len = this.len(i)?;
            let Some(shorter) = len.checked_sub(1) else {
                return Err(Fault::ub(UbKind::Library, "pop_back of an empty std::string"));
            };
            this.set_len(i, shorter)?;
            Ok(Value::void())
        },
        "9_M_assignERKS4_" | "6assignERKS4_" | "aSERKS4_" => replacing!(|i, c, this| (0, NOWHERE), other(i, c, 1)?),
        "6assignEPKc" | "aSEPKc" => replacing!(|i, c, this| (0, NOWHERE), chars(i, c, 1)?),
        "6assignEPKcm" => replacing!(|i, c, this| (0, NOWHERE), counted(i, c, 1)?),
        "6assignERKS4_mm" => replacing!(|i, c, this| (0, NOWHERE), part(i, c, 1, "basic_string::assign")?),
        "6assignEmc" => replacing!(|i, c, this| (0, NOWHERE), repeated::<M>(c, 1)?),
        "aSEc" => replacing!(|i, c, this| (0, NOWHERE), vec![c.uint(1)? as u8]),
        "aSEOS4_" | "6assignEOS4_" => |i, c| {
            let (to, from) = (this::<M>(c)?, Text::at(c.ptr(1)?));
            if to.object.addr != from.object.addr {
                take_over(i, c, to, from)?;
            }
            itself::<M>(c)
        },
        "10_M_replaceEmmPKcm" | "7replaceEmmPKcm" => {
            replacing!(
                |i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::replace")?, c.uint(2)?),
                counted(i, c, 3)?
            )
        }
        "7replaceEmmPKc" => {
            replacing!(
                |i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::replace")?, c.uint(2)?),
                chars(i, c, 3)?
            )
        }
        "7replaceEmmRKS4_" => {
            replacing!(
                |i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::replace")?, c.uint(2)?),
                other(i, c, 3)?
            )
        }
        "14_M_replace_auxEmmmc" | "7replaceEmmmc" => {
            replacing!(|i, c, this| (c.uint(1)?, c.uint(2)?), repeated::<M>(c, 3)?)
        }
        "6insertEmRKS4_" => {
            replacing!(|i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::insert")?, 0), other(i, c, 2)?)
        }
        "6insertEmPKc" => {
            replacing!(|i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::insert")?, 0), chars(i, c, 2)?)
        }
        "6insertEmPKcm" => {
            replacing!(|i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::insert")?, 0), counted(i, c, 2)?)
        }
        "6insertEmmc" => {
            replacing!(|i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::insert")?, 0), repeated::<M>(c, 2)?)
        }
        "6insertEN9__gnu_cxx17__normal_iteratorIPKcS4_EEc" => |i, c| {
            let this = this::<M>(c)?;
            let at = c.uint(1)?.wrapping_sub(this.data(i)?.addr);
            this.replace(i, c, (at, 0), &[c.uint(2)? as u8])?;
            Ok(Value::ptr(this.data(i)?.offset(at as i64)))
        },
        "8_M_eraseEmm" => |i, c| {
            this::<M>(c)?.replace(i, c, (c.uint(1)?, c.uint(2)?), b"")?;
            Ok(Value::void())
        },
        "5eraseEmm" => {
            replacing!(|i, c, this| (this.check(i, c, c.uint(1)?, "basic_string::erase")?, c.uint(2)?), Vec::new())
        }
        "5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EE" => |i, c| {
            let this = this::<M>(c)?;
            let at = c.uint(1)?.wrapping_sub(this.data(i)?.addr);
            this.replace(i, c, (at, 1), b"")?;
            Ok(Value::ptr(this.data(i)?.offset(at as i64)))
        },
        "5clearEv" => |i, c| {
            this::<M>(c)?.set_len(i, 0)?;
            Ok(Value::void())
        },
        "6resizeEmc" | "6resizeEm" => |i, c| {
            let (this, to) = (this::<M>(c)?, c.uint(1)?);
            let len = this.len(i)?;
            if to <= len {
                this.set_len(i, to)?;
            } else {
                let fill = if c.args.len() > 2 { c.uint(2)? as u8 } else { 0 };
                let more = vec![fill; usize::try_from(to - len).unwrap_or(0)];
                this.replace(i, c, (len, 0), &more)?;
            }
            Ok(Value::void())
        },
        "7reserveEm" => |i, c| {
            let (this, wanted) = (this::<M>(c)?, c.uint(1)?);
            let old = this.capacity(i)?;
            if wanted > old {
                let text = this.bytes(i)?;
                let (block, capacity) = Text::create(i, c, wanted, old)?;
                i.memory.write_bytes(block, &text)?;
                this.dispose(i, c)?;
                this.set_data(i, block)?;
                this.set_capacity(i, capacity)?;
                this.set_len(i, text.len() as u64)?;
            }
            Ok(Value::void())
        },
        "4swapERS4_" => |i, c| {
            let (a, b) = (this::<M>(c)?, Text::at(c.ptr(1)?));
            if a.object.addr != b.object.addr {
                let spare = i.memory.allocate(32, 16, AllocKind::Heap(HeapKind::Malloc), Some(c.at))?;
                let kept = Text::at(spare);
                kept.start(i)?;
                take_over(i, c, kept, a)?;
                take_over(i, c, a, b)?;
                take_over(i, c, b, kept)?;
                i.memory.free(spare, HeapKind::Malloc, Some(c.at))?;
            }
            Ok(Value::void())
        },
        _ => return None,
    })
}

/// Members that look: comparison and search.
fn questions<M: Machine>(member: &str) -> Option<Shim<M>> {
    match member {
        // The result is made where the hidden first argument points.
        "6substrEmm" => {
            return Some(|i, c| {
                let text = part(i, c, 1, "basic_string::substr")?;
                make(i, c, &text)
            });
        }
        "7compareERKS4_" => return Some(|i, c| Ok(Value::i32(order(&other(i, c, 0)?, &other(i, c, 1)?)))),
        "7compareEPKc" => return Some(|i, c| Ok(Value::i32(order(&other(i, c, 0)?, &chars(i, c, 1)?)))),
        "7compareEmmRKS4_" => {
            return Some(|i, c| {
                let text = part(i, c, 0, "basic_string::compare")?;
                Ok(Value::i32(order(&text, &other(i, c, 3)?)))
            });
        }
        "7compareEmmPKc" => {
            return Some(|i, c| {
                let text = part(i, c, 0, "basic_string::compare")?;
                Ok(Value::i32(order(&text, &chars(i, c, 3)?)))
            });
        }
        _ => {}
    }
    /// A search with its four ways to say what is looked for: text and number of its characters, text, string,
    /// character.
    macro_rules! search {
        ($kind:expr, $search:expr) => {
            match $kind {
                "EPKcmm" => Some(|i, c| {
                    let (text, set) = (other(i, c, 0)?, i.memory.read_bytes(c.ptr(1)?, c.uint(3)?)?);
                    Ok(Value::i64($search(&text, &set, c.uint(2)?) as i64))
                }),
                "EPKcm" => Some(|i, c| Ok(Value::i64($search(&other(i, c, 0)?, &chars(i, c, 1)?, c.uint(2)?) as i64))),
                "ERKS4_m" => {
                    Some(|i, c| Ok(Value::i64($search(&other(i, c, 0)?, &other(i, c, 1)?, c.uint(2)?) as i64)))
                }
                "Ecm" => Some(|i, c| Ok(Value::i64($search(&other(i, c, 0)?, &[c.uint(1)? as u8], c.uint(2)?) as i64))),
                _ => None,
            }
        };
    }
    let kind = |name: &str| member.strip_prefix(name);
    if let Some(kind) = kind("4find") {
        return search!(kind, |t: &[u8], s: &[u8], at| find_text(t, s, at));
    }
    if let Some(kind) = kind("5rfind") {
        return search!(kind, |t: &[u8], s: &[u8], at| find_text_last(t, s, at));
    }
    if let Some(kind) = kind("13find_first_of") {
        return search!(kind, |t: &[u8], s: &[u8], at| first(t, at, &|b| s.contains(&b)));
    }
    if let Some(kind) = kind("17find_first_not_of") {
        return search!(kind, |t: &[u8], s: &[u8], at| first(t, at, &|b| !s.contains(&b)));
    }
    if let Some(kind) = kind("12find_last_of") {
        return search!(kind, |t: &[u8], s: &[u8], at| last(t, at, &|b| s.contains(&b)));
    }
    if let Some(kind) = kind("16find_last_not_of") {
        return search!(kind, |t: &[u8], s: &[u8], at| last(t, at, &|b| !s.contains(&b)));
    }
    None
}
