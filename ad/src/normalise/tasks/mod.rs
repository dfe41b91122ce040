//! Explicit tasks of OpenMP in the form that the analyses read.
//!
//! A task becomes a call of a function of its own, `hand_over(…)`, which does nothing else, and who waits for tasks
//! calls `await()`. For the analyses, `hand_over` executes the task: a thread that meets one may do so (OpenMP 5.2,
//! 12.5: "may execute the task immediately, or defer its execution"), and what it writes is seen by others only behind
//! calls that order them, which count as writes to everything. The reverse mode makes tasks of them in both passes
//! ([`crate::reverse::tasks`]); in forward mode they are executed where they are made.
//!
//! | before | after |
//! |---|---|
//! | `t = __kmpc_omp_task_alloc(…, size, shared, entry)` | a block for the task, and what it shares behind that |
//! | `__kmpc_omp_task(…, t)`, `…_with_deps` | `hand_over(thread, t, …)`: `entry(thread, t)`, destructors, and the block is given back |
//! | `__kmpc_taskloop(…, t, …)` | a loop that copies the block for each task |
//! | `__kmpc_omp_task_begin_if0`, `…_complete_if0` | nothing; destructors, and the block is given back |
//! | `__kmpc_omp_taskwait`, `__kmpc_end_taskgroup`, dependences of a task that is executed at once | `await()` |
//! | the ends of regions, of tasks, and of what is differentiated; barriers, and beginnings of regions | `await()` before |
//!
//! Where tasks do what only those can do that are executed where they are made ([`beside`]), all of them are, in both
//! passes. The tasks that one depends on have been made before it, and so are done:
//!
//! | before | after |
//! |---|---|
//! | `__kmpc_omp_task(…, t)`, `…_with_deps`, `__kmpc_taskloop` | `entry(thread, t)`, destructors, and the block is given back |
//! | `__kmpc_omp_task_begin_if0`, `…_complete_if0` | nothing; destructors, and the block is given back |
//! | `__kmpc_omp_taskwait`, `__kmpc_taskgroup`, dependences | nothing: all tasks are done |
//! | `__kmpc_taskred_init(…)` of a group | the variables are put aside, and begin as the operation says |
//! | `__kmpc_task_reduction_get_th_data(…, p)` | `p`: only one task is executed at a time |
//! | `__kmpc_end_taskgroup` of that group | what has come of the variables is combined with what was put aside |
//!
//! In a region with `reduction(task, …)` each thread has variables of its own, which its tasks get. What executes an
//! untied task hands it over again between its parts: that is a call of the same function.
//!
//! The block begins as the runtime lays it out (`kmp_task_t`): where the shared data are, the entry, a number; then
//! what the compiler puts there, which for a loop is its bounds, and whether the last iteration is among them. A loop
//! of tasks that are executed where they are made is one task, which needs no copies.

mod beside;
mod make;
mod reductions;

use crate::base::blocks;
use crate::base::builder::plain_call;
use crate::base::names::{called_outside, declare};
use crate::error::{Diagnostic, Reason};
use crate::normalise::fork::is_fork;
use crate::program::openmp::{
    ADVICE, BARRIER, SERIALIZED, TASK as HANDED_OVER, TASK_ALLOC as ALLOC, TASK_WITH_DEPS, TASKWAIT,
};
use ir::hash::HashMap;
use ir::{ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};
use make::Task;
use reductions::Reduced;
use std::collections::BTreeMap;

pub use beside::{Beside, is_of_thread};
pub use make::{GIVEN_COUNT, GIVEN_DEPENDENCES, GIVEN_FLAGS};

