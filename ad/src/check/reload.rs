//! The check of values that the reverse pass loads from memory of the primal: they are there, and nothing has written
//! over them.
//!
//! *There* is memory of the caller, unless the caller may write to it between the passes; and, where both passes are
//! one function that nobody calls again, a variable that no other thread has for itself, a variable on the stack of the
//! differentiated function, which is there from its entry on, and a block of the standard allocators. What frees a
//! block counts as a write to it.
//!
//! *Written over* it may be by any instruction that can be executed later ([`crate::check::after`]), unless it is a
//! plain store of the same function whose address never meets that of the load ([`crate::check::forms`]). That holds in
//! one call, so the function has to be one that runs once. A load of an iteration that is executed when it is reversed
//! may have been found, in the run, to be apart from all that is stored through other pointers than its own; then the
//! checker sees to it that these are others.
//!
//! What is loaded from where the program has *stored* it must besides be what this store has left: the store meets no
//! cell twice.

use crate::analysis::context::{Context, Item};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::wanted::Wanted;
use crate::base::marks::APART;
use crate::check::after::Site;
use crate::check::effects::name_of;
use crate::check::forms::{Access, Forms};
use crate::check::{Checker, Derived, State};
use crate::program::{attributes, externals};
use crate::runtime::substitute;
use ir::{FuncId, Function, InstId, InstKind, Module, Operand};
use std::cell::OnceCell;
use std::collections::BTreeSet;

