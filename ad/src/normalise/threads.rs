//! Threads of POSIX, of C and of C++ in the form that the analyses read.
//!
//! Who makes a thread calls a function of its own, `spawn(…)`, which does nothing else, and who awaits it calls
//! `await(t)`. For the analyses, `spawn` calls what the thread executes, and `await` gives back what it is given: that
//! is one of the orders in which the two can be executed, and what each of them writes is seen by the other only behind
//! calls that order them, which count as writes to everything. (A program in which that is otherwise has a data race;
//! C11, 5.1.2.4.) The reverse mode makes threads of both ([`crate::reverse::threads`]). In forward mode a thread is
//! executed where it is made. (What waits for other threads is refused there: [`crate::analysis::parallel`].)
//!
//! | before | after |
//! |---|---|
//! | `pthread_create(&t, …, f, arg)` | `t = spawn(arg)`: what `f` returns, in the place of the thread's number |
//! | `pthread_join(t, &result)` | `result = await(t)` |
//! | `thrd_create(&t, f, arg)` | `t = spawn(arg)`, a number in the place of the thread's |
//! | `thrd_join(t, &result)` | `result = await(t)`, if it is wanted |
//! | `std::thread::_M_start_thread(&t, &state, …)` | `t = spawn(state)`: runs and deletes it |
//! | `std::thread::join()` | `await(t)`, `t` has none |

use crate::base::blocks;
use crate::base::builder::{Builder, plain_call};
use crate::base::names::called_outside;
use crate::normalise::fork::is_fork;
use crate::normalise::locks::saying;
use crate::program::openmp::{LEAVING, hands_over};
use crate::program::threads::{AWAITS, C_CREATE, C_JOIN, CREATE, CXX_JOIN, JOIN, MAKE, NUMBER, SPAWNS, START};
use ir::{
    Attr, AttrValue, CastOp, ConstKind, FastMath, FuncId, Function, Global, InstId, InstKind, MdId, Module, Operand,
    TypeId,
};

/// Where the table of `std::thread::_State` has what deletes one, and what runs one.
const DELETE: u64 = 8;
const RUN: u64 = 16;

/// Does the function, as it is in the program, make threads?
pub fn makes(m: &Module, func: &Function) -> bool {
    func.inst_order().any(|(_, inst)| name_of(m, func, inst).is_some_and(|name| MAKE.contains(&name)))
}

/// Where the function, as it is in the program, first makes or awaits a thread.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    let known = |name: &str| [CREATE, JOIN, C_CREATE, C_JOIN, START, CXX_JOIN].contains(&name);
    func.inst_order().map(|(_, inst)| inst).find(|inst| name_of(m, func, *inst).is_some_and(known))
}

/// Does the function nothing but to make a thread?
pub fn is_spawn(func: &Function) -> bool {
    func.attrs.has(SPAWNS)
}

/// May somebody else go on beside who calls the function: does it fork a team, make a thread, or hand a task over?
pub fn is_parallel(func: &Function) -> bool {
    is_fork(func) || is_spawn(func) || hands_over(func)
}

/// Does the function nothing but to await a thread?
pub fn is_await(func: &Function) -> bool {
    func.attrs.has(AWAITS)
}

/// The name of a function without a body that the instruction calls.
fn name_of<'m>(m: &'m Module, func: &Function, inst: InstId) -> Option<&'m str> {
    called_outside(m, &func.insts[inst]).map(|callee| callee.name.as_str())
}

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, func: &mut Function) {
    lower_among(m, func, |_| true);
}

/// Replaces the calls that have turned out to await threads: `std::call_once` is given `&std::thread::join`.
pub fn lower_awaited(m: &mut Module, func: &mut Function) {
    lower_among(m, func, |name| name == CXX_JOIN);
}

