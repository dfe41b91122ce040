//! Threads of POSIX, of C and of C++, executed where they are made.
//!
//! A thread that waits for nothing that its maker does after making it may run to its end before the maker goes on:
//! that is one of the orders in which the two can be executed. It is the order in which a derivative executes threads,
//! in both passes. (What waits for other threads is refused: [`crate::analysis::parallel`].)
//!
//! | before | after |
//! |---|---|
//! | `pthread_create(&t, …, f, arg)` | `t = f(arg)`, as a pointer in the place of the thread's number |
//! | `pthread_join(t, &result)` | `result = t` |
//! | `thrd_create(&t, f, arg)` | `t = f(arg)`, as a number in the place of the thread's |
//! | `thrd_join(t, &result)` | `result = t`, if it is wanted |
//! | `std::thread::_M_start_thread(&t, &state, …)` | `state->_M_run()`, `state` is deleted, `t` has a number |
//! | `std::thread::join()` | `t` has none |

use crate::base::builder::plain_call;
use crate::base::names::called_outside;
use ir::{CastOp, ConstKind, FastMath, Function, Inst, InstId, InstKind, Module, Operand, TypeId};

const CREATE: &str = "pthread_create";
const JOIN: &str = "pthread_join";
const C_CREATE: &str = "thrd_create";
const C_JOIN: &str = "thrd_join";
const START: &str = "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE";
const CXX_JOIN: &str = "_ZNSt6thread4joinEv";

/// Where the table of `std::thread::_State` has what deletes one, and what runs one.
const DELETE: u64 = 8;
const RUN: u64 = 16;

/// Does the function, as it is in the program, make threads?
pub fn makes(m: &Module, func: &Function) -> bool {
    func.inst_order()
        .any(|(_, inst)| name_of(m, func, inst).is_some_and(|name| [CREATE, C_CREATE, START].contains(&name)))
}

/// Where the function, as it is in the program, first makes or awaits a thread.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    let known = |name: &str| [CREATE, JOIN, C_CREATE, C_JOIN, START, CXX_JOIN].contains(&name);
    func.inst_order().map(|(_, inst)| inst).find(|inst| name_of(m, func, *inst).is_some_and(known))
}

/// The name of a function without a body that the instruction calls.
fn name_of<'m>(m: &'m Module, func: &Function, inst: InstId) -> Option<&'m str> {
    called_outside(m, &func.insts[inst]).map(|callee| callee.name.as_str())
}

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let name = name_of(m, func, inst).map(str::to_owned);
            let args = func.insts[inst].kind.as_call().map(|call| call.args.clone()).unwrap_or_default();
            let mut lowering = Lowering { m, func, like: inst, out: &mut out };
            match (name.as_deref(), args.as_slice()) {
                (Some(CREATE), [thread, _, body, arg]) => lowering.create(*thread, *body, *arg),
                (Some(JOIN), [thread, result]) => lowering.join(*thread, *result),
                (Some(C_CREATE), [thread, body, arg]) => lowering.create_c(*thread, *body, *arg),
                (Some(C_JOIN), [thread, result]) => lowering.join_c(*thread, *result),
                (Some(START), [thread, state, _]) => lowering.start(*thread, *state),
                (Some(CXX_JOIN), [thread]) => lowering.number(*thread, 0),
                _ => {
                    lowering.out.push(inst);
                    continue;
                }
            }
            // They say that all went well.
            if let Some(v) = func.insts[inst].result {
                let none = m.zero(func.insts[inst].ty);
                for data in func.insts.values_mut() {
                    data.kind.for_each_operand_mut(|o| {
                        if *o == Operand::Local(v) {
                            *o = none;
                        }
                    });
                }
            }
        }
        func.blocks[block].insts = out;
    }
}

struct Lowering<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    /// The call.
    like: InstId,
    out: &'a mut Vec<InstId>,
}

