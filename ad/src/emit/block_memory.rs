//! Shadows of what the threads of a block share.

use crate::base::builder::Builder;
use crate::base::names::{declare, internal};
use crate::program::device;
use crate::runtime::tape;
use ir::{BinOp, FuncId, InstKind, IntPred, Module, Operand};

/// `void @__adj_clear_shared(ptr to, i64 size)`: all threads of a block wait for each other, one clears, and all wait
/// for it. (Before that, others may be in the derivative that came before this one.)
fn clear_shared(m: &mut Module) -> FuncId {
    let (ptr, i32t, i64t, void) = (m.types.ptr(), m.types.int(32), m.types.int(64), m.types.void());
    let f = match internal(m, "__adj_clear_shared", void, &[ptr, i64t]) {
        Ok(f) => f,
        Err(id) => return id,
    };
    let mut b = Builder::new(m, f);
    let (to, size) = (b.f.param(0), b.f.param(1));
    let barrier = device::barrier(b.m);
    b.call(barrier, Vec::new());
    let mut number = b.m.int(32, 0);
    for register in device::NUMBER_IN_BLOCK {
        let part = declare(b.m, register, i32t, &[]);
        if let Some(part) = b.call(part, Vec::new()) {
            number = b.binary(BinOp::Or, number, part);
        }
    }
    let zero = b.m.int(32, 0);
    let is_first = b.icmp(IntPred::Eq, number, zero);
    let [first, all] = ["first", "all"].map(|name| b.f.add_block(name));
    b.cond_br(is_first, first, all);
    b.at = first;
    tape::clear(&mut b, to, size);
    b.br(all);
    b.at = all;
    b.call(barrier, Vec::new());
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}

/// Clears a shadow of shared memory before the threads of a block use it.
pub(super) fn clear(b: &mut Builder, address: Operand, size: Operand) {
    let f = clear_shared(b.m);
    b.call(f, vec![address, size]);
}