fn lower_among(m: &mut Module, func: &mut Function, wanted: impl Fn(&str) -> bool) {
    let mut made = 0;
    for block in func.layout.clone() {
        let mut out = Vec::new();
        for inst in func.blocks[block].insts.clone() {
            let name = name_of(m, func, inst).filter(|name| wanted(name)).map(str::to_owned);
            let args = func.insts[inst].kind.as_call().map(|call| call.args.clone()).unwrap_or_default();
            let mut lowering = Lowering { m, func, like: inst, out: &mut out, made: &mut made };
            match (name.as_deref(), args.as_slice()) {
                (Some(CREATE), [thread, _, body, arg]) => lowering.create(*thread, *body, *arg),
                (Some(JOIN), [thread, result]) => lowering.join(*thread, *result),
                (Some(C_CREATE), [thread, body, arg]) => lowering.create_c(*thread, *body, *arg),
                (Some(C_JOIN), [thread, result]) => lowering.join_c(*thread, *result),
                (Some(START), [thread, state, _]) => lowering.start(*thread, *state),
                (Some(CXX_JOIN), [thread]) => lowering.join_cxx(*thread),
                _ => {
                    lowering.out.push(inst);
                    continue;
                }
            }
            // They say that all went well.
            if let Some(v) = func.insts[inst].result {
                let none = m.zero(func.insts[inst].ty);
                blocks::replace_uses(func, v, none);
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
    /// How many threads the function makes before.
    made: &'a mut usize,
}

impl Lowering<'_> {
    fn push(&mut self, kind: InstKind, ty: TypeId) -> Option<Operand> {
        let id = blocks::like(self.m, self.func, self.like, kind, ty);
        self.out.push(id);
        self.func.insts[id].result.map(Operand::Local)
    }

    fn call(&mut self, callee: FuncId, args: Vec<Operand>) -> Option<Operand> {
        let (ret, params) =
            (self.m.functions[callee].ret, self.m.functions[callee].params.iter().map(|p| p.ty).collect());
        let fn_ty = self.m.types.func(ret, params);
        let callee = self.m.function_address(callee);
        self.push(InstKind::Call(Box::new(plain_call(callee, fn_ty, args, String::new()))), ret)
    }

    fn store(&mut self, value: Operand, ptr: Operand) {
        let void = self.m.types.void();
        self.push(InstKind::Store { value, ptr, align: 8, volatile: false, atomic: None }, void);
    }

    /// The library tells by a variable that there are several threads (glibc, `sys/single_threaded.h`).
    fn tell(&mut self) {
        let Some(alone) = self.m.global("__libc_single_threaded") else { return };
        let (void, no, ptr) = (self.m.types.void(), self.m.int(8, 0), self.m.global_address(alone));
        self.push(InstKind::Store { value: no, ptr, align: 1, volatile: false, atomic: None }, void);
    }

    /// Makes a thread that executes the function, and gives what that returns.
    fn spawn(&mut self, body: Operand, arg: Operand, returned: TypeId) -> Option<Operand> {
        let name = format!("__adj_spawn_{}_{}", self.func.name, self.made);
        *self.made += 1;
        let loc = self.func.insts[self.like].loc;
        self.tell();
        match self.m.as_function(body).filter(|f| !self.m.functions[*f].is_declaration()) {
            Some(body) => {
                let spawn = spawn(self.m, &name, body, loc);
                self.call(spawn, vec![arg])
            }
            None => {
                let body_name = format!("__adj_thread_{}_{}", self.func.name, *self.made - 1);
                let called = calls_pointer(self.m, &body_name, returned);
                let spawn = spawn(self.m, &name, called, loc);
                self.call(spawn, vec![body, arg])
            }
        }
    }

    fn wait(&mut self, thread: Operand) -> Option<Operand> {
        let wait = awaits(self.m);
        self.call(wait, vec![thread])
    }

    fn create(&mut self, thread: Operand, body: Operand, arg: Operand) {
        let ptr = self.m.types.ptr();
        if let Some(result) = self.spawn(body, arg, ptr) {
            self.store(result, thread);
        }
    }

    fn join(&mut self, thread: Operand, result: Operand) {
        let awaited = self.wait(thread);
        if let Some(awaited) = awaited.filter(|_| self.is_wanted(result)) {
            self.store(awaited, result);
        }
    }

    fn create_c(&mut self, thread: Operand, body: Operand, arg: Operand) {
        let i32t = self.m.types.int(32);
        if let Some(result) = self.spawn(body, arg, i32t) {
            self.store(result, thread);
        }
    }

    fn join_c(&mut self, thread: Operand, result: Operand) {
        let (i32t, void) = (self.m.types.int(32), self.m.types.void());
        let Some(awaited) = self.wait(thread).filter(|_| self.is_wanted(result)) else { return };
        let truncated =
            InstKind::Cast { op: CastOp::Trunc, flags: Default::default(), fast: FastMath::default(), value: awaited };
        if let Some(value) = self.push(truncated, i32t) {
            self.push(InstKind::Store { value, ptr: result, align: 4, volatile: false, atomic: None }, void);
        }
    }

    fn is_wanted(&self, result: Operand) -> bool {
        self.m.as_constant(result).is_none_or(|c| !matches!(c.kind, ConstKind::Null))
    }

    fn start(&mut self, thread: Operand, state: Operand) {
        let ptr = self.m.types.ptr();
        let null = self.m.zero(ptr);
        let load = InstKind::Load { ptr: state, align: 8, volatile: false, atomic: None };
        let Some(object) = self.push(load, ptr) else { return };
        self.store(null, state);
        let body = runs_state(self.m, &format!("__adj_thread_{}_{}", self.func.name, self.made));
        let body = self.m.function_address(body);
        let void = self.m.types.void();
        if let Some(number) = self.spawn(body, object, void) {
            self.store(number, thread);
        }
    }

    fn join_cxx(&mut self, thread: Operand) {
        let i64t = self.m.types.int(64);
        let none = self.m.zero(i64t);
        if let Some(number) = self.push(InstKind::Load { ptr: thread, align: 8, volatile: false, atomic: None }, i64t) {
            self.wait(number);
            self.store(none, thread);
        }
    }
}

/// Begins a function of this name, unless there is one.
fn begin(m: &mut Module, name: &str, ret: TypeId, params: &[TypeId], mark: Option<&str>) -> Result<Function, FuncId> {
    if let Some(known) = m.function(name) {
        return Err(known);
    }
    let mut f = Function::new(name, ret, params);
    f.flags.linkage = "internal".to_owned();
    f.attrs = f.attrs.flag("noinline");
    f.attrs.0.extend(mark.map(|mark| Attr { name: mark.to_owned(), value: AttrValue::Str(None) }));
    Ok(f)
}

/// A function that makes a thread, as the analyses read it: it calls what the thread executes. A number stands for the
/// thread, or a pointer if that is what is returned.
fn spawn(m: &mut Module, name: &str, body: FuncId, loc: Option<MdId>) -> FuncId {
    let (ptr, i64t) = (m.types.ptr(), m.types.int(64));
    let params: Vec<TypeId> = m.functions[body].params.iter().map(|p| p.ty).collect();
    let returned = m.functions[body].ret;
    let ret = if m.types.is_ptr(returned) { returned } else { i64t };
    let f = match begin(m, name, ret, &params, Some(SPAWNS)) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let (number, leaving) = (number(m), saying(m, LEAVING));
    let mut b = Builder::new(m, f);
    b.loc = loc;
    let args = (0..params.len()).map(|i| b.f.param(i)).collect();
    let called = b.call(body, args);
    // Whoever awaits the thread goes on behind its end, were it one that stands before it here.
    let null = b.m.zero(ptr);
    b.call(leaving, vec![null]);
    let result = match called {
        None => Some(b.value(InstKind::Load { ptr: number, align: 8, volatile: true, atomic: None }, i64t)),
        Some(result) if ret == returned => Some(result),
        Some(result) => Some(b.cast(CastOp::ZExt, result, i64t)),
    };
    b.effect(InstKind::Ret(result));
    let f = b.f;
    m.functions.push(f)
}

/// A variable with a number that stands for a thread, of which the analyses know nothing but that.
fn number(m: &mut Module) -> Operand {
    let (i64t, one) = (m.types.int(64), m.int(64, 1).constant());
    let variable = m.global(NUMBER).unwrap_or_else(|| {
        let mut global = Global::new(NUMBER, i64t, one);
        global.flags.linkage = "internal".to_owned();
        m.globals.push(global)
    });
    m.global_address(variable)
}

/// `i64 await(i64 thread)`: gives what the thread returns, which stands for it.
fn awaits(m: &mut Module) -> FuncId {
    let i64t = m.types.int(64);
    let f = match begin(m, "__adj_await", i64t, &[i64t], Some(AWAITS)) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let mut b = Builder::new(m, f);
    let thread = b.f.param(0);
    b.effect(InstKind::Ret(Some(thread)));
    let f = b.f;
    m.functions.push(f)
}

/// `T thread(ptr function, ptr arg)`: calls the function.
fn calls_pointer(m: &mut Module, name: &str, ret: TypeId) -> FuncId {
    let ptr = m.types.ptr();
    let f = match begin(m, name, ret, &[ptr, ptr], None) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let fn_ty = m.types.func(ret, vec![ptr]);
    let mut b = Builder::new(m, f);
    let (body, arg) = (b.f.param(0), b.f.param(1));
    let kind = InstKind::Call(Box::new(plain_call(body, fn_ty, vec![arg], String::new())));
    let result = b.value(kind, ret);
    b.effect(InstKind::Ret(Some(result)));
    let f = b.f;
    m.functions.push(f)
}

/// `void thread(ptr state)`: runs and deletes what a thread of C++ executes.
fn runs_state(m: &mut Module, name: &str) -> FuncId {
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let f = match begin(m, name, void, &[ptr], None) {
        Ok(f) => f,
        Err(known) => return known,
    };
    let fn_ty = m.types.func(void, vec![ptr]);
    let mut b = Builder::new(m, f);
    let object = b.f.param(0);
    for entry in [RUN, DELETE] {
        let table = b.load(ptr, object, 8);
        let at = b.offset(table, entry);
        let function = b.load(ptr, at, 8);
        b.effect(InstKind::Call(Box::new(plain_call(function, fn_ty, vec![object], String::new()))));
    }
    b.effect(InstKind::Ret(None));
    let f = b.f;
    m.functions.push(f)
}
