//! What is moved as a member of a union that it may not be.
//!
//! A union that goes through registers (a structure that is passed by value, or that an optimiser takes apart) goes as
//! one of its members: as a `double`, where a `float` or a pointer may be. As long as the value is only computed with,
//! or leads somewhere, it was that member. Where it is put back to where several kinds of data lie at one place, it may
//! have been another, whose shadow or adjoint nobody has moved. So each value loaded from such a place is followed,
//! through registers, memory and calls, to such a place again, and refused there. Moves as integers are followed by
//! what memory holds ([`crate::analysis::memory::integer_lanes`]), and those that can be are made such before
//! ([`crate::normalise::unions`]).

use crate::analysis::memory::Facts;
use crate::analysis::memory::object::{ObjId, Targets};
use crate::analysis::memory::place::Place;
use crate::error::{Diagnostic, Reason};
use crate::normalise::sources::Sources;
use crate::program::cell::{Cell, Span, typed};
use crate::program::externals::{External, classify};
use ir::hash::{HashMap, HashSet};
use ir::{CastOp, FuncId, Function, InstId, InstKind, Module, Operand, TypeId, ValueId};

/// Places that are told apart in one object.
const MAX_PLACES: usize = 64;

/// What may be another member than its type says.
#[derive(Default)]
struct Disguised {
    values: HashSet<(FuncId, ValueId)>,
    /// Functions that return such.
    returned: HashSet<FuncId>,
    /// Where such has been stored, with its size.
    memory: HashMap<ObjId, Vec<(Place, u64)>>,
    changed: bool,
}

impl Facts {
    /// Refuses moves of a union as one of its members to where its other members are read.
    pub(super) fn refuse_disguised(&self, m: &Module, sources: &Sources) -> Result<(), Diagnostic> {
        if !self.objects.iter().any(|(id, _)| self.has_several_kinds(id)) {
            return Ok(());
        }
        let mut found = Disguised { changed: true, ..Disguised::default() };
        while std::mem::take(&mut found.changed) {
            for (id, func) in sources {
                for (_, inst) in func.inst_order() {
                    found.pass(self, m, sources, (*id, func, inst));
                }
            }
        }
        for (id, func) in sources {
            for (_, inst) in func.inst_order() {
                let moved = |value: &Operand| value.local().is_some_and(|v| found.values.contains(&(*id, v)));
                let lost = match &func.insts[inst].kind {
                    InstKind::Store { value, ptr, .. } if moved(value) => {
                        self.shares(m, &self.points_to(m, *id, *ptr), m.operand_ty(func, *value))
                    }
                    InstKind::Cast { op: CastOp::PtrToInt, value, .. } => moved(value),
                    _ => false,
                };
                if lost {
                    let message = "a union is moved as one of its members, and may hold another, whose shadow or \
                        adjoint is not moved: copy it as a whole, or compute with the number";
                    return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, message));
                }
            }
        }
        Ok(())
    }

    /// Memory with a shadow that holds pointers and floats, or floats of several kinds.
    fn has_several_kinds(&self, id: ObjId) -> bool {
        let object = &self.objects[id];
        let mut kinds = object.cells.values().filter(|cell| **cell != Cell::Int);
        self.is_shadowed(id) && object.varied && kinds.next().is_some_and(|first| kinds.any(|other| other != first))
    }

    /// Do data of other kinds than those of this type lie at their very places behind these pointers?
    fn shares(&self, m: &Module, targets: &Targets, ty: TypeId) -> bool {
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        typed(m, ty, 0, &mut data, &mut integers);
        targets.iter().filter(|(o, _)| self.has_several_kinds(**o)).any(|(o, place)| {
            data.iter().any(|datum| self.shares_with_another(m, *o, place.moved(datum.offset as i64, 0), datum))
        })
    }

    fn shares_with_another(&self, m: &Module, object: ObjId, place: Place, datum: &Span) -> bool {
        // Members of arrays with one step may be members of two arrays in one block.
        let same = |at: &Place, bytes: u64| {
            let bounded = at.stride == 0 && place.stride == 0;
            let record = place.stride > bytes.max(datum.size)
                && (at.stride, at.step, at.outer_step) == (place.stride, place.step, place.outer_step);
            (bounded || record) && at.overlaps(bytes, place, datum.size)
        };
        let another = |cell: Cell| match cell {
            Cell::Int => false,
            Cell::Ptr => datum.cell != Cell::Ptr,
            Cell::Float(_) | Cell::Either | Cell::Conflict => cell != datum.cell,
        };
        let leads = |to: &Targets| !self.are_plain(m, to) && to.keys().any(|o| self.is_shadowed(*o));
        self.objects[object].cells.iter().any(|((at, bytes), cell)| {
            let plain = || *cell == Cell::Ptr && !leads(&self.known_pointers(&Targets::from([(object, *at)])));
            another(*cell) && same(at, *bytes) && !plain()
        })
    }
}