impl Checker<'_> {
    /// Does a load give the same again in the reverse pass?
    pub(super) fn may_reload(&self, load: InstId) -> Result<(), String> {
        let InstKind::Load { ptr, volatile: false, atomic: None, .. } = self.cx.func.insts[load].kind else {
            return Err(format!("{load:?} is no plain load"));
        };
        let objects = self.read(ptr).ok_or_else(|| format!("{load:?} reads memory of which nothing is known"))?;
        let size = self.cx.m.size_of(self.cx.func.insts[load].ty);
        let own = OnceCell::new();
        let access = || own.get_or_init(|| self.forms().access(ptr, size));
        // Found to be apart in the run from all that is stored through pointers that begin elsewhere.
        let tested = self.cx.facts.joint.contains(&self.cx.id) && self.cx.func.insts[load].metadata(APART).is_some();
        let is_apart = |site: Site| self.is_apart(access(), site) || tested && self.begins_elsewhere(ptr, site);
        match self.writers.overwriter(self.cx, load, &objects, &is_apart) {
            Some((_, inst)) => Err(format!("{load:?} may be made again when {inst:?} has written there")),
            None => Ok(()),
        }
    }

    /// Can the value be loaded from where this instruction has stored it?
    pub(super) fn loaded(
        &self,
        store: InstId,
        wanted: Wanted,
        (state, derived): (&State, &mut Derived),
    ) -> Result<(), String> {
        let here = self.shape.block(store);
        let InstKind::Store { value, ptr, volatile: false, atomic: None, .. } = self.cx.func.insts[store].kind else {
            return Err(format!("{wanted:?} is loaded from where no plain store is"));
        };
        let Some(block) = here.filter(|b| Some(*b) == self.block_of(wanted.item)) else {
            return Err(format!("{wanted:?} is not stored where it is made"));
        };
        let own = self.shape.loops.around(block).next() == wanted.region;
        let left = substitute::bits(self.cx.m, self.cx.func, value).and_then(|inst| self.cx.func.insts[inst].result);
        if left.map(Item::Primal) != Some(wanted.item) || !own || !self.assume.combined || !self.runs_once() {
            return Err(format!("{wanted:?} is not what the store has left"));
        }
        let Some(objects) = self.read(ptr) else {
            return Err(format!("{wanted:?} is stored in memory of which nothing is known"));
        };
        let access = self.forms().access(ptr, self.cx.m.size_of(self.cx.ty(value)));
        let is_apart = |site: Site| site == (self.cx.id, store) || self.is_apart(&access, site);
        if let Some((_, inst)) = self.writers.overwriter(self.cx, store, &objects, &is_apart) {
            return Err(format!("{wanted:?} is overwritten by {inst:?} before it is loaded"));
        }
        let spread = access.is_some_and(|access| self.forms().meets_no_cell_twice(&access, block));
        if self.shape.region(block).is_some() && !spread {
            return Err(format!("{wanted:?} is overwritten by its own store before it is loaded"));
        }
        let Some(v) = ptr.local() else { return Ok(()) };
        let address = Wanted { item: Item::Primal(v), region: self.common(self.block_of(Item::Primal(v)), wanted) };
        self.derivable(address, state, derived)
    }

    fn forms(&self) -> Forms<'_> {
        Forms { cx: self.cx, shape: self.shape }
    }

    /// Is the function executed once for each time that it is reversed, with nothing of it in between?
    fn runs_once(&self) -> bool {
        let cx = self.cx;
        cx.facts.joint.contains(&cx.id) || self.is_root(cx.id) && !self.writers.is_called(cx, cx.id)
    }

    fn is_root(&self, id: FuncId) -> bool {
        self.cx.facts.asked().is_some_and(|(root, _)| *root == id)
    }

    /// The objects that a pointer leads to, if all are known, and there in the reverse pass.
    fn read(&self, ptr: Operand) -> Option<BTreeSet<ObjId>> {
        let objects: BTreeSet<ObjId> = self.cx.targets(ptr).into_keys().collect();
        let known = !objects.is_empty() && !self.cx.facts.leads_elsewhere(self.cx.m, self.cx.id, ptr);
        (known && objects.iter().all(|object| self.is_there(*object))).then_some(objects)
    }

    /// Is it memory that the reverse pass finds as the forward pass has left it?
    fn is_there(&self, object: ObjId) -> bool {
        let (cx, m) = (self.cx, self.cx.m);
        let both = || {
            let root = cx.facts.asked().map(|(root, _)| *root);
            cx.facts.both_passes && root.is_some_and(|root| !self.writers.is_called(cx, root))
        };
        match cx.facts.objects[object].kind {
            ObjKind::External { .. } => !cx.facts.caller_may_write,
            ObjKind::Global(g) if m.globals[g].constant => true,
            ObjKind::Global(g) => cx.facts.both_passes && m.globals[g].thread_local.is_empty(),
            ObjKind::Stack(f, site) => both() && self.is_root(f) && is_there_from_the_entry(m, &cx.sources[&f], site),
            ObjKind::Heap(f, site) => both() && is_standard_block(cx, f, site),
            ObjKind::Function(_) | ObjKind::Opaque | ObjKind::Lost => false,
        }
    }

    /// Is the writer a plain store of this function, which runs once, that never meets the access?
    fn is_apart(&self, access: &Option<Access>, (id, inst): Site) -> bool {
        let (Some(access), InstKind::Store { value, ptr, volatile: false, atomic: None, .. }) =
            (access, &self.cx.sources[&id].insts[inst].kind)
        else {
            return false;
        };
        if id != self.cx.id || !self.runs_once() {
            return false;
        }
        let other = self.forms().access(*ptr, self.cx.m.size_of(self.cx.ty(*value)));
        other.is_some_and(|other| self.forms().never_meet(access, &other))
    }

    /// Does the address of a plain store begin with other pointers than this one, as the function is given them?
    fn begins_elsewhere(&self, ptr: Operand, (id, inst): Site) -> bool {
        let InstKind::Store { ptr: other, volatile: false, atomic: None, .. } = self.cx.sources[&id].insts[inst].kind
        else {
            return false;
        };
        let (these, those) = (self.beginnings(self.cx.id, ptr, DEPTH), self.beginnings(id, other, DEPTH));
        let given = |all: &[Operand]| all.iter().all(|o| o.local().is_none_or(|v| self.cx.func.def_inst(v).is_none()));
        match (these, those) {
            (Some(these), Some(those)) => {
                given(&these) && given(&those) && these.iter().all(|begin| !those.contains(begin))
            }
            _ => false,
        }
    }

    /// What an address in a function that this one may call begins with, as values of this function.
    fn beginnings(&self, id: FuncId, ptr: Operand, depth: usize) -> Option<Vec<Operand>> {
        let deeper = depth.checked_sub(1)?;
        let func = &self.cx.sources[&id];
        let all = |operands: Vec<Operand>| {
            let begin = operands.into_iter().map(|o| self.beginnings(id, o, deeper)).collect::<Option<Vec<_>>>()?;
            Some(begin.concat())
        };
        let Operand::Local(v) = ptr else { return Some(vec![ptr]) };
        match func.def_inst(v).map(|inst| &func.insts[inst].kind) {
            Some(InstKind::Gep { base, .. }) => all(vec![*base]),
            Some(InstKind::Select { if_true, if_false, .. }) => all(vec![*if_true, *if_false]),
            Some(_) => (id == self.cx.id).then(|| vec![ptr]),
            None if id == self.cx.id => Some(vec![ptr]),
            None => {
                let position = func.params.iter().position(|p| p.value == v)?;
                let mut begin = Vec::new();
                for (_, inst) in self.cx.func.inst_order() {
                    if self.cx.facts.called(self.cx.m, self.cx.sources, (self.cx.id, self.cx.func), inst).contains(&id)
                    {
                        let call = self.cx.func.insts[inst].kind.as_call()?;
                        begin.extend(self.beginnings(self.cx.id, *call.args.get(position)?, deeper)?);
                    }
                }
                (!begin.is_empty()).then_some(begin)
            }
        }
    }
}

/// How deep an address is looked into.
const DEPTH: usize = 40;

/// Is a variable of the stack there as long as its function's frame: of a fixed size, and allocated in the entry before
/// the stack is saved?
fn is_there_from_the_entry(m: &Module, func: &Function, site: InstId) -> bool {
    let InstKind::Alloca { count, .. } = &func.insts[site].kind else { return false };
    let saves = |inst: &InstId| {
        let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
        callee.is_some_and(|f| m.functions[f].name.starts_with("llvm.stacksave"))
    };
    let before = func.blocks[func.entry()].insts.iter().take_while(|inst| !saves(inst));
    count.is_none_or(|n| n.constant().is_some()) && before.into_iter().any(|inst| *inst == site)
}

/// Is it a block of an allocator of which it is known what frees it?
fn is_standard_block(cx: &Context, f: FuncId, site: InstId) -> bool {
    let func = &cx.sources[&f];
    let Some(call) = func.insts[site].kind.as_call() else { return false };
    let told = cx.m.as_function(call.callee).and_then(|callee| attributes::allocates(&cx.m.functions[callee]));
    told.is_none() && externals::allocates_blocks(name_of(cx, call))
}
