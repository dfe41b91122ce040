//! Values of the forward pass in the reverse pass: at hand, from the tape, computed again, or run again.

use crate::analysis::context::Item;
use crate::analysis::loops::counters::Induction;
use crate::analysis::memory::query::PointerKind;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::wanted::Wanted;
use crate::base::alias_scopes;
use crate::base::regions::Region;
use crate::emit::shadow_memory::is_data;
use crate::error::Diagnostic;
use crate::options::Fault;
use crate::plan::data::{ALIGN, Field};
use crate::reverse::{Emitter, pieces};
use crate::runtime::tape::TAPE_ALIGN;
use ir::loops::LoopId;
use ir::{BinOp, CastOp, InstId, InstKind, Operand, Role, Type};

impl Emitter<'_, '_> {
    /// A primal value in the reverse of the current block.
    pub(super) fn reverse_primal(&mut self, operand: Operand) -> Result<Operand, Diagnostic> {
        match operand {
            Operand::Local(v) => self.fetch(Item::Primal(v)),
            constant => Ok(constant),
        }
    }

    /// A shadow pointer in the reverse of the current block.
    pub(super) fn reverse_shadow(&mut self, operand: Operand) -> Result<Operand, Diagnostic> {
        match operand {
            Operand::Const(c) => Ok(self.constant_shadow(c)),
            Operand::Local(v) => match self.cx().pointer_kind(operand) {
                PointerKind::Constant => self.fetch(Item::Primal(v)),
                PointerKind::Duplicated | PointerKind::Mixed => self.fetch(Item::Shadow(v)),
            },
        }
    }

    /// An item as seen from the current block.
    pub(super) fn fetch(&mut self, item: Item) -> Result<Operand, Diagnostic> {
        let wanted = Wanted::new(self.func, self.shape, item, self.shape.region(self.here));
        let origin = self.b.origin;
        self.role(Role::Pop);
        let value = self.fetch_wanted(wanted);
        self.b.origin = origin;
        value
    }

    /// A primal value as seen from a region.
    pub(super) fn seen_from(&mut self, operand: Operand, region: Region) -> Result<Operand, Diagnostic> {
        match operand {
            Operand::Local(v) => self.fetch_wanted(Wanted::new(self.func, self.shape, Item::Primal(v), region)),
            constant => Ok(constant),
        }
    }

    fn fetch_wanted(&mut self, wanted: Wanted) -> Result<Operand, Diagnostic> {
        if let Some(value) = self.fetched.get(&wanted) {
            return Ok(*value);
        }
        let origin = self.b.origin;
        self.brings_back(wanted.item);
        let value = if self.plan.stored.contains(&wanted) {
            self.read(wanted.region, Field::Value(wanted.item))?
        } else {
            match self.plan.recipes.get(&wanted) {
                Some(Recipe::Free) => self.at_hand(wanted.item)?,
                Some(Recipe::Again(inst, _)) => self.again(*inst, wanted)?,
                Some(Recipe::Count(induction, _)) => self.count(*induction, wanted)?,
                Some(Recipe::Replay(..)) => self.replayed(wanted)?,
                Some(Recipe::Store) | None => return self.bug(format!("{wanted:?} is needed but was not planned")),
            }
        };
        self.b.origin = origin;
        self.fetched.insert(wanted, value);
        Ok(value)
    }

    /// What reads or computes an item again stands for the instruction that the item comes from.
    fn brings_back(&mut self, item: Item) {
        let inst = match item {
            Item::Primal(v) | Item::Shadow(v) => match self.func.values[v].def {
                ir::ValueDef::Inst(inst) => inst,
                ir::ValueDef::Param(_) => return,
            },
            Item::Record(inst) => inst,
        };
        if let Some(origin) = &mut self.b.origin {
            origin.inst = inst;
        }
    }

    fn at_hand(&mut self, item: Item) -> Result<Operand, Diagnostic> {
        let value = match item {
            Item::Primal(v) => self.primal.get(&v).copied(),
            Item::Shadow(v) => Some(self.shadow_of(Operand::Local(v))),
            Item::Record(i) => self.call_records.get(&i).copied(),
        };
        match value {
            Some(value) => Ok(value),
            None => self.bug(format!("{item:?} is not at hand")),
        }
    }

    /// The operand of a recomputed instruction, seen from the region of the result.
    fn operand(&mut self, operand: Operand, shadow: bool, region: Region) -> Result<Operand, Diagnostic> {
        let Operand::Local(v) = operand else {
            return Ok(match operand {
                Operand::Const(c) if shadow => self.constant_shadow(c),
                other => other,
            });
        };
        let constant = self.cx().pointer_kind(operand) == PointerKind::Constant;
        let item = if shadow && !constant { Item::Shadow(v) } else { Item::Primal(v) };
        self.fetch_wanted(Wanted::new(self.func, self.shape, item, region))
    }