impl Disguised {
    fn has(&self, id: FuncId, value: Operand) -> bool {
        value.local().is_some_and(|v| self.values.contains(&(id, v)))
    }

    fn add(&mut self, id: FuncId, value: Option<ValueId>) {
        self.changed |= value.is_some_and(|v| self.values.insert((id, v)));
    }

    /// What an instruction hands on.
    fn pass(&mut self, facts: &Facts, m: &Module, sources: &Sources, (id, func, inst): (FuncId, &Function, InstId)) {
        let data = &func.insts[inst];
        match &data.kind {
            InstKind::Load { ptr, .. } => {
                let targets = facts.points_to(m, id, *ptr);
                let (mut own, mut integers) = (Vec::new(), Vec::new());
                typed(m, data.ty, 0, &mut own, &mut integers);
                let kept = || !own.is_empty() && self.is_in(&targets, m.size_of(data.ty));
                if facts.shares(m, &targets, data.ty) || kept() {
                    self.add(id, data.result);
                }
            }
            InstKind::Store { value, ptr, .. } if self.has(id, *value) => {
                self.keep(&facts.points_to(m, id, *ptr), m.size_of(m.operand_ty(func, *value)));
            }
            InstKind::Phi { .. }
            | InstKind::Freeze(_)
            | InstKind::ExtractValue { .. }
            | InstKind::InsertValue { .. }
            | InstKind::ExtractElement { .. }
            | InstKind::InsertElement { .. }
            | InstKind::ShuffleVector { .. }
                if data.kind.operands().iter().any(|o| self.has(id, *o)) =>
            {
                self.add(id, data.result);
            }
            InstKind::Select { if_true, if_false, .. } if self.has(id, *if_true) || self.has(id, *if_false) => {
                self.add(id, data.result);
            }
            InstKind::Ret(Some(value)) if self.has(id, *value) => self.changed |= self.returned.insert(id),
            InstKind::Call(call) | InstKind::Invoke { call, .. } => {
                let Some(callee) = m.as_function(call.callee) else { return };
                if let Some(body) = sources.get(&callee) {
                    for (param, arg) in body.params.iter().zip(&call.args) {
                        if self.has(id, *arg) {
                            self.add(callee, Some(param.value));
                        }
                    }
                    if self.returned.contains(&callee) {
                        self.add(id, data.result);
                    }
                } else if matches!(classify(m, &m.functions[callee]), External::Copy)
                    && self.is_in(&facts.points_to(m, id, call.args[1]), 1)
                {
                    let size = m.as_int(call.args[2]).map_or(u64::MAX >> 1, |size| size as u64);
                    self.keep(&facts.points_to(m, id, call.args[0]), size);
                }
            }
            _ => {}
        }
    }

    fn is_in(&self, targets: &Targets, size: u64) -> bool {
        targets.iter().any(|(object, place)| {
            self.memory.get(object).is_some_and(|all| all.iter().any(|(at, bytes)| at.overlaps(*bytes, *place, size)))
        })
    }

    fn keep(&mut self, targets: &Targets, size: u64) {
        for (object, place) in targets {
            let places = self.memory.entry(*object).or_default();
            let everywhere = (Place::ANY, 1);
            if places.contains(&(*place, size)) || places.contains(&everywhere) {
                continue;
            }
            self.changed = true;
            match places.len() < MAX_PLACES {
                true => places.push((*place, size)),
                false => *places = vec![everywhere],
            }
        }
    }
}