impl Lowering<'_> {
    fn push(&mut self, kind: InstKind, ty: TypeId) -> Option<Operand> {
        let mut inst = Inst::new(kind, ty);
        inst.loc = self.func.insts[self.like].loc;
        let named = ty != self.m.types.void();
        let id = self.func.create_inst(inst, named);
        self.out.push(id);
        self.func.insts[id].result.map(Operand::Local)
    }

    fn call(&mut self, callee: Operand, ret: TypeId, args: Vec<Operand>) -> Option<Operand> {
        let params = args.iter().map(|arg| self.m.operand_ty(self.func, *arg)).collect();
        let fn_ty = self.m.types.func(ret, params);
        self.push(InstKind::Call(Box::new(plain_call(callee, fn_ty, args, String::new()))), ret)
    }

    fn store(&mut self, value: Operand, ptr: Operand) {
        let void = self.m.types.void();
        self.push(InstKind::Store { value, ptr, align: 8, volatile: false, atomic: None }, void);
    }

    fn load(&mut self, ptr: Operand, offset: u64) -> Option<Operand> {
        let (pointer, i8t) = (self.m.types.ptr(), self.m.types.int(8));
        let index = self.m.int(64, u128::from(offset));
        let gep = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: ptr, indices: vec![index] };
        let at = if offset == 0 { ptr } else { self.push(gep, pointer)? };
        self.push(InstKind::Load { ptr: at, align: 8, volatile: false, atomic: None }, pointer)
    }

    /// The library tells by a variable that there are several threads (glibc, `sys/single_threaded.h`).
    fn tell(&mut self) {
        let Some(alone) = self.m.global("__libc_single_threaded") else { return };
        let (void, no, ptr) = (self.m.types.void(), self.m.int(8, 0), self.m.global_address(alone));
        self.push(InstKind::Store { value: no, ptr, align: 1, volatile: false, atomic: None }, void);
    }

    fn create(&mut self, thread: Operand, body: Operand, arg: Operand) {
        let ptr = self.m.types.ptr();
        self.tell();
        if let Some(result) = self.call(body, ptr, vec![arg]) {
            self.store(result, thread);
        }
    }

    fn join(&mut self, thread: Operand, result: Operand) {
        if self.is_wanted(result) {
            self.store(thread, result);
        }
    }

    fn create_c(&mut self, thread: Operand, body: Operand, arg: Operand) {
        let (i32t, i64t) = (self.m.types.int(32), self.m.types.int(64));
        self.tell();
        let Some(value) = self.call(body, i32t, vec![arg]) else { return };
        if let Some(result) = self.cast(CastOp::ZExt, value, i64t) {
            self.store(result, thread);
        }
    }

    fn join_c(&mut self, thread: Operand, result: Operand) {
        let (i32t, void) = (self.m.types.int(32), self.m.types.void());
        if !self.is_wanted(result) {
            return;
        }
        if let Some(value) = self.cast(CastOp::Trunc, thread, i32t) {
            let kind = InstKind::Store { value, ptr: result, align: 4, volatile: false, atomic: None };
            self.push(kind, void);
        }
    }

    fn is_wanted(&self, result: Operand) -> bool {
        self.m.as_constant(result).is_none_or(|c| !matches!(c.kind, ConstKind::Null))
    }

    fn cast(&mut self, op: CastOp, value: Operand, to: TypeId) -> Option<Operand> {
        self.push(InstKind::Cast { op, flags: Default::default(), fast: FastMath::default(), value }, to)
    }

    fn start(&mut self, thread: Operand, state: Operand) {
        let (ptr, void) = (self.m.types.ptr(), self.m.types.void());
        let null = self.m.zero(ptr);
        self.tell();
        let Some(object) = self.load(state, 0) else { return };
        self.store(null, state);
        for entry in [RUN, DELETE] {
            let table = self.load(object, 0);
            if let Some(function) = table.and_then(|table| self.load(table, entry)) {
                self.call(function, void, vec![object]);
            }
        }
        self.number(thread, 1);
    }

    fn number(&mut self, thread: Operand, number: u128) {
        let number = self.m.int(64, number);
        self.store(number, thread);
    }
}
