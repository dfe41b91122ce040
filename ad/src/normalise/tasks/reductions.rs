//! What tasks reduce (`task_reduction`, `in_reduction`) that are executed where they are made: what a variable holds is
//! put aside, and the variable takes the place of all copies.

use super::{GROUP, REDUCES, Tasks};
use crate::base::names::{called_outside, declare, memcpy_intrinsic};
use crate::error::Diagnostic;
use ir::{BlockId, ConstKind, Function, InstId, InstKind, Module, Operand};
use std::collections::{BTreeMap, BTreeSet};

/// A variable that the tasks of a group reduce (`kmp_taskred_input_t`).
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    /// Where it is.
    variable: Operand,
    /// Its size.
    size: Operand,
    /// `void (ptr, ptr)`: makes it what a reduction begins with, from what it was.
    init: Option<Operand>,
    /// `void (ptr)`: what is to be done with a copy in the end.
    fini: Option<Operand>,
    /// `void (ptr, ptr)`: combines the first with the second.
    combine: Operand,
}

/// Size of the description of a variable, and where it has what.
const DESCRIPTION: i64 = 56;
const VARIABLE: i64 = 0;
const SIZE: i64 = 16;
const INIT: i64 = 24;
const FINI: i64 = 32;
const COMBINE: i64 = 40;
/// The ends of the groups whose tasks reduce variables, each with where that begins.
pub(super) fn ends(m: &Module, func: &Function) -> BTreeMap<InstId, Vec<InstId>> {
    let name = |inst: &InstId| called_outside(m, &func.insts[*inst]).map_or("", |callee| callee.name.as_str());
    let mut out: BTreeMap<InstId, Vec<InstId>> = BTreeMap::new();
    for (block, inst) in func.inst_order().filter(|(_, inst)| name(inst) == REDUCES) {
        let at = func.blocks[block].insts.iter().position(|i| *i == inst).unwrap_or(0);
        let mut seen: BTreeSet<(BlockId, usize)> = BTreeSet::new();
        // The group has begun before.
        let mut work = vec![(block, at + 1, 1)];
        while let Some((block, from, mut depth)) = work.pop() {
            let mut ended = false;
            for other in &func.blocks[block].insts[from..] {
                match name(other) {
                    begin if begin == GROUP[0] => depth += 1,
                    end if end == GROUP[1] => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    out.entry(*other).or_default().push(inst);
                    ended = true;
                    break;
                }
            }
            if !ended {
                let next = func.successors(block).into_iter().filter(|next| seen.insert((*next, depth)));
                work.extend(next.collect::<Vec<_>>().into_iter().map(|next| (next, 0, depth)));
            }
        }
    }
    out
}

