//! `<future>`: what its headers leave to libstdc++. Nearly all of `std::promise`, `std::future`, `std::packaged_task`
//! and `std::async` is in the program's IR; here are the base of results, the wait for a word (`bits/atomic_futex.h`),
//! and `std::future_error` with its category.
//!
//! A result is `{ vtable, exception }`; a `std::future_error` is a `std::logic_error` followed by its
//! `std::error_code`, `{ number, category }` (C++17 [futures.errors]). The slots of a category behind its destructors
//! are `name`, `_M_message`, `message`, `default_error_condition` and twice `equivalent` (`<system_error>`).

use super::standard::{self, FUTURE};
use super::string;
use crate::machine::Machine;
use crate::memory::{AllocKind, HeapKind};
use crate::outcome::Res;
use crate::shim_call::ShimCall;
use crate::shims::pthread::{get, is_late};
use crate::shims::state::{Interp, Shim};
use crate::shims::time::START;
use crate::threads::{Awaited, Progress, State};
use crate::unwind::exception_ptr;
use crate::value::{Leaf, Pointer, Scalar, Value};
use ir::{Function, Module};

const CATEGORY: &str = "_ZSt15future_categoryv";
const THROW: &str = "_ZSt20__throw_future_errori";
/// What a category answers, by its slot in the vtable.
const ANSWERS: [(i64, &str); 5] = [
    (2, "_ZNKSt3_V214error_category4nameEv"),
    (4, "_ZNKSt3_V214error_category7messageB5cxx11Ei"),
    (5, "_ZNKSt3_V214error_category23default_error_conditionEi"),
    (6, "_ZNKSt3_V214error_category10equivalentEiRKSt15error_condition"),
    (7, "_ZNKSt3_V214error_category10equivalentERKSt10error_codei"),
];

/// Does a function have to do with `std::future_error`?
pub fn is_concerned(name: &str) -> bool {
    name == CATEGORY || name == THROW
}

/// Declares the functions that the category's vtable holds.
pub fn declare(module: &mut Module) {
    if !module.functions.values().any(|f| is_concerned(&f.name)) {
        return;
    }
    let types = &mut module.types;
    let (ptr, void, int, truth) = (types.ptr(), types.void(), types.int(32), types.int(1));
    let condition = types.tuple(vec![int, ptr]);
    let signatures = [
        (ptr, vec![ptr]),
        (void, vec![ptr, ptr, int]),
        (condition, vec![ptr, int]),
        (truth, vec![ptr, int, ptr]),
        (truth, vec![ptr, ptr, int]),
    ];
    for ((_, name), (ret, params)) in ANSWERS.iter().zip(signatures) {
        if module.function(name).is_none() {
            module.functions.push(Function::new(name, ret, &params));
        }
    }
}

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "_ZNSt13__future_base12_Result_baseC2Ev" | "_ZNSt13__future_base12_Result_baseC1Ev" => |i, c| {
            // The class derived from it sets the vtable.
            i.memory.store(c.ptr(0)?.offset(8), Leaf::Ptr, Scalar::ptr(Pointer::NULL), 8)?;
            Ok(Value::void())
        },
        "_ZNSt13__future_base12_Result_baseD2Ev" | "_ZNSt13__future_base12_Result_baseD1Ev" => |i, c| {
            let exception = c.ptr(0)?.offset(8);
            if !i.memory.load_ptr(exception, 8)?.as_ptr().is_null() {
                exception_ptr::drop_pointer(i, c, exception)?;
            }
            Ok(Value::void())
        },
        "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"
        | "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE" => {
            wait
        }
        "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj" => |i, c| {
            for thread in i.threads.waiting(Awaited::Object(c.ptr(0)?.addr)) {
                i.threads.set_state(thread, State::Ready);
            }
            i.threads.synchronised();
            Ok(Value::void())
        },
        CATEGORY => |i, _| category(i).map(Value::ptr),
        THROW => |i, c| {
            let number = c.uint(0)?;
            let object = i.memory.allocate(32, 16, AllocKind::Heap(HeapKind::Malloc), Some(c.at))?;
            let category = category(i)?;
            i.memory.store(object.offset(16), Leaf::Int(32), Scalar::word(number), 4)?;
            i.memory.store(object.offset(24), Leaf::Ptr, Scalar::ptr(category), 8)?;
            let text = format!("std::future_error: {}", message(number));
            standard::throw_built(i, c, (object, FUTURE), text.as_bytes())
        },
        "_ZNKSt3_V214error_category4nameEv" => |i, _| text(i, "future").map(Value::ptr),
        "_ZNKSt3_V214error_category7messageB5cxx11Ei" => {
            |i, c| string::make(i, c, message(u64::from(c.uint(2)? as u32)).as_bytes())
        }
        _ => return None,
    })
}

