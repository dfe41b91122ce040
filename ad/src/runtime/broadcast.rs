//! An address that one thread of a team has, for all of them.

use crate::base::builder::Builder;
use crate::base::names::internal;
use ir::{FuncId, InstKind, Module};

/// The name of the function.
pub const BROADCAST: &str = "__adj_broadcast";

/// `void @__adj_broadcast(ptr at, i32 did)`: puts what the thread that `did` has at its address to the addresses of all
/// others; all threads of the team call it, and wait for each other. It is made of two functions of the runtime: which
/// thread it is, and the copies (`__kmpc_copyprivate`).
pub(crate) fn broadcast(m: &mut Module, [thread, copies]: [FuncId; 2]) -> FuncId {
    let (ptr, i32t, void) = (m.types.ptr(), m.types.int(32), m.types.void());
    let f = match internal(m, BROADCAST, void, &[ptr, i32t]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let copy = copy(m);
    let copy = m.function_address(copy);
    let mut b = Builder::new(m, f);
    let (at, did, null, size) = (b.f.param(0), b.f.param(1), b.m.zero(ptr), b.m.int(64, 8));
    if let Some(thread) = b.call(thread, vec![null]) {
        b.call(copies, vec![null, thread, size, at, copy, did]);
    }
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// `void (ptr to, ptr from)`: copies an address.
fn copy(m: &mut Module) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match internal(m, "__adj_broadcast_copy", void, &[ptr, ptr]) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    let (to, from) = (b.f.param(0), b.f.param(1));
    let address = b.load(ptr, from, 8);
    b.store(address, to, 8);
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
