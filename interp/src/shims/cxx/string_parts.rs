//! Members of `std::string` that take parts of other strings, iterators or lists, give views, or fit the block to the
//! text.
//!
//! The names are those that `basic_string.h` leaves to the shared library in C++17.

use super::search::order;
use super::string::{Text, counted, itself, make, other, part, this};
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::shims::state::Shim;
use crate::value::{Leaf, Pointer, Scalar, Value};

/// The member of `std::string` of that mangled name.
pub fn find<M: Machine>(member: &str) -> Option<Shim<M>> {
    let whole = member;
    let member = member.strip_prefix("C1").or_else(|| member.strip_prefix("C2")).unwrap_or(member);
    Some(match member {
        // `std::allocator<char>` has no state, so that a copy of it is nothing.
        "13get_allocatorEv" => |_, _| Ok(Value::void()),
        "16_M_get_allocatorEv" => |_, c| itself::<M>(c),
        // A view is a length and a pointer.
        "cvSt17basic_string_viewIcS2_EEv" => |i, c| {
            let text = this::<M>(c)?;
            let (data, len) = (text.data(i)?, text.len(i)?);
            let leaves = [(Scalar::word(len), M::Shadow::default()), (Scalar::ptr(data), M::Shadow::default())];
            Ok(Value { leaves: leaves.into_iter().collect() })
        },
        // The same view, by way of a wrapper that constructors take.
        "17_S_to_string_viewESt17basic_string_viewIcS2_E" => |_, c| {
            let leaves = [(c.leaf(0)?, M::Shadow::default()), (c.leaf(1)?, M::Shadow::default())];
            Ok(Value { leaves: leaves.into_iter().collect() })
        },
        "12__sv_wrapperC1ESt17basic_string_viewIcS2_E" | "12__sv_wrapperC2ESt17basic_string_viewIcS2_E" => |i, c| {
            i.memory.store(c.ptr(0)?, Leaf::Int(64), c.leaf(1)?, 8)?;
            i.memory.store(c.ptr(0)?.offset(8), Leaf::Ptr, c.leaf(2)?, 8)?;
            Ok(Value::void())
        },
        "ENS4_12__sv_wrapperERKS3_" if whole != member => |i, c| {
            let text = i.memory.read_bytes(c.ptr(2)?, c.uint(1)?)?;
            make(i, c, &text)
        },
        "ERKS4_mRKS3_" if whole != member => |i, c| {
            let bytes = other(i, c, 1)?;
            let at = Text::at(c.ptr(1)?).check(i, c, c.uint(2)?, "basic_string::basic_string")? as usize;
            make(i, c, &bytes[at..])
        },
        "ERKS4_mmRKS3_" if whole != member => |i, c| {
            let text = part(i, c, 1, "basic_string::basic_string")?;
            make(i, c, &text)
        },
        "ESt16initializer_listIcERKS3_" if whole != member => |i, c| {
            let text = counted(i, c, 1)?;
            make(i, c, &text)
        },
        "6insertEmRKS4_mm" => |i, c| {
            let to = this::<M>(c)?;
            let at = to.check(i, c, c.uint(1)?, "basic_string::insert")?;
            let text = part(i, c, 2, "basic_string::insert")?;
            to.replace(i, c, (at, 0), &text)?;
            itself::<M>(c)
        },
        "7replaceEmmRKS4_mm" => |i, c| {
            let to = this::<M>(c)?;
            let at = to.check(i, c, c.uint(1)?, "basic_string::replace")?;
            let text = part(i, c, 3, "basic_string::replace")?;
            to.replace(i, c, (at, c.uint(2)?), &text)?;
            itself::<M>(c)
        },
        "7compareEmmPKcm" => |i, c| {
            let text = part(i, c, 0, "basic_string::compare")?;
            Ok(Value::i32(order(&text, &counted(i, c, 3)?)))
        },
        "7compareEmmRKS4_mm" => |i, c| {
            let text = part(i, c, 0, "basic_string::compare")?;
            let with = part(i, c, 3, "basic_string::compare")?;
            Ok(Value::i32(order(&text, &with)))
        },
        "5eraseEN9__gnu_cxx17__normal_iteratorIPKcS4_EES9_" => |i, c| {
            let from = this::<M>(c)?;
            let at = c.uint(1)?.wrapping_sub(from.data(i)?.addr);
            from.replace(i, c, (at, c.uint(2)?.wrapping_sub(c.uint(1)?)), b"")?;
            Ok(Value::ptr(from.data(i)?.offset(at as i64)))
        },
        "13shrink_to_fitEv" | "7reserveEv" => |i, c| {
            let text = this::<M>(c)?;
            let (data, len, local) = (text.data(i)?, text.len(i)?, text.local());
            if data.addr == local.addr || len == text.capacity(i)? {
                return Ok(Value::void());
            }
            let fits = len <= super::string::LOCAL;
            let to: Pointer = match fits {
                true => local,
                false => i.memory.allocate(len + 1, 16, AllocKind::Heap(HeapKind::New), Some(c.at))?,
            };
            i.memory.copy(to, data, len + 1)?;
            text.dispose(i, c)?;
            text.set_data(i, to)?;
            if !fits {
                text.set_capacity(i, len)?;
            }
            Ok(Value::void())
        },
        _ => return None,
    })
}
