//! Memory and strings: `mem…`, `str…`.
//!
//! Results that the standard leaves open are glibc's on x86-64: comparisons return the difference of the bytes.

use crate::forgets::Forgets;
use crate::machine::Machine;
use crate::memory::access::Access;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Pointer, Scalar, Value};

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    blocks(name).or_else(|| copies(name)).or_else(|| searches(name))
}

/// The difference of blocks that may hold undefined bytes behind their first difference. LLVM makes `bcmp` and `memcmp`
/// of `strcmp` with a literal where the other string's array is long enough, so that bytes behind its NUL are compared,
/// too: they must exist, no more.
fn first_difference<M: Machine>(i: &Interp<'_, M>, a: Pointer, b: Pointer, len: u64) -> Res<i32> {
    i.memory.check_access(a, len, 1, Access::Read)?;
    i.memory.check_access(b, len, 1, Access::Read)?;
    for at in 0..len as i64 {
        let found = difference(&i.memory.slice(a.offset(at), 1)?, &i.memory.slice(b.offset(at), 1)?);
        if found != 0 {
            return Ok(found);
        }
    }
    Ok(0)
}

/// `mem…`
fn blocks<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "memcpy" | "__memcpy_chk" => |i, c| {
            memcpy(i, c)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "mempcpy" | "__mempcpy_chk" => |i, c| {
            memcpy(i, c)?;
            Ok(Value::ptr(c.ptr(0)?.offset(c.uint(2)? as i64)))
        },
        "memmove" | "__memmove_chk" => |i, c| {
            i.memory.copy(c.ptr(0)?, c.ptr(1)?, c.uint(2)?)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "bcopy" => |i, c| {
            i.memory.copy(c.ptr(1)?, c.ptr(0)?, c.uint(2)?)?;
            Ok(Value::void())
        },
        "memset" | "__memset_chk" => |i, c| {
            i.memory.fill(c.ptr(0)?, c.leaf(1)?, c.uint(2)?)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "bzero" | "explicit_bzero" => |i, c| {
            i.memory.fill(c.ptr(0)?, Scalar::word(0), c.uint(1)?)?;
            Ok(Value::void())
        },
        "memcmp" | "bcmp" => |i, c| {
            let (a, b, len) = (c.ptr(0)?, c.ptr(1)?, c.uint(2)?);
            match (i.memory.slice(a, len), i.memory.slice(b, len)) {
                (Ok(a), Ok(b)) => Ok(Value::i32(difference(&a, &b))),
                _ => Ok(Value::i32(first_difference(i, a, b, len)?)),
            }
        },
        "memchr" => |i, c| {
            let (start, len) = (c.ptr(0)?, c.uint(2)?);
            // The search may end before `len` bytes: only those up to the first hit need exist.
            let byte = c.uint(1)? as u8;
            let room = i.memory.info(start).map_or(0, |o| (o.base + o.size).saturating_sub(start.addr));
            let found = i.memory.slice(start, len.min(room))?.iter().position(|b| *b == byte);
            if found.is_none() && len > room {
                i.memory.slice(start, len)?;
            }
            Ok(Value::ptr(place(start, found)))
        },
        "memrchr" => |i, c| {
            let byte = c.uint(1)? as u8;
            let found = i.memory.slice(c.ptr(0)?, c.uint(2)?)?.iter().rposition(|b| *b == byte);
            Ok(Value::ptr(place(c.ptr(0)?, found)))
        },
        _ => return None,
    })
}

