//! What only the first of all threads is to execute, and the others wait for: `pthread_once`, `call_once` of C and of
//! C++.
//!
//! | before | after |
//! |---|---|
//! | `pthread_once(&flag, f)` | whoever finds the flag clear sets it, calls `f` and sets it to 2; others wait for 2 |
//!
//! (2 is what glibc leaves there, `nptl/pthread_onceP.h`.) These accesses are atomic, and so of sections of the flag
//! whose order is known ([`crate::normalise::atomics`]).
//!
//! `std::call_once` of libstdc++ gives the library a function that calls what is in a variable of the thread. Here,
//! that is called.

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::declare;
use crate::program::threads::{ONCE_CALL, ONCE_PROXY};
use ir::{Atomic, BlockId, Function, InstId, InstKind, IntPred, Module, Operand, Ordering, TypeId};

/// Functions that get a flag and what is to be called once.
const ONCE: [&str; 2] = ["pthread_once", "call_once"];
/// What stands before the first of them in the headers of libstdc++ (`gthr-posix.h`).
const IN_HEADERS: &str = "_ZL14__gthread_oncePiPFvvE";

/// What the flag holds when all has been done.
const DONE: u128 = 2;

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, func: &mut Function) {
    let mut work: Vec<BlockId> = func.layout.clone();
    while let Some(block) = work.pop() {
        let insts = &func.blocks[block].insts;
        let found = insts.iter().enumerate().find_map(|(at, inst)| Some((at, called(m, func, *inst)?)));
        if let Some((at, (flag, body))) = found {
            let inst = func.blocks[block].insts[at];
            work.push(Once { m: &mut *m, func: &mut *func, like: inst }.write_out((block, at), flag, body));
        }
    }
}

/// Where the function, as it is in the program, first has something called once.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    func.inst_order().map(|(_, inst)| inst).find(|inst| called(m, func, *inst).is_some())
}

/// The flag, and the function that is to be called once.
fn called(m: &Module, func: &Function, inst: InstId) -> Option<(Operand, Operand)> {
    let call = func.insts[inst].kind.as_call()?;
    let callee = &m.functions[m.as_function(call.callee)?];
    let [flag, body] = call.args[..] else { return None };
    // A program may have a function of its own under that name.
    let once = callee.is_declaration() && ONCE.contains(&callee.name.as_str()) || callee.name == IN_HEADERS;
    (once && m.as_function(body).is_some()).then_some((flag, body))
}

struct Once<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    /// The call.
    like: InstId,
}

impl Once<'_> {
    fn push(&mut self, block: BlockId, kind: InstKind, ty: TypeId) -> Option<Operand> {
        let id = blocks::like(self.m, self.func, self.like, kind, ty);
        self.func.blocks[block].insts.push(id);
        self.func.insts[id].result.map(Operand::Local)
    }

    /// Puts what a call of `body` does in the place of the instruction; gives the block behind it.
    fn write_out(&mut self, (block, at): (BlockId, usize), flag: Operand, body: Operand) -> BlockId {
        let (void, ptr) = (self.m.types.void(), self.m.types.ptr());
        let (i1, i32t) = (self.m.types.int(1), self.m.types.int(32));
        let rest = blocks::split(self.func, block, at + 1, "once.done");
        self.func.blocks[block].insts.pop();
        let [look, set, run, other] = ["look", "set", "run", "other"].map(|n| self.func.add_block(n));
        self.push(block, InstKind::Br(look), void);
        let atomic = |ordering| Some(Atomic { ordering, scope: String::new() });
        let load = InstKind::Load { ptr: flag, align: 4, volatile: false, atomic: atomic(Ordering::Acquire) };
        let [zero, one, done] = [0, 1, DONE].map(|n| self.m.int(32, n));
        let none = self.m.int(1, 0);
        let shown = self.push(look, load, i32t).unwrap_or(zero);
        let over = self.push(look, InstKind::ICmp { pred: IntPred::Eq, lhs: shown, rhs: done }, i1).unwrap_or(none);
        self.push(look, InstKind::CondBr { cond: over, then_to: rest, else_to: set }, void);
        let pair = self.m.types.tuple(vec![i32t, i1]);
        let exchange = InstKind::CmpXchg {
            ptr: flag,
            expected: zero,
            new: one,
            align: 4,
            weak: false,
            volatile: false,
            success: Ordering::AcqRel,
            failure: Ordering::Acquire,
            scope: String::new(),
        };
        let found = self.push(set, exchange, pair).unwrap_or(zero);
        let ours = InstKind::ExtractValue { aggregate: found, indices: vec![1] };
        let ours = self.push(set, ours, i1).unwrap_or(none);
        self.push(set, InstKind::CondBr { cond: ours, then_to: run, else_to: other }, void);
        let mut body = body;
        let proxy = self.m.as_function(body).is_some_and(|f| self.m.functions[f].name == ONCE_PROXY);
        if let Some(left) = self.m.global(ONCE_CALL).filter(|_| proxy) {
            let left = self.m.global_address(left);
            let load = InstKind::Load { ptr: left, align: 8, volatile: false, atomic: None };
            body = self.push(run, load, ptr).unwrap_or(body);
        }
        let fn_ty = self.m.types.func(void, Vec::new());
        let call = plain_call(body, fn_ty, Vec::new(), String::new());
        self.push(run, InstKind::Call(Box::new(call)), void);
        let atomic = atomic(Ordering::Release);
        self.push(run, InstKind::Store { value: done, ptr: flag, align: 4, volatile: false, atomic }, void);
        self.push(run, InstKind::Br(rest), void);
        let give_way = declare(self.m, "sched_yield", i32t, &[]);
        let fn_ty = self.m.types.func(i32t, Vec::new());
        let call = plain_call(self.m.function_address(give_way), fn_ty, Vec::new(), String::new());
        self.push(other, InstKind::Call(Box::new(call)), i32t);
        self.push(other, InstKind::Br(look), void);
        // It says that all went well.
        if let Some(result) = self.func.insts[self.like].result {
            blocks::replace_uses(self.func, result, zero);
        }
        rest
    }
}
