//! Global variables whose address the caller may have: memory of the caller may be theirs.
//!
//! Of one that other modules cannot name, all uses of the address are followed, through address computations, choices
//! and the parameters of functions with bodies. Where it is only read from and written to, nobody can hand it to the
//! differentiated function.

use crate::program::call_graph::OURS;
use crate::program::threads::is_of_once;
use ir::{CastOp, ConstExpr, ConstId, ConstKind, FuncId, GlobalId, InstId, InstKind, Module, Operand, ValueId};
use std::collections::{BTreeMap, BTreeSet};

type Globals = BTreeSet<GlobalId>;

/// Those of the given ones whose address may be found elsewhere, and those to which functions other than `inside` may
/// write.
pub fn find(m: &Module, asked: &Globals, inside: &BTreeSet<FuncId>) -> (Globals, Globals) {
    // What is to be called once is set right before; nothing that others have left there is looked at.
    let local = |g: &GlobalId| {
        let global = &m.globals[*g];
        matches!(global.flags.linkage.as_str(), "internal" | "private") || is_of_once(&global.name)
    };
    let (followed, mut out): (Globals, Globals) = asked.iter().copied().partition(local);
    if followed.is_empty() {
        return (out.clone(), out);
    }
    let initial = m.globals.values().flat_map(|g| g.init.into_iter().chain(g.alias_of));
    out.extend(initial.flat_map(|constant| mentioned(m, constant)));
    let mut uses =
        Uses { m, inside, followed, found: BTreeMap::new(), exposed: out, written: Globals::new(), work: Vec::new() };
    uses.work = m.functions.iter().filter(|(_, f)| !f.is_declaration()).map(|(id, _)| id).collect();
    while let Some(id) = uses.work.pop() {
        while uses.pass(id) {}
    }
    uses.exposed.retain(|g| asked.contains(g));
    let written = uses.exposed.union(&uses.written).copied().collect();
    (uses.exposed, written)
}

/// The globals that a constant names.
fn mentioned(m: &Module, constant: ConstId) -> Globals {
    let (mut out, mut work, mut seen) = (Globals::new(), vec![constant], BTreeSet::new());
    while let Some(constant) = work.pop() {
        if !seen.insert(constant) {
            continue;
        }
        match &m.constants.get(constant).kind {
            ConstKind::Global(g) => {
                out.insert(*g);
                work.extend(m.globals[*g].alias_of);
            }
            ConstKind::Aggregate(elements) => work.extend(elements.iter().copied()),
            ConstKind::Expr(ConstExpr::Cast(_, inner) | ConstExpr::Gep { base: inner, .. }) => work.push(*inner),
            ConstKind::Expr(ConstExpr::Binary { lhs, rhs, .. }) => work.extend([*lhs, *rhs]),
            _ => {}
        }
    }
    out
}

struct Uses<'a> {
    m: &'a Module,
    inside: &'a BTreeSet<FuncId>,
    followed: Globals,
    /// By value: the globals into which it may point.
    found: BTreeMap<(FuncId, ValueId), Globals>,
    exposed: Globals,
    /// Those to which others write.
    written: Globals,
    /// Functions to look at again.
    work: Vec<FuncId>,
}

impl Uses<'_> {
    fn of(&self, id: FuncId, operand: Operand) -> Globals {
        match operand {
            Operand::Const(constant) => {
                let plain = !matches!(
                    self.m.constants.get(constant).kind,
                    ConstKind::Global(_) | ConstKind::Aggregate(_) | ConstKind::Expr(_)
                );
                let globals = if plain { Globals::new() } else { mentioned(self.m, constant) };
                globals.intersection(&self.followed).copied().collect()
            }
            Operand::Local(v) => self.found.get(&(id, v)).cloned().unwrap_or_default(),
        }
    }

    fn add(&mut self, id: FuncId, value: ValueId, globals: Globals) -> bool {
        let known = self.found.entry((id, value)).or_default();
        let before = known.len();
        known.extend(globals);
        known.len() > before
    }

    /// Looks at a function once; was anything new?
    fn pass(&mut self, id: FuncId) -> bool {
        let m = self.m;
        let func = &m.functions[id];
        let mut new = false;
        for (_, inst) in func.inst_order() {
            let kind = &func.insts[inst].kind;
            let operands = kind.as_call().map_or_else(|| kind.operands(), |call| call.args.iter().copied().collect());
            for (at, operand) in operands.into_iter().enumerate() {
                let globals = self.of(id, operand);
                if !globals.is_empty() {
                    new |= self.used(id, inst, (at, operand), globals);
                }
            }
        }
        new
    }

    /// A function writes to globals. Nothing that others have left there is looked at of what is to be called once,
    /// nor of what gradients keep: each leaves that as it has found it.
    fn writes(&mut self, id: FuncId, globals: Globals) {
        let name = |g: &GlobalId| self.m.globals[*g].name.as_str();
        let lasts = |g: &GlobalId| !is_of_once(name(g)) && !name(g).starts_with(OURS);
        if !self.inside.contains(&id) {
            let written: Vec<GlobalId> = globals.into_iter().filter(lasts).collect();
            self.written.extend(written);
        }
    }

    /// What becomes of an operand that points into globals; is it new?
    fn used(&mut self, id: FuncId, inst: InstId, (at, operand): (usize, Operand), globals: Globals) -> bool {
        let data = &self.m.functions[id].insts[inst];
        match &data.kind {
            InstKind::Load { .. } | InstKind::ICmp { .. } => return false,
            InstKind::Store { value, .. } if *value != operand => {
                self.writes(id, globals);
                return false;
            }
            InstKind::Gep { .. }
            | InstKind::Phi { .. }
            | InstKind::Select { .. }
            | InstKind::Freeze(_)
            | InstKind::Cast { op: CastOp::BitCast | CastOp::AddrSpaceCast, .. } => {
                return data.result.is_some_and(|v| self.add(id, v, globals));
            }
            InstKind::Call(call) => {
                let callee = self.m.as_function(call.callee).map(|f| (f, &self.m.functions[f]));
                match callee.map(|(f, function)| (f, function, function.params.get(at))) {
                    Some((_, f, _)) if f.name.starts_with("llvm.mem") || f.name.starts_with("llvm.lifetime") => {
                        if at == 0 {
                            self.writes(id, globals);
                        }
                        return false;
                    }
                    // It gives back the address that it is given.
                    Some((_, f, _)) if f.name.starts_with("llvm.threadlocal.address") => {
                        return data.result.is_some_and(|v| self.add(id, v, globals));
                    }
                    Some((callee, f, Some(param))) if !f.is_declaration() => {
                        let new = self.add(callee, param.value, globals);
                        if new && callee != id {
                            self.work.push(callee);
                        }
                        return new && callee == id;
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        self.exposed.extend(globals);
        false
    }
}