/// Strings that are copied or joined.
fn copies<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "strcpy" | "__strcpy_chk" => |i, c| {
            copy_string(i, c.ptr(0)?, c.ptr(1)?, u64::MAX)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "stpcpy" | "__stpcpy_chk" => |i, c| {
            let length = copy_string(i, c.ptr(0)?, c.ptr(1)?, u64::MAX)?;
            Ok(Value::ptr(c.ptr(0)?.offset(length as i64)))
        },
        "strncpy" | "__strncpy_chk" => |i, c| {
            let (to, most) = (c.ptr(0)?, c.uint(2)?);
            let text = i.memory.read_cstr_max(c.ptr(1)?, most)?;
            let length = text.len() as u64;
            disjoint(to, most, c.ptr(1)?, length)?;
            i.memory.write_bytes(to, &text)?;
            i.memory.fill(to.offset(length as i64), Scalar::word(0), most - length)?;
            Ok(Value::ptr(to))
        },
        "strcat" | "__strcat_chk" => |i, c| {
            let old = i.memory.read_cstr(c.ptr(0)?)?.len();
            copy_string(i, c.ptr(0)?.offset(old as i64), c.ptr(1)?, u64::MAX)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "strncat" | "__strncat_chk" => |i, c| {
            let old = i.memory.read_cstr(c.ptr(0)?)?.len();
            copy_string(i, c.ptr(0)?.offset(old as i64), c.ptr(1)?, c.uint(2)?)?;
            Ok(Value::ptr(c.ptr(0)?))
        },
        "strdup" | "__strdup" => |i, c| duplicate(i, c, u64::MAX),
        "strndup" | "__strndup" => |i, c| duplicate(i, c, c.uint(1)?),
        _ => return None,
    })
}

/// Strings that are measured, compared, searched.
fn searches<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "strlen" => |i, c| Ok(Value::i64(text(i, c, 0)?.len() as i64)),
        "strnlen" => |i, c| Ok(Value::i64(i.memory.read_cstr_max(c.ptr(0)?, c.uint(1)?)?.len() as i64)),
        "strcmp" | "strcoll" => |i, c| compare(i, c, u64::MAX, |b| b),
        "strncmp" => |i, c| compare(i, c, c.uint(2)?, |b| b),
        "strcasecmp" => |i, c| compare(i, c, u64::MAX, |b| b.to_ascii_lowercase()),
        "strncasecmp" => |i, c| compare(i, c, c.uint(2)?, |b| b.to_ascii_lowercase()),
        "strchr" | "index" => |i, c| {
            let mut bytes = text(i, c, 0)?;
            bytes.push(0);
            let wanted = c.uint(1)? as u8;
            Ok(Value::ptr(place(c.ptr(0)?, bytes.iter().position(|b| *b == wanted))))
        },
        "strchrnul" => |i, c| {
            let bytes = text(i, c, 0)?;
            let wanted = c.uint(1)? as u8;
            let at = bytes.iter().position(|b| *b == wanted).unwrap_or(bytes.len());
            Ok(Value::ptr(place(c.ptr(0)?, Some(at))))
        },
        "strrchr" | "rindex" => |i, c| {
            let mut bytes = text(i, c, 0)?;
            bytes.push(0);
            let wanted = c.uint(1)? as u8;
            Ok(Value::ptr(place(c.ptr(0)?, bytes.iter().rposition(|b| *b == wanted))))
        },
        "strstr" => |i, c| {
            let (bytes, wanted) = (text(i, c, 0)?, text(i, c, 1)?);
            let found = if wanted.is_empty() { Some(0) } else { bytes.windows(wanted.len()).position(|w| w == wanted) };
            Ok(Value::ptr(place(c.ptr(0)?, found)))
        },
        "strspn" => |i, c| {
            let (bytes, set) = (text(i, c, 0)?, text(i, c, 1)?);
            Ok(Value::i64(bytes.iter().take_while(|b| set.contains(b)).count() as i64))
        },
        "strcspn" => |i, c| {
            let (bytes, set) = (text(i, c, 0)?, text(i, c, 1)?);
            Ok(Value::i64(bytes.iter().take_while(|b| !set.contains(b)).count() as i64))
        },
        "strpbrk" => |i, c| {
            let (bytes, set) = (text(i, c, 0)?, text(i, c, 1)?);
            Ok(Value::ptr(place(c.ptr(0)?, bytes.iter().position(|b| set.contains(b)))))
        },
        "strtok" => |i, c| {
            let start = if c.ptr(0)?.is_null() { i.runtime.token } else { c.ptr(0)? };
            let (token, rest) = next_token(i, start, c.ptr(1)?)?;
            i.runtime.token = rest;
            Ok(Value::ptr(token))
        },
        "strtok_r" | "__strtok_r" => |i, c| {
            let saved = c.ptr(2)?;
            let start = if c.ptr(0)?.is_null() { i.memory.load_ptr(saved, 8)?.as_ptr() } else { c.ptr(0)? };
            let (token, rest) = next_token(i, start, c.ptr(1)?)?;
            i.memory.store(saved, crate::value::Leaf::Ptr, Scalar::ptr(rest), 8)?;
            Ok(Value::ptr(token))
        },
        _ => return None,
    })
}