    fn again(&mut self, inst: InstId, wanted: Wanted) -> Result<Operand, Diagnostic> {
        let data = self.func.insts[inst].clone();
        if let InstKind::Store { value, ptr, align, .. } = data.kind {
            let ptr = self.operand(ptr, false, wanted.region)?;
            let id = self.b.push(InstKind::Load { ptr, align, volatile: false, atomic: None }, self.cx().ty(value));
            self.reloads.insert(id);
            self.b.f.insts[id].metadata = data.metadata;
            alias_scopes::leave_scopes(&mut self.b.f.insts[id].metadata);
            return Ok(self.b.result(id));
        }
        let shadow = matches!(wanted.item, Item::Shadow(v) if self.cx().has_shadow(Operand::Local(v)));
        let mut operands = data.kind.operands();
        // A call's callee comes last and is a constant.
        for (position, operand) in operands.iter_mut().enumerate() {
            *operand = self.operand(*operand, shadow && is_data(&data.kind, position), wanted.region)?;
        }
        let mut kind = if shadow { pieces::without_promises(&data) } else { data.kind.clone() };
        let mut mapped = operands.into_iter();
        kind.for_each_operand_mut(|o| {
            if let Some(new) = mapped.next() {
                *o = new;
            }
        });
        let mut metadata = data.metadata.clone();
        if matches!(data.kind, InstKind::Load { ptr, .. } if !self.cx().never_written(ptr)) {
            alias_scopes::leave_scopes(&mut metadata);
        }
        let id = self.b.push(kind, data.ty);
        self.b.f.insts[id].metadata = metadata;
        self.reloads.extend((!shadow && matches!(data.kind, InstKind::Load { .. })).then_some(id));
        Ok(self.b.result(id))
    }

    /// `start + step · iteration`
    fn count(&mut self, induction: Induction, wanted: Wanted) -> Result<Operand, Diagnostic> {
        let shadow = matches!(wanted.item, Item::Shadow(_));
        let start = self.operand(induction.start, shadow, wanted.region)?;
        let step = self.operand(induction.step, false, wanted.region)?;
        let i64t = self.b.m.types.int(64);
        let slot = self.loop_counts[&induction.of];
        let index = self.b.load(i64t, slot, 8);
        let ty = self.b.ty(step);
        let lane = self.b.m.types.scalar(ty);
        let index = match self.b.m.types.get(lane) {
            Type::Int(bits) if *bits < 64 => self.b.cast(CastOp::Trunc, index, lane),
            Type::Int(bits) if *bits > 64 => self.b.cast(CastOp::ZExt, index, lane),
            _ => index,
        };
        let index = if lane == ty { index } else { self.b.splat(index, ty) };
        let moved = self.b.binary(BinOp::Mul, step, index);
        if self.b.m.types.is_ptr(self.b.ty(start)) {
            return Ok(self.b.offset_by(start, moved));
        }
        Ok(self.b.binary(if induction.down { BinOp::Sub } else { BinOp::Add }, start, moved))
    }

    /// The record of a region in the reverse pass.
    pub(super) fn reverse_record(&mut self, region: Region) -> Operand {
        match region {
            None => self.records[&None],
            Some(l) => {
                let ptr = self.b.m.types.ptr();
                let slot = self.loop_records[&l];
                self.b.load(ptr, slot, 8)
            }
        }
    }

    /// The record of a loop's last iteration as the region around the loop keeps it; of an array the first one.
    pub(super) fn kept_record(&mut self, l: LoopId) -> Result<Operand, Diagnostic> {
        let parent = self.shape.parent(l);
        if !self.plan.nested.contains_key(&l) {
            return self.read(parent, Field::Last(l));
        }
        let start = match self.plan.is_first(self.shape, l) {
            true => self.b.m.int(64, u128::from(self.record_types[&parent].size.next_multiple_of(ALIGN))),
            false => self.read(self.plan.around_array(self.shape, l), Field::Start(l))?,
        };
        let record = self.reverse_record(parent);
        Ok(self.b.offset_by(record, start))
    }

    /// How many bytes lie from one record of an array to the next.
    pub(super) fn stride(&mut self, l: LoopId) -> Result<Operand, Diagnostic> {
        if self.plan.inner(self.shape, l).next().is_some() {
            return self.read(self.plan.around_array(self.shape, l), Field::Stride(l));
        }
        Ok(self.b.m.int(64, u128::from(self.record_types[&Some(l)].size)))
    }

    /// Reads a field of the current record of a region.
    pub(super) fn read(&mut self, region: Region, field: Field) -> Result<Operand, Diagnostic> {
        let found = self.plan.layouts.get(&region).and_then(|l| l.index(field).map(|i| (i, l.fields[i as usize].1)));
        let Some((index, ty)) = found else { return self.bug(format!("{field:?} has no place on the tape")) };
        let mut record = self.reverse_record(region);
        if self.has_fault(Fault::WrongIteration)
            && let (Some(l), Field::Value(_)) = (region, field)
        {
            record = self.kept_record(l)?;
        }
        let at = self.field(region, record, index);
        let align = self.b.align(ty).min(TAPE_ALIGN);
        let id = self.b.push(InstKind::Load { ptr: at, align, volatile: false, atomic: None }, ty);
        alias_scopes::is_in(&mut self.b.f.insts[id].metadata, self.record_list);
        Ok(self.b.result(id))
    }
}
