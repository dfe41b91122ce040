//! `std::string`: members that change the content.

use super::search::NOWHERE;
use super::string::{Text, chars, counted, itself, other, part, repeated, take_over, this};
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, UbKind};
use crate::shims::state::Shim;
use crate::value::Value;

/// The shims of this file by the name of the member.
pub fn find<M: Machine>(member: &str) -> Option<Shim<M>> {
    appending(member).or_else(|| assigning(member)).or_else(|| replacing(member)).or_else(|| resizing(member))
}

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

/// Members that add to the end, or take from it.
fn appending<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
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
        _ => return None,
    })
}

/// Members that replace the whole content.
fn assigning<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
        "9_M_assignERKS4_" | "6assignERKS4_" | "aSERKS4_" => replacing!(|i, c, this| (0, NOWHERE), other(i, c, 1)?),
        "6assignEPKc" | "aSEPKc" => replacing!(|i, c, this| (0, NOWHERE), chars(i, c, 1)?),
        "6assignEPKcm" => replacing!(|i, c, this| (0, NOWHERE), counted(i, c, 1)?),
        "6assignERKS4_mm" => replacing!(|i, c, this| (0, NOWHERE), part(i, c, 1, "basic_string::assign")?),
        "6assignEmc" => replacing!(|i, c, this| (0, NOWHERE), repeated::<M>(c, 1)?),
        "aSEc" => replacing!(|i, c, this| (0, NOWHERE), vec![c.uint(1)? as u8]),
        "aSEOS4_" | "6assignEOS4_" => |i, c| {
            let (to, from) = (this::<M>(c)?, Text::at(c.ptr(1)?));
            if !to.is(from) {
                take_over(i, c, to, from)?;
            }
            itself::<M>(c)
        },
        "4swapERS4_" => |i, c| {
            let (a, b) = (this::<M>(c)?, Text::at(c.ptr(1)?));
            if !a.is(b) {
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

/// Members that replace a part.
fn replacing<M: Machine>(member: &str) -> Option<Shim<M>> {
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
        _ => return None,
    })
}

/// Members that change length and capacity.
fn resizing<M: Machine>(member: &str) -> Option<Shim<M>> {
    Some(match member {
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
        _ => return None,
    })
}