fn text<M: Machine>(interp: &Interp<'_, M>, call: &ShimCall<'_, M::Shadow>, index: usize) -> Res<Vec<u8>> {
    interp.memory.read_cstr(call.ptr(index)?)
}

/// The place of a find, or null.
fn place(start: Pointer, found: Option<usize>) -> Pointer {
    found.map_or(Pointer::NULL, |at| start.offset(at as i64))
}

/// The difference of the first bytes that differ.
fn difference(a: &[u8], b: &[u8]) -> i32 {
    let differing = a.iter().zip(b).find(|(x, y)| x != y);
    differing.map_or(0, |(x, y)| i32::from(*x) - i32::from(*y))
}

fn memcpy<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res {
    let (dst, src, len) = (call.ptr(0)?, call.ptr(1)?, call.uint(2)?);
    if interp.memory.overlaps(dst, src, len) {
        return Err(Fault::ub(UbKind::Overlap, format!("memcpy of {len} bytes between overlapping ranges")));
    }
    interp.memory.copy(dst, src, len)?;
    interp.forget_cells(Forgets::LibraryCopy, dst, len);
    Ok(())
}

/// Strings may not be copied onto themselves.
fn disjoint(to: Pointer, room: u64, from: Pointer, length: u64) -> Res {
    let (to_end, from_end) = (to.addr.saturating_add(room), from.addr.saturating_add(length));
    if to.addr < from_end && from.addr < to_end {
        return Err(Fault::ub(UbKind::Overlap, "a string is copied to a place that overlaps it"));
    }
    Ok(())
}

/// Copies at most `most` characters of a string and a NUL; returns the number of characters.
fn copy_string<M: Machine>(interp: &mut Interp<'_, M>, to: Pointer, from: Pointer, most: u64) -> Res<u64> {
    let mut text = interp.memory.read_cstr_max(from, most)?;
    let length = text.len() as u64;
    text.push(0);
    disjoint(to, length + 1, from, length)?;
    interp.memory.write_bytes(to, &text)?;
    Ok(length)
}

fn duplicate<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    most: u64,
) -> Res<Value<M::Shadow>> {
    let mut text = interp.memory.read_cstr_max(call.ptr(0)?, most)?;
    text.push(0);
    let kind = AllocKind::Heap(HeapKind::Malloc);
    let copy = interp.memory.allocate(text.len() as u64, 16, kind, Some(call.at))?;
    interp.memory.write_bytes(copy, &text)?;
    Ok(Value::ptr(copy))
}

fn compare<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    most: u64,
    fold: fn(u8) -> u8,
) -> Res<Value<M::Shadow>> {
    let string = |index: usize| -> Res<Vec<u8>> {
        let mut bytes = interp.memory.read_cstr_max(call.ptr(index)?, most)?;
        if (bytes.len() as u64) < most {
            bytes.push(0);
        }
        Ok(bytes.into_iter().map(fold).collect())
    };
    Ok(Value::i32(difference(&string(0)?, &string(1)?)))
}

/// The next token and where the search for another one goes on. A null start is the end of the tokens.
fn next_token<M: Machine>(interp: &mut Interp<'_, M>, start: Pointer, delimiters: Pointer) -> Res<(Pointer, Pointer)> {
    if start.is_null() {
        return Ok((Pointer::NULL, Pointer::NULL));
    }
    let (bytes, set) = (interp.memory.read_cstr(start)?, interp.memory.read_cstr(delimiters)?);
    let skipped = bytes.iter().take_while(|b| set.contains(b)).count();
    let length = bytes[skipped..].iter().take_while(|b| !set.contains(b)).count();
    if length == 0 {
        return Ok((Pointer::NULL, start.offset(bytes.len() as i64)));
    }
    let (token, mut end) = (start.offset(skipped as i64), skipped + length);
    if end < bytes.len() {
        interp.memory.write_bytes(start.offset(end as i64), &[0])?;
        end += 1;
    }
    Ok((token, start.offset(end as i64)))
}