const LOOP: &str = "__kmpc_taskloop";
/// Those that hand a task over.
const HAND_OVER: [&str; 3] = [HANDED_OVER, TASK_WITH_DEPS, LOOP];
/// How the names of the functions begin that execute tasks.
const ENTRIES: &str = ".omp_task_entry.";
/// It ends a task that is executed where it is made.
const END_HERE: &str = "__kmpc_omp_task_complete_if0";
/// The argument that the task is.
const TASK: usize = 2;
/// In the flags of a task: it holds things with destructors (`kmp_tasking_flags_t`), and where it has the function that
/// calls them (`kmp_task_t::data1`).
const HOLDS_OBJECTS: u128 = 8;
const DESTRUCTORS: i64 = 24;
/// Where the task of a loop holds whether it executes the last iteration (`kmp_task_t`).
const LAST: u64 = 64;
/// A group of tasks begins, and ends.
const GROUP: [&str; 2] = ["__kmpc_taskgroup", "__kmpc_end_taskgroup"];
/// The tasks of the group that has just begun reduce variables.
const REDUCES: &str = "__kmpc_taskred_init";
/// A task asks for its copy of one of these variables.
const COPY: &str = "__kmpc_task_reduction_get_th_data";
/// Those that begin such a task, or wait for tasks; or say that the tasks of a region reduce variables.
const NOTHING: [&str; 10] = [
    "__kmpc_omp_task_begin_if0",
    "__kmpc_omp_taskyield",
    "__kmpc_omp_reg_task_with_affinity",
    WAITS[0],
    WAITS[1],
    WAITS[2],
    GROUP[0],
    GROUP[1],
    REDUCES_IN_REGION[0],
    REDUCES_IN_REGION[1],
];
/// Those that wait for tasks.
const WAITS: [&str; 3] = [TASKWAIT, "__kmpc_omp_wait_deps", "__kmpc_omp_taskwait_deps_51"];
/// Those that say that the tasks of a region reduce variables.
const REDUCES_IN_REGION: [&str; 2] = ["__kmpc_taskred_modifier_init", "__kmpc_task_reduction_modifier_fini"];

/// Where the function, as it is in the program, first makes or awaits a task.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    func.inst_order().map(|(_, inst)| inst).find(|inst| {
        let name = called_outside(m, &func.insts[*inst]).map_or("", |callee| callee.name.as_str());
        [ALLOC, END_HERE, REDUCES, COPY].contains(&name) || HAND_OVER.contains(&name) || NOTHING.contains(&name)
    })
}

/// What is known of a function's tasks.
struct Tasks<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    /// Where they are awaited, if they are executed beside each other.
    beside: Option<&'a Beside>,
    /// The number of the function, and how many of its tasks have been handed over.
    id: FuncId,
    made: usize,
    /// What is known of them.
    known: HashMap<ValueId, Task>,
    /// Results that are no more.
    dropped: Vec<ValueId>,
    /// Results that are something else.
    renamed: HashMap<ValueId, Operand>,
    /// Where groups end whose tasks reduce variables.
    ends: BTreeMap<InstId, Vec<InstId>>,
    /// By the beginning of the reduction: the variables, and where they have been put.
    reduced: HashMap<InstId, Vec<(Reduced, Operand)>>,
}

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, id: FuncId, func: &mut Function, beside: Option<&Beside>) -> Result<(), Diagnostic> {
    let ends = reductions::ends(m, func);
    let (known, renamed, reduced) = (HashMap::default(), HashMap::default(), HashMap::default());
    let mut tasks = Tasks { m, func, beside, id, made: 0, known, dropped: Vec::new(), renamed, ends, reduced };
    for block in tasks.func.layout.clone() {
        let mut out = Vec::new();
        for inst in tasks.func.blocks[block].insts.clone() {
            if tasks.is_awaited_before(inst) {
                tasks.wait(inst, &mut out);
            }
            match tasks.name(inst) {
                Some(name) => tasks.replace(inst, &name, &mut out)?,
                None => out.push(inst),
            }
        }
        tasks.func.blocks[block].insts = out;
    }
    let none = tasks.m.int(32, 0);
    for data in tasks.func.insts.values_mut() {
        data.kind.for_each_operand_mut(|o| {
            while let Some(other) = o.local().and_then(|v| tasks.renamed.get(&v)) {
                *o = *other;
            }
            if o.local().is_some_and(|v| tasks.dropped.contains(&v)) {
                *o = none;
            }
        });
    }
    Ok(())
}