/// What an error of a future means (`std::future_errc`), in libstdc++'s words.
fn message(number: u64) -> &'static str {
    match number {
        1 => "Future already retrieved",
        2 => "Promise already satisfied",
        3 => "No associated state",
        4 => "Broken promise",
        _ => "Unknown error",
    }
}

/// A constant text, made when first asked for.
fn text<M: Machine>(interp: &mut Interp<'_, M>, text: &str) -> Res<Pointer> {
    if let Some(made) = interp.exceptions.common.tables.get(text) {
        return Ok(*made);
    }
    let made = interp.memory.allocate(text.len() as u64 + 1, 1, AllocKind::Runtime, None)?;
    interp.memory.write_bytes(made, text.as_bytes())?;
    interp.memory.write_bytes(made.offset(text.len() as i64), &[0])?;
    interp.memory.freeze_object(made);
    interp.exceptions.common.tables.insert(text.to_owned(), made);
    Ok(made)
}

/// The category of errors of futures: an object that is only its vtable.
fn category<M: Machine>(interp: &mut Interp<'_, M>) -> Res<Pointer> {
    if let Some(made) = interp.exceptions.common.tables.get(CATEGORY) {
        return Ok(*made);
    }
    let program = interp.program;
    let table = interp.memory.allocate(64, 8, AllocKind::Runtime, None)?;
    for (slot, name) in ANSWERS {
        let function = program.function(name).map_or(Pointer::NULL, |id| program.functions[id]);
        interp.memory.store(table.offset(8 * slot), Leaf::Ptr, Scalar::ptr(function), 8)?;
    }
    let object = interp.memory.allocate(8, 8, AllocKind::Runtime, None)?;
    interp.memory.store(object, Leaf::Ptr, Scalar::ptr(table), 8)?;
    interp.exceptions.common.tables.insert(CATEGORY.to_owned(), object);
    Ok(object)
}

/// `_M_futex_wait_until(word, value, has_time, seconds, nanoseconds)`: false if the time is over and the word still has
/// the value. As with `futex(2)`, what orders is the program's own operation on the word.
fn wait<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let (word, value, timed) = (call.ptr(1)?, call.uint(2)? as u32, call.uint(3)? & 1 != 0);
    let answer = |changed: bool| Ok(Value::i32(i32::from(changed)));
    let until = match interp.progress().take() {
        Some(Progress::Futex) => return answer(true),
        Some(Progress::FutexUntil(until)) if is_late(interp, Some(until)) => {
            return answer(get(interp, word, 0)? as u32 != value);
        }
        Some(Progress::FutexUntil(_)) => return answer(true),
        _ if timed => {
            let (seconds, part) = (call.uint(4)?, call.uint(5)?);
            Some(seconds.saturating_sub(START).saturating_mul(1_000_000_000).saturating_add(part))
        }
        _ => None,
    };
    if get(interp, word, 0)? as u32 != value {
        return answer(true);
    }
    interp.go_parallel()?;
    *interp.progress() = Some(until.map_or(Progress::Futex, Progress::FutexUntil));
    Err(interp.wait(Awaited::Object(word.addr), "a future to be ready", until))
}