impl Tasks<'_> {
    /// The variables that the tasks of a group reduce, as the compiler describes them in a list.
    fn described(&mut self, args: &[Operand]) -> Option<Vec<Reduced>> {
        let mut described = self.listed(args)?;
        let i64t = self.m.types.int(64);
        for of in &mut described {
            let Some(size) = self.m.as_int(of.size) else { continue };
            let most = of.init.into_iter().chain([of.combine]).map(|f| extent(self.m, f)).max().unwrap_or(0);
            if most > size as u64 && self.m.operand_ty(self.func, of.size) == i64t {
                of.size = self.m.int(64, u128::from(most));
            }
        }
        Some(described)
    }

    /// The same, as the list says it.
    fn listed(&self, args: &[Operand]) -> Option<Vec<Reduced>> {
        let count = i64::try_from(self.m.as_int(*args.get(1)?)?).ok()?;
        let (list, start) = self.place(*args.get(2)?)?;
        let function = |field: i64| {
            let stored = self.stored(list, field)?;
            let none = self.m.as_constant(stored).is_some_and(|c| matches!(c.kind, ConstKind::Null));
            Some((!none).then_some(stored))
        };
        let each = |n: i64| {
            let at = start + n * DESCRIPTION;
            Some(Reduced {
                variable: self.stored(list, at + VARIABLE)?,
                size: self.stored(list, at + SIZE)?,
                init: function(at + INIT)?,
                fini: function(at + FINI)?,
                combine: function(at + COMBINE)??,
            })
        };
        (0..count).map(each).collect()
    }

    /// Puts the variables aside that the tasks of a group reduce; each begins as its operation says.
    pub(super) fn begin_reduction(
        &mut self,
        inst: InstId,
        args: &[Operand],
        out: &mut Vec<InstId>,
    ) -> Result<(), Diagnostic> {
        let Some(described) = self.described(args) else {
            return self.refuse(inst, "a reduction by tasks of which the variables are not known");
        };
        if !self.ends.values().any(|begun| begun.contains(&inst)) {
            return self.refuse(inst, "a reduction by tasks whose group does not end here");
        }
        let (ptr, i64t, void) = (self.m.types.ptr(), self.m.types.int(64), self.m.types.void());
        let malloc = declare(self.m, "malloc", ptr, &[i64t]);
        let malloc = self.m.function_address(malloc);
        let mut put = Vec::new();
        for of in described {
            let kind = self.call(malloc, ptr, vec![of.size]);
            let aside = self.create(inst, kind, ptr);
            out.push(aside);
            let Some(aside) = self.func.insts[aside].result.map(Operand::Local) else { continue };
            self.copy(inst, (aside, of.variable), of.size, out);
            if let Some(init) = of.init {
                let kind = self.call(init, void, vec![of.variable, aside]);
                let call = self.create(inst, kind, void);
                out.push(call);
            }
            put.push((of, aside));
        }
        self.reduced.insert(inst, put);
        // By what the tasks ask for their copies.
        self.renamed.extend(self.func.insts[inst].result.map(|v| (v, args[2])));
        Ok(())
    }

    /// Combines what has come of the variables with what was put aside.
    pub(super) fn end_reduction(
        &mut self,
        inst: InstId,
        begun: InstId,
        out: &mut Vec<InstId>,
    ) -> Result<(), Diagnostic> {
        let (ptr, void) = (self.m.types.ptr(), self.m.types.void());
        let free = declare(self.m, "free", void, &[ptr]);
        let free = self.m.function_address(free);
        let Some(reduced) = self.reduced.get(&begun).cloned() else {
            return self.refuse(inst, "a reduction by tasks that ends before it begins");
        };
        for (of, aside) in reduced {
            let mut calls = vec![(of.combine, vec![aside, of.variable])];
            calls.extend(of.fini.map(|fini| (fini, vec![of.variable])));
            for (callee, args) in calls {
                let kind = self.call(callee, void, args);
                let call = self.create(inst, kind, void);
                out.push(call);
            }
            self.copy(inst, (of.variable, aside), of.size, out);
            let kind = self.call(free, void, vec![aside]);
            let call = self.create(inst, kind, void);
            out.push(call);
        }
        Ok(())
    }

    fn copy(&mut self, inst: InstId, (to, from): (Operand, Operand), size: Operand, out: &mut Vec<InstId>) {
        let (void, plain) = (self.m.types.void(), self.m.int(1, 0));
        let memcpy = memcpy_intrinsic(self.m);
        let memcpy = self.m.function_address(memcpy);
        let kind = self.call(memcpy, void, vec![to, from, size, plain]);
        let copy = self.create(inst, kind, void);
        out.push(copy);
    }
}

/// So many bytes of its first argument a function touches that makes or combines copies of it, as far as its constants
/// tell. (Of a section of an array with a constant length, clang 19 says the size of one element.)
fn extent(m: &Module, function: Operand) -> u64 {
    let Some(id) = m.as_function(function) else { return 0 };
    let func = &m.functions[id];
    let reach = |(_, inst): (_, InstId)| match &func.insts[inst].kind {
        InstKind::Gep { elem_ty, indices, .. } => {
            let offset = ir::gep::constant_offset(m, *elem_ty, indices).and_then(|offset| u64::try_from(offset).ok());
            let whole = if m.types.element_count(*elem_ty).is_some() { m.size_of(*elem_ty) } else { 0 };
            offset.unwrap_or(0).max(whole)
        }
        kind => {
            let callee = kind.as_call().and_then(|call| m.as_function(call.callee)).map(|f| &m.functions[f]);
            let fills = callee.is_some_and(|f| f.name.starts_with("llvm.mem"));
            let bytes = kind.as_call().filter(|_| fills).and_then(|call| m.as_int(*call.args.get(2)?));
            bytes.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(0)
        }
    };
    func.inst_order().map(reach).max().unwrap_or(0)
}
