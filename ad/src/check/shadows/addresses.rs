//! What has a shadow, and for what has none, the reason.

use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::memory::place::Place;
use crate::check::shadows::{self, At, Checker, Found, holds_float, is_copy};
use crate::mode::Activity;
use crate::program::attributes::ROUTINE;
use ir::hash::HashSet;
use ir::{Call, FuncId, Function, InstId, InstKind, Operand};

/// A read of floats in memory that the call marks constant.
pub(super) struct Read {
    reader: FuncId,
    object: ObjId,
    place: Place,
    size: u64,
}

/// Bytes of a copy of unknown length.
const UNKNOWN: u64 = 1 << 40;

impl Checker<'_> {
    /// Has all memory a shadow that asks for one?
    pub(super) fn objects(&self) -> Found {
        for (id, object) in self.facts.objects.iter() {
            let active = object.varied || object.pointers.values().flat_map(|t| t.keys()).any(|o| self.has_shadow(*o));
            let given = matches!(object.kind, ObjKind::External { constant: false, .. });
            if (given || active) && !self.has_shadow(id) && !self.is_declared(id) {
                return Err("memory that may hold active values, or addresses of such memory, has no shadow");
            }
        }
        Ok(())
    }

    /// Is what the call duplicates or leaves active taken for that?
    pub(super) fn parameters(&self) -> Found {
        let Some((root, activities)) = self.facts.asked() else { return Ok(()) };
        for (i, (param, activity)) in self.sources[root].params.iter().zip(activities).enumerate() {
            let value = Operand::Local(param.value);
            if self.m.types.is_ptr(param.ty) {
                let constant = *activity == Activity::Const;
                let object = self.facts.site(ObjKind::External { param: i, depth: 0, constant, parent: None });
                let leads = object.is_some_and(|object| self.targets(*root, value).contains_key(&object));
                let varied = object.is_some_and(|object| constant || self.facts.objects[object].varied);
                if !leads || !varied {
                    return Err("the memory of an argument is not what its parameter leads to");
                }
            } else if *activity != Activity::Const && holds_float(self.m, param.ty) && !self.active(*root, value) {
                return Err("an active argument is taken for a constant");
            }
        }
        Ok(())
    }

    fn has_shadow(&self, object: ObjId) -> bool {
        self.facts.is_shadowed(object)
    }

    /// Memory that the call marks constant, or a variable that the program declares inactive.
    fn is_marked(&self, object: ObjId) -> bool {
        match self.facts.objects[object].kind {
            ObjKind::External { constant, .. } => constant,
            ObjKind::Global(g) => self.m.globals[g].attrs.has("enzyme_inactive"),
            _ => false,
        }
    }

    /// Does the call or the program say that there is no shadow?
    fn is_declared(&self, object: ObjId) -> bool {
        match self.facts.objects[object].kind {
            ObjKind::External { constant, param, .. } => constant && self.is_said_constant(param),
            ObjKind::Global(g) => self.m.globals[g].attrs.has("enzyme_inactive"),
            ObjKind::Function(_) | ObjKind::Opaque => true,
            ObjKind::Stack(..) | ObjKind::Heap(..) | ObjKind::Lost => false,
        }
    }

    /// Has the call marked the argument constant, or may it turn out to be in the run?
    fn is_said_constant(&self, param: usize) -> bool {
        let marked = self.facts.asked().and_then(|(_, activities)| activities.get(param)) == Some(&Activity::Const);
        marked || self.facts.is_told_at_run_time()
    }

    /// Is what a store writes kept: has the memory a shadow, or is there a reason?
    pub(super) fn stores(&self, at: At) -> Found {
        match &at.func.insts[at.inst].kind {
            InstKind::Store { value, ptr, .. } | InstKind::AtomicRmw { value, ptr, .. }
                if self.active_number(at, *value) =>
            {
                let size = self.m.layout.store_size(&self.m.types, self.m.operand_ty(at.func, *value));
                self.keeps_active(at, *ptr, size)
            }
            InstKind::Call(call) | InstKind::Invoke { call, .. } => self.call_stores(at, call),
            _ => Ok(()),
        }
    }

    fn keeps_active(&self, at: At, ptr: Operand, size: u64) -> Found {
        let targets = self.targets(at.id, ptr);
        if targets.is_empty() && !shadows::leads_nowhere(self.m, ptr) && !self.facts.leads_elsewhere(self.m, at.id, ptr)
        {
            return Err("an active value is stored behind an address of which nothing is known");
        }
        for (object, place) in targets {
            if self.has_shadow(object) {
                if !self.facts.objects[object].varied {
                    return Err("memory in which an active value is stored is taken for constant");
                }
            } else if !self.is_declared(object) {
                return Err("memory in which an active value is stored has no shadow");
            } else if self.is_read_again(at, object, place, size) && !self.is_guarded(at) {
                return Err("an active value is stored in constant memory, and read again");
            }
        }
        Ok(())
    }

    /// A gradient that comes to lose something there stops; with activity told at run time it is the caller's word
    /// that nothing is lost.
    fn is_guarded(&self, at: At) -> bool {
        self.facts.may_lose_to_constant(at.id, at.inst) || self.facts.is_told_at_run_time()
    }

    fn is_read_again(&self, at: At, object: ObjId, place: Place, size: u64) -> bool {
        let deep = matches!(self.facts.objects[object].kind, ObjKind::External { depth: 1.., .. });
        let reads = self.reads.get_or_init(|| self.constant_reads());
        // What a routine of BLAS makes of its operands is their new value, and no more.
        let others = |r: &&Read| r.reader != at.id || !at.func.attrs.has(ROUTINE);
        reads.iter().filter(others).any(|r| r.object == object && (deep || place.overlaps(size, r.place, r.size)))
    }

    /// Reads of floats in memory without a shadow, from which they go elsewhere.
    pub(super) fn constant_reads(&self) -> Vec<Read> {
        let mut out = Vec::new();
        for (id, func) in self.sources {
            for (_, inst) in func.inst_order() {
                let data = &func.insts[inst];
                let read = match &data.kind {
                    InstKind::Load { ptr, .. } | InstKind::AtomicRmw { ptr, .. } if holds_float(self.m, data.ty) => {
                        let constant = self.targets(*id, *ptr).keys().any(|o| self.is_marked(*o));
                        let read = constant && self.leaves(*id, func, inst, *ptr);
                        read.then(|| (*ptr, self.m.size_of(data.ty)))
                    }
                    InstKind::Call(call) => self
                        .outside(call)
                        .filter(|name| is_copy(name))
                        .map(|_| (call.args[1], self.m.as_int(call.args[2]).map_or(UNKNOWN, |size| size as u64))),
                    _ => None,
                };
                if let Some((ptr, size)) = read {
                    for (object, place) in self.targets(*id, ptr) {
                        if self.is_marked(object) {
                            out.push(Read { reader: *id, object, place, size });
                        }
                    }
                }
            }
        }
        out
    }

    /// May what is loaded, or made of it, go elsewhere than to comparisons and back to its own memory? Its users,
    /// until there are no new
    /// ones.
    fn leaves(&self, id: FuncId, func: &Function, load: InstId, from: Operand) -> bool {
        let home = self.targets(id, from);
        let mut made: HashSet<Operand> = func.insts[load].result.map(Operand::Local).into_iter().collect();
        loop {
            let known = made.len();
            for (_, inst) in func.inst_order() {
                let data = &func.insts[inst];
                if !data.kind.operands().iter().any(|o| made.contains(o)) {
                    continue;
                }
                match (&data.kind, data.result) {
                    (InstKind::FCmp { .. } | InstKind::ICmp { .. }, _) => {}
                    (InstKind::Store { ptr, .. }, _) => {
                        // One object, or the very pointer, of the same turn of a loop.
                        let same = home.len() == 1 && self.targets(id, *ptr).keys().eq(home.keys());
                        if !same && *ptr != from {
                            return true;
                        }
                    }
                    (InstKind::Call(call), result) => match (self.outside(call).and_then(rules::lookup), result) {
                        (Some(_), Some(v)) => {
                            made.insert(Operand::Local(v));
                        }
                        // What only shows it gives no number back.
                        _ if self.outside(call).is_some() && !holds_float(self.m, data.ty) => {}
                        _ => return true,
                    },
                    (InstKind::Ret(_), _) | (_, None) => return true,
                    (InstKind::Phi { .. }, _) if home.len() != 1 => return true,
                    (_, Some(v)) => {
                        made.insert(Operand::Local(v));
                    }
                }
            }
            if made.len() == known {
                return false;
            }
        }
    }

    fn call_stores(&self, at: At, call: &Call) -> Found {
        let Some(name) = self.outside(call) else { return Ok(()) };
        if is_copy(name) {
            let size = self.m.as_int(call.args[2]).map(|size| size as u64);
            let number = |(o, place)| self.facts.objects[o].varied && !self.moves_characters(o, place, size);
            let varied = self.targets(at.id, call.args[1]).into_iter().any(number);
            // What comes to characters are bits of numbers, if it is numbers.
            let kept = |(o, place): (ObjId, Place)| {
                self.facts.objects[o].varied || self.is_declared(o) || self.moves_characters(o, place, size)
            };
            let lost = varied && !self.targets(at.id, call.args[0]).into_iter().all(kept);
            return if lost { Err("active memory is copied to memory that is taken for constant") } else { Ok(()) };
        }
        let Some(row) = rules::lookup(name).map(|symbol| symbol.row) else { return Ok(()) };
        let floats: Vec<usize> = row.float_positions().collect();
        for (n, output) in row.outputs.iter().enumerate() {
            let rules::Place::Pointer(position) = output.place else { continue };
            let active =
                |operand: usize| call.args.get(floats[operand]).is_some_and(|arg| self.active_number(at, *arg));
            if row.partials(n).iter().any(|p| !p.expr.is_zero() && active(p.operand)) {
                self.keeps_active(at, call.args[position], 16)?;
            }
        }
        Ok(())
    }
}
