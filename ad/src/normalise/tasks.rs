//! Explicit tasks of OpenMP, executed where they are made.
//!
//! A thread that meets a task may execute it at once (OpenMP 5.2, 12.5: "may execute the task immediately, or defer its
//! execution"). The tasks that it depends on have been made before it, and so are done. That is the order in which a
//! derivative executes tasks, in both passes:
//!
//! | before | after |
//! |---|---|
//! | `t = __kmpc_omp_task_alloc(…, size, shared, entry)` | a block for the task, and what it shares behind that |
//! | `__kmpc_omp_task(…, t)`, `…_with_deps`, `__kmpc_taskloop` | `entry(thread, t)`, and the block is given back |
//! | `__kmpc_omp_task_begin_if0`, `…_complete_if0` | nothing, and the block is given back |
//! | `__kmpc_omp_taskwait`, `__kmpc_taskgroup`, dependences | nothing: all tasks are done |
//!
//! What executes an untied task hands it over again between its parts: that is a call of the same function.
//!
//! The block begins as the runtime lays it out (`kmp_task_t`): where the shared data are, the entry, a number; then
//! what the compiler puts there, which for a loop is its bounds. A loop of tasks is one task.

use crate::base::builder::plain_call;
use crate::base::names::{called_outside, declare};
use crate::error::{Diagnostic, Reason};
use ir::hash::HashMap;
use ir::{ConstKind, Function, Inst, InstId, InstKind, Module, Operand, TypeId, ValueId};

const ALLOC: &str = "__kmpc_omp_task_alloc";
const LOOP: &str = "__kmpc_taskloop";
/// Those that hand a task over.
const HAND_OVER: [&str; 3] = ["__kmpc_omp_task", "__kmpc_omp_task_with_deps", LOOP];
/// How the names of the functions begin that execute tasks.
const ENTRIES: &str = ".omp_task_entry.";
/// It ends a task that is executed where it is made.
const END_HERE: &str = "__kmpc_omp_task_complete_if0";
/// The argument that the task is.
const TASK: usize = 2;
/// Those that begin such a task, or wait for tasks.
const NOTHING: [&str; 7] = [
    "__kmpc_omp_task_begin_if0",
    "__kmpc_omp_taskwait",
    "__kmpc_omp_taskyield",
    "__kmpc_omp_wait_deps",
    "__kmpc_omp_taskwait_deps_51",
    "__kmpc_taskgroup",
    "__kmpc_end_taskgroup",
];

/// Where the function, as it is in the program, first makes or awaits a task.
pub fn first(m: &Module, func: &Function) -> Option<InstId> {
    func.inst_order().map(|(_, inst)| inst).find(|inst| {
        let name = called_outside(m, &func.insts[*inst]).map_or("", |callee| callee.name.as_str());
        name == ALLOC || name == END_HERE || HAND_OVER.contains(&name) || NOTHING.contains(&name)
    })
}

/// What is known of a function's tasks.
struct Tasks<'a> {
    m: &'a mut Module,
    func: &'a mut Function,
    /// The functions that execute them.
    entries: HashMap<ValueId, Operand>,
    /// Results that are no more.
    dropped: Vec<ValueId>,
}

/// Replaces the calls in a function.
pub fn lower(m: &mut Module, func: &mut Function) -> Result<(), Diagnostic> {
    let mut tasks = Tasks { m, func, entries: HashMap::default(), dropped: Vec::new() };
    for block in tasks.func.layout.clone() {
        let mut out = Vec::new();
        for inst in tasks.func.blocks[block].insts.clone() {
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
        Err(Diagnostic::at(self.m, self.func, inst, Reason::Unsupported, message))
    }

    fn replace(&mut self, inst: InstId, name: &str, out: &mut Vec<InstId>) -> Result<(), Diagnostic> {
        let args = self.func.insts[inst].kind.as_call().map(|call| call.args.clone()).unwrap_or_default();
        if name == ALLOC {
            return self.allocate(inst, &args, out);
        }
        if NOTHING.contains(&name) {
            self.dropped.extend(self.func.insts[inst].result);
            return Ok(());
        }
        let Some(task) = args.get(TASK).copied() else {
            out.push(inst);
            return Ok(());
        };
        if HAND_OVER.contains(&name) {
            if let Some(own) = self.own_entry(task) {
                let i32t = self.m.types.int(32);
                let call = self.call(own, i32t, vec![args[1], task]);
                let call = self.create(inst, call, i32t);
                out.push(call);
                self.dropped.extend(self.func.insts[inst].result.take());
                return Ok(());
            }
            let Some(entry) = task.local().and_then(|v| self.entries.get(&v)).copied() else {
                return self.refuse(inst, "a task of which the function is not known");
            };
            let copies = args.last().and_then(|copies| self.m.as_constant(*copies));
            if name == LOOP && !copies.is_some_and(|copies| matches!(copies.kind, ConstKind::Null)) {
                return self.refuse(inst, "a loop of tasks of which each needs copies of its own");
            }
            let i32t = self.m.types.int(32);
            let call = self.call(entry, i32t, vec![args[1], task]);
            let call = self.create(inst, call, i32t);
            out.push(call);
        } else if name != END_HERE {
            out.push(inst);
            return Ok(());
        }
        let (void, ptr) = (self.m.types.void(), self.m.types.ptr());
        let free = declare(self.m, "free", void, &[ptr]);
        let free = self.m.function_address(free);
        self.dropped.extend(self.func.insts[inst].result.take());
        let kind = self.call(free, void, vec![task]);
        (self.func.insts[inst].kind, self.func.insts[inst].ty) = (kind, void);
        out.push(inst);
        Ok(())
    }

    /// The function itself, if it is what executes this task.
    fn own_entry(&mut self, task: Operand) -> Option<Operand> {
        const DEEPEST: usize = 8;
        let given = self.func.params.get(1)?.value;
        let mut at = task.local()?;
        for _ in 0..DEEPEST {
            if at == given {
                let id = self.func.name.starts_with(ENTRIES).then(|| self.m.function(&self.func.name))??;
                return Some(self.m.function_address(id));
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
        let (malloc, bytes) = (self.m.function_address(malloc), self.m.int(64, size + shared));
        self.func.insts[inst].kind = self.call(malloc, ptr, vec![bytes]);
        out.push(inst);
        let Some(v) = self.func.insts[inst].result else { return Ok(()) };
        self.entries.insert(v, *entry);
        let task = Operand::Local(v);
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

    fn call(&mut self, callee: Operand, ret: TypeId, args: Vec<Operand>) -> InstKind {
        let params = args.iter().map(|arg| self.m.operand_ty(self.func, *arg)).collect();
        let fn_ty = self.m.types.func(ret, params);
        InstKind::Call(Box::new(plain_call(callee, fn_ty, args, String::new())))
    }

    fn create(&mut self, like: InstId, kind: InstKind, ty: TypeId) -> InstId {
        let mut inst = Inst::new(kind, ty);
        inst.loc = self.func.insts[like].loc;
        let named = ty != self.m.types.void();
        self.func.create_inst(inst, named)
    }
}