impl Tasks<'_> {
    /// The name of a function of the runtime that the instruction calls.
    fn name(&self, inst: InstId) -> Option<String> {
        let callee = called_outside(self.m, &self.func.insts[inst])?;
        callee.name.starts_with("__kmpc_").then(|| callee.name.clone())
    }

    fn refuse<T>(&self, inst: InstId, message: &str) -> Result<T, Diagnostic> {
        Err(Diagnostic::at(self.m, self.func, inst, Reason::Unsupported, format!("{message}: {ADVICE}")))
    }

    fn replace(&mut self, inst: InstId, name: &str, out: &mut Vec<InstId>) -> Result<(), Diagnostic> {
        let args = self.func.insts[inst].kind.as_call().map(|call| call.args.clone()).unwrap_or_default();
        if name == ALLOC {
            return self.allocate(inst, &args, out);
        }
        if name == REDUCES {
            return self.begin_reduction(inst, &args, out);
        }
        if name == COPY && args.len() == 3 {
            let renamed = self.func.insts[inst].result.map(|v| (v, args[2]));
            self.renamed.extend(renamed);
            return Ok(());
        }
        if NOTHING.contains(&name) {
            if (WAITS.contains(&name) || name == GROUP[1]) && self.beside.is_some_and(|b| b.is_within(self.id)) {
                self.wait(inst, out);
            }
            for begun in self.ends.get(&inst).cloned().unwrap_or_default() {
                self.end_reduction(inst, begun, out)?;
            }
            // What a region's reduction is called by is asked for and never looked at.
            let null = self.m.types.ptr();
            let (pointer, none) = (self.func.insts[inst].ty == null, self.m.zero(null));
            match self.func.insts[inst].result {
                Some(v) if pointer => drop(self.renamed.insert(v, none)),
                result => self.dropped.extend(result),
            }
            return Ok(());
        }
        let Some(task) = args.get(TASK).copied() else {
            out.push(inst);
            return Ok(());
        };
        if HAND_OVER.contains(&name) && self.beside.is_some() {
            return self.hand_over(inst, (name, task), &args, out);
        }
        if HAND_OVER.contains(&name) {
            if let Some(own) = self.own_entry(task) {
                let i32t = self.m.types.int(32);
                let call = self.call(own, i32t, vec![args[1], task]);
                let call = self.create(inst, call, i32t);
                out.push(call);
                self.dropped.extend(self.func.insts[inst].result.take());
                return Ok(());
            }
            let entry = self.task(inst, task)?.entry;
            let i32t = self.m.types.int(32);
            let copies = args.last().and_then(|copies| self.m.as_constant(*copies));
            if name == LOOP && !copies.is_some_and(|copies| matches!(copies.kind, ConstKind::Null)) {
                let (at, yes) = (self.offset(inst, task, LAST, out), self.m.int(32, 1));
                let kind = InstKind::Store { value: yes, ptr: at, align: 8, volatile: false, atomic: None };
                let void = self.m.types.void();
                let store = self.create(inst, kind, void);
                out.push(store);
            }
            let call = self.call(entry, i32t, vec![args[1], task]);
            let call = self.create(inst, call, i32t);
            out.push(call);
        } else if name != END_HERE {
            out.push(inst);
            return Ok(());
        }
        let known = task.local().and_then(|v| self.known.get(&v));
        if let Some(destructors) = known.and_then(|task| task.destructors) {
            let i32t = self.m.types.int(32);
            let call = self.call(destructors, i32t, vec![args[1], task]);
            let call = self.create(inst, call, i32t);
            out.push(call);
        }
        let (void, ptr) = (self.m.types.void(), self.m.types.ptr());
        let free = declare(self.m, "free", void, &[ptr]);
        let free = self.m.function_address(free);
        self.dropped.extend(self.func.insts[inst].result.take());
        let memory = self.offset(inst, task, make::BEFORE.wrapping_neg(), out);
        let kind = self.call(free, void, vec![memory]);
        (self.func.insts[inst].kind, self.func.insts[inst].ty) = (kind, void);
        out.push(inst);
        Ok(())
    }

    /// What is known of a task.
    fn task(&self, inst: InstId, task: Operand) -> Result<Task, Diagnostic> {
        match task.local().and_then(|v| self.known.get(&v)) {
            Some(task) => Ok(*task),
            None => self.refuse(inst, "a task of which the function is not known"),
        }
    }

    /// Are tasks awaited before the instruction that are executed beside each other?
    fn is_awaited_before(&self, inst: InstId) -> bool {
        let Some(beside) = self.beside else { return false };
        let kind = &self.func.insts[inst].kind;
        if matches!(kind, InstKind::Ret(_)) {
            return beside.ends(self.id);
        }
        let callee = kind.as_call().and_then(|call| self.m.as_function(call.callee)).map(|f| &self.m.functions[f]);
        let orders = |callee: &Function| {
            is_fork(callee) || callee.is_declaration() && [BARRIER, SERIALIZED].contains(&callee.name.as_str())
        };
        beside.is_within(self.id) && callee.is_some_and(orders)
    }

    /// Awaits the tasks that have been made.
    fn wait(&mut self, like: InstId, out: &mut Vec<InstId>) {
        let (void, awaits) = (self.m.types.void(), make::awaits(self.m));
        let awaits = self.m.function_address(awaits);
        let call = self.call(awaits, void, Vec::new());
        let call = self.create(like, call, void);
        out.push(call);
    }

    /// Hands a task, or those of a loop, over to whoever executes them.
    fn hand_over(
        &mut self,
        inst: InstId,
        (name, block): (&str, Operand),
        args: &[Operand],
        out: &mut Vec<InstId>,
    ) -> Result<(), Diagnostic> {
        let task = self.task(inst, block)?;
        let made = format!("__adj_task_{}_{}", self.func.name, self.made);
        self.made += 1;
        let (ptr, i32t, void) = (self.m.types.ptr(), self.m.types.int(32), self.m.types.void());
        let (loc, flags) = (self.func.insts[inst].loc, task.flags);
        let (callee, given) = match (name, args) {
            (LOOP, [_, thread, _, _, lower, upper, step, _, said, number, copies]) => {
                let none = self.m.as_constant(*copies).is_some_and(|c| matches!(c.kind, ConstKind::Null));
                let each = make::hand_over_loop(self.m, &made, (task, (!none).then_some(*copies)), loc);
                (each, vec![*thread, block, *lower, *upper, *step, *said, *number, flags])
            }
            (TASK_WITH_DEPS, [_, thread, _, count, dependences, ..]) => {
                let each = make::hand_over(self.m, &made, task, loc);
                (each, vec![*thread, block, flags, *count, *dependences])
            }
            (HANDED_OVER, [_, thread, _]) => {
                let (count, none) = (self.m.zero(i32t), self.m.zero(ptr));
                let each = make::hand_over(self.m, &made, task, loc);
                (each, vec![*thread, block, flags, count, none])
            }
            _ => return self.refuse(inst, "a task that is handed over in an unknown way"),
        };
        let callee = self.m.function_address(callee);
        self.dropped.extend(self.func.insts[inst].result.take());
        let kind = self.call(callee, void, given);
        (self.func.insts[inst].kind, self.func.insts[inst].ty) = (kind, void);
        out.push(inst);
        Ok(())
    }

    /// The function itself, if it is what executes this task.
    fn own_entry(&mut self, task: Operand) -> Option<Operand> {
        const DEEPEST: usize = 8;
        let mut at = task.local()?;
        for _ in 0..DEEPEST {
            if let Some(place) = self.func.params.iter().position(|param| param.value == at) {
                let entry = entry_of(self.m, self.id, place)?;
                return Some(self.m.function_address(entry));
            }
            // Without optimisation, through variables that are set once.
            let InstKind::Load { ptr, .. } = self.func.insts[self.func.def_inst(at)?].kind else { return None };
            let mut stored = self.func.inst_order().filter_map(|(_, inst)| match self.func.insts[inst].kind {
                InstKind::Store { value, ptr: to, .. } if to == ptr => Some(value),
                _ => None,
            });
            let (Some(value), None) = (stored.next(), stored.next()) else { return None };
            at = value.local()?;
        }
        None
    }

    /// Memory for the task and behind it for what it shares, which the task points to.
    fn allocate(&mut self, inst: InstId, args: &[Operand], out: &mut Vec<InstId>) -> Result<(), Diagnostic> {
        let (ptr, i8t, i64t, void) =
            (self.m.types.ptr(), self.m.types.int(8), self.m.types.int(64), self.m.types.void());
        let sizes = [3, 4].map(|i| args.get(i).and_then(|size| self.m.as_int(*size)));
        let ([Some(size), Some(shared)], Some(entry)) = (sizes, args.get(5)) else {
            return self.refuse(inst, "a task of which the size is not known");
        };
        let size = size.next_multiple_of(16);
        let malloc = declare(self.m, "malloc", ptr, &[i64t]);
        let bytes = self.m.int(64, u128::from(make::BEFORE) + size + shared);
        let malloc = self.m.function_address(malloc);
        let kind = self.call(malloc, ptr, vec![bytes]);
        let memory = self.create(inst, kind, ptr);
        out.push(memory);
        let Some(memory) = self.func.insts[memory].result.map(Operand::Local) else { return Ok(()) };
        let by = self.m.int(64, u128::from(make::BEFORE));
        let kind = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: memory, indices: vec![by] };
        self.func.insts[inst].kind = kind;
        out.push(inst);
        let Some(v) = self.func.insts[inst].result else { return Ok(()) };
        let task = Operand::Local(v);
        let flags = args.get(2).and_then(|flags| self.m.as_int(*flags)).unwrap_or(0);
        let destructors = self.stored(task, DESTRUCTORS);
        if destructors.is_none() && flags & HOLDS_OBJECTS != 0 {
            return self.refuse(inst, "a task of which the destructors are not known");
        }
        let makes = self.beside.is_some_and(|beside| beside.makes(*entry, self.m));
        let sizes = [size, shared].map(|size| u64::try_from(size).unwrap_or(0));
        self.known.insert(v, Task { entry: *entry, flags: args[2], destructors, makes, sizes });
        let offset = self.m.int(64, size);
        let kind = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: task, indices: vec![offset] };
        let behind = self.create(inst, kind, ptr);
        out.push(behind);
        if let Some(behind) = self.func.insts[behind].result.map(Operand::Local) {
            let kind = InstKind::Store { value: behind, ptr: task, align: 8, volatile: false, atomic: None };
            let store = self.create(inst, kind, void);
            out.push(store);
        }
        Ok(())
    }

    /// The address of a part of a block.
    fn offset(&mut self, inst: InstId, block: Operand, offset: u64, out: &mut Vec<InstId>) -> Operand {
        let (i8t, ptr, by) = (self.m.types.int(8), self.m.types.ptr(), self.m.int(64, u128::from(offset)));
        let kind = InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: block, indices: vec![by] };
        let at = self.create(inst, kind, ptr);
        out.push(at);
        self.func.insts[at].result.map_or(block, Operand::Local)
    }

    /// What the compiler stores at an offset behind an address, if it does once.
    fn stored(&self, list: Operand, offset: i64) -> Option<Operand> {
        let (list, start) = self.place(list)?;
        let wanted = Some((list, start.checked_add(offset)?));
        let mut found = self.func.inst_order().filter_map(|(_, inst)| match self.func.insts[inst].kind {
            InstKind::Store { value, ptr, .. } => (self.place(ptr) == wanted).then_some(value),
            _ => None,
        });
        let value = found.next()?;
        found.next().is_none().then_some(value)
    }

    /// The variable that an address leads to, and how far into it.
    fn place(&self, ptr: Operand) -> Option<(Operand, i64)> {
        let (mut at, mut offset) = (ptr, 0i64);
        while let Some(inst) = at.local().and_then(|v| self.func.def_inst(v)) {
            let InstKind::Gep { elem_ty, base, indices, .. } = &self.func.insts[inst].kind else { break };
            offset = offset.checked_add(ir::gep::constant_offset(self.m, *elem_ty, indices)?)?;
            at = *base;
        }
        Some((at, offset))
    }

    fn call(&mut self, callee: Operand, ret: TypeId, args: Vec<Operand>) -> InstKind {
        let params = args.iter().map(|arg| self.m.operand_ty(self.func, *arg)).collect();
        let fn_ty = self.m.types.func(ret, params);
        InstKind::Call(Box::new(plain_call(callee, fn_ty, args, String::new())))
    }

    fn create(&mut self, like: InstId, kind: InstKind, ty: TypeId) -> InstId {
        blocks::like(self.m, self.func, like, kind, ty)
    }
}

/// The function that executes a task, of which that is a parameter of this one: it itself, or the only one that calls
/// it.
fn entry_of(m: &Module, id: FuncId, place: usize) -> Option<FuncId> {
    if m.functions[id].name.starts_with(ENTRIES) {
        return (place == 1).then_some(id);
    }
    let calls = |func: &Function| {
        let call = |(_, inst): (_, InstId)| {
            func.insts[inst].kind.as_call().and_then(|call| m.as_function(call.callee)) == Some(id)
        };
        func.inst_order().any(call)
    };
    let mut callers = m.functions.iter().filter(|(_, func)| calls(func)).map(|(id, _)| id);
    let entry = callers.next().filter(|entry| m.functions[*entry].name.starts_with(ENTRIES))?;
    callers.next().is_none().then_some(entry)
}
