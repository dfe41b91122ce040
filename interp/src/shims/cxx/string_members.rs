//! `std::string`: the members that programs leave to the shared library, but for those that change the content.

use super::search::{find_text, find_text_last, first, last, order};
use super::string::{Text, chars, counted, make, other, part, repeated, take_over, this};
use super::{standard, string_changes, string_parts};
use crate::machine::Machine;
use crate::outcome::{Fault, UbKind};
use crate::shims::state::Shim;
use crate::value::{Leaf, Scalar, Value};

const CLASS: &str = "7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE";

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
        .or_else(|| string_changes::find(member))
        .or_else(|| questions(member))
        .or_else(|| string_parts::find(member))
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
