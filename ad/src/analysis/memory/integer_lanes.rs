//! What integers carry, and what becomes of active floats in them.
//!
//! The content of a value is told by memory it is loaded from or stored to, by bit casts, by TBAA, and by other values
//! along the byte moves of [`crate::analysis::memory::lanes`], in both directions: a copy has the type of what it
//! copies. Activity follows the same moves once the types are known. A datum that an instruction neither carries whole
//! nor leaves behind is *cut*: the result is bits of an active float. Only bits of the mantissa count: sign and
//! exponent are constant in a neighbourhood of all points but a few.

use crate::analysis::memory::blind::Blind;
use crate::analysis::memory::lanes::{Lanes, Move, mantissa_bits, moves, uniform};
use crate::analysis::memory::object::{MAX_MEMBERS, ObjId, ObjKind, Targets};
use crate::analysis::memory::place::Place;
use crate::analysis::memory::types::{moved, tbaa_cell};
use crate::analysis::memory::{Facts, Phase};
use crate::program::cell::{Cell, Span, leaves, typed};
use ir::{BinOp, CastOp, FuncId, Function, Inst, InstId, InstKind, Module, Operand, Type, TypeId};

/// What becomes of a datum of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    /// It is whole in the result.
    Carried,
    /// Nothing of it that matters is in the result.
    Gone,
    /// Parts of it are in the result, or it was computed with.
    Cut,
}

impl Facts {
    /// What an integer, or integers in a vector or an aggregate, carry.
    pub fn content(&self, func: FuncId, operand: Operand) -> &[Span] {
        operand.local().and_then(|v| self.content.get(&(func, v))).map_or(&[], Lanes::spans)
    }

    /// The scalar floats and pointers in a value: by its type, and by what its integers carry. In order of offset.
    pub fn leaves(&self, m: &Module, id: FuncId, func: &Function, operand: Operand) -> Vec<Span> {
        leaves(m, m.operand_ty(func, operand), self.content(id, operand))
    }

    /// Adds to the content of a value, where its type leaves room for it.
    pub(super) fn add_content(&mut self, m: &Module, id: FuncId, func: &Function, operand: Operand, span: Span) {
        let Operand::Local(v) = operand else { return };
        if self.content(id, operand).contains(&span) {
            return;
        }
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        typed(m, func.value_ty(v), 0, &mut data, &mut integers);
        if integers.iter().any(|(at, size)| span.is_within(*at, *size)) && !self.overlooks(Blind::CarriedFloat) {
            self.changed |= self.content.entry((id, v)).or_default().add(span);
        }
    }

    /// Content along the moves of an instruction, both ways.
    pub(super) fn flow_content(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst) {
        let Some(v) = inst.result.map(Operand::Local) else { return };
        let operands = inst.kind.operands();
        if !holds_integer(m, inst.ty) && !operands.iter().any(|o| holds_integer(m, m.operand_ty(func, *o))) {
            return;
        }
        for step in moves(m, func, inst) {
            if step.operand.local().is_none() {
                continue;
            }
            for span in self.leaves(m, id, func, step.operand) {
                if let Some(span) = step.forward(&span) {
                    self.add_content(m, id, func, v, span);
                }
            }
            for span in self.leaves(m, id, func, v).into_iter().filter(tells_back) {
                if let Some(span) = step.backward(&span) {
                    self.add_content(m, id, func, step.operand, span);
                }
            }
        }
    }

    /// Content between a value and another of the same type (an argument `a` and its parameter `b`), both ways.
    pub(super) fn share_content(
        &mut self,
        m: &Module,
        (a, fa, x): (FuncId, &Function, Operand),
        (b, fb, y): (FuncId, &Function, Operand),
    ) {
        for span in self.content(a, x).to_vec() {
            self.add_content(m, b, fb, y, span);
        }
        for span in self.content(b, y).to_vec().into_iter().filter(tells_back) {
            self.add_content(m, a, fa, x, span);
        }
    }

    /// Content between a value and what a function returns, both ways. The value is the one that is returned there, or
    /// else the result of a call.
    pub(super) fn share_return(
        &mut self,
        m: &Module,
        of: FuncId,
        (id, func, value): (FuncId, &Function, Operand),
        returned: bool,
    ) {
        for span in self.content(id, value).to_vec().into_iter().filter(|s| returned || tells_back(s)) {
            self.changed |= self.ret_content.entry(of).or_default().add(span);
        }
        for span in self.return_content(of).to_vec().into_iter().filter(|s| !returned || tells_back(s)) {
            self.add_content(m, id, func, value, span);
        }
    }

    /// Types that a load or store of `value` tells of its memory, and the memory of the integers in it.
    pub(super) fn meet_memory(
        &mut self,
        m: &Module,
        targets: &Targets,
        inst: &Inst,
        (id, func, value): (FuncId, &Function, Operand),
    ) {
        let ty = m.operand_ty(func, value);
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        typed(m, ty, 0, &mut data, &mut integers);
        let plain = m.types.is_ptr(ty) && matches!(inst.kind, InstKind::Store { .. }) && {
            let stored = self.targets(m, id, value);
            self.are_plain(m, &stored)
        };
        if !data.is_empty() && !plain {
            self.seed_type(m, targets, ty);
        }
        self.note_floats(m, inst, targets, &data);
        let told = access_tag(m, inst, ty);
        if let (Some(cell), [(_, size)]) = (told, integers.as_slice()) {
            self.seed_cell(targets, cell, *size);
            self.add_content(m, id, func, value, Span { offset: 0, size: cell.size(*size), cell });
        }
        let loads = matches!(inst.kind, InstKind::Load { .. });
        let stores = !loads;
        for (at, size) in integers {
            for span in self.content(id, value).to_vec().into_iter().filter(|s| stores || tells_back(s)) {
                if span.is_within(at, size) && span.cell != Cell::Conflict {
                    self.seed_cell(&moved(targets, span.offset as i64, 0), span.cell, span.size);
                }
            }
            if size < 2 || self.is_plain_access(m, func, inst, targets) {
                continue;
            }
            for (object, place) in targets {
                for span in self.data_within(*object, *place, at, size) {
                    if span.cell != Cell::Conflict && (loads || tells_back(&span)) {
                        self.add_content(m, id, func, value, span);
                    }
                }
            }
        }
    }

    /// The floats and pointers that lie whole in `[at, at + size)` behind a place, by offset from it. In conflict is
    /// all of it where the members of the place do not agree: what lies there depends on an index.
    pub fn data_within(&self, object: ObjId, place: Place, at: u64, size: u64) -> Vec<Span> {
        let (cells, ends) = (&self.objects[object].cells, self.objects[object].ends());
        cells.within(ends, (place, at, size), || self.find_data_within(object, place, at, size))
    }

    fn find_data_within(&self, object: ObjId, place: Place, at: u64, size: u64) -> Vec<Span> {
        let mut out = self.data_at(object, place.start, at, size, false);
        if place.stride == 0 && place.extent() == 0 {
            return out;
        }
        let conflict = Span { offset: at, size, cell: Cell::Conflict };
        let first = self.data_at(object, place.start, at, size, true);
        let Some(members) = self.objects[object].witnesses(place, at, size) else { return vec![conflict] };
        for member in members {
            let other = self.data_at(object, member, at, size, true);
            let same = |x: &Span, y: &Span| (x.offset, x.size) == (y.offset, y.size);
            let turns = |x: &Span, y: &Span| same(x, y) && x.cell.may_take_turns() && y.cell.may_take_turns();
            let disagrees =
                |x: &Span, all: &[Span]| all.iter().any(|y| y != x && y.overlaps(x.offset, x.size) && !turns(x, y));
            let matters = |s: &&Span| s.cell != Cell::Int;
            if other.iter().filter(matters).any(|x| disagrees(x, &first))
                || first.iter().filter(matters).any(|x| disagrees(x, &other))
            {
                return vec![conflict];
            }
            for span in other.into_iter().filter(|s| s.cell != Cell::Int) {
                match out.iter_mut().find(|s| same(s, &span)) {
                    None => out.push(span),
                    Some(known) => known.cell = known.cell.join(span.cell),
                }
            }
        }
        out.sort_by_key(|s| s.offset);
        out
    }

    /// All data in the first `size` bytes behind a place, integers too; none if its members do not agree.
    pub(super) fn data_behind(&self, object: ObjId, place: Place, size: u64) -> Vec<Span> {
        if self.data_within(object, place, 0, size).iter().any(|s| s.cell == Cell::Conflict) {
            return Vec::new();
        }
        self.data_at(object, place.start, 0, size, true)
    }

    /// The data that lie whole in `[at, at + size)` behind offset `start`, by offset from there; integers if asked.
    pub(super) fn data_at(&self, object: ObjId, start: i64, at: u64, size: u64, integers: bool) -> Vec<Span> {
        let mut out: Vec<Span> = Vec::new();
        let (mut here, end) = (at, at + size);
        while here < end {
            let Some((first, bytes, cell)) = self.objects[object].cell_at(start.wrapping_add(here as i64)) else {
                here += 1;
                continue;
            };
            let offset = first.wrapping_sub(start);
            if cell == Cell::Int {
                // Byte by byte: a wide integer may overlay a float that starts within it.
                match out.last_mut().filter(|last| last.cell == Cell::Int && last.offset + last.size == here) {
                    Some(last) => last.size += 1,
                    None if integers => out.push(Span { offset: here, size: 1, cell }),
                    None => {}
                }
                here += 1;
            } else if offset >= at as i64 && offset as u64 + bytes <= end {
                out.push(Span { offset: offset as u64, size: bytes, cell });
                here = offset as u64 + bytes.max(1);
            } else {
                here += 1;
            }
        }
        out
    }

    /// Do `[at, at + size)` behind a place hold a part of a float, or something of which nobody knows what it is?
    pub fn cuts_float(&self, object: ObjId, place: Place, at: u64, size: u64) -> bool {
        let unknown = |here| {
            let found = self.objects[object].cell_at(place.start.wrapping_add(here as i64));
            matches!(found, Some((_, _, Cell::Conflict)))
        };
        self.splits_float(object, place, at, size)
            || (at..at + size).any(unknown)
            || self.data_within(object, place, at, size).iter().any(|s| s.cell == Cell::Conflict)
    }

    /// May a float have been put, as bytes or as an integer, where an integer is declared? Through an index: a single
    /// datum counts before an array's ([`crate::analysis::memory::object::Object::cell_at`]).
    fn hides_float(&self, object: ObjId, place: Place, at: u64, size: u64) -> bool {
        let place = place.moved(at as i64, 0);
        let indexed = |p: &Place| p.stride != 0 || p.extent() > 0;
        let mut cells = self.objects[object].cells.iter().filter(|(_, cell)| cell.float().is_some());
        self.objects[object].raw
            && cells.any(|((p, bytes), _)| indexed(p) && p.overlaps(*bytes, place, size))
            && !self.data_within(object, place, 0, size).iter().any(|span| span.cell.may_be_float())
    }

    /// Does a load or store move an integer and no more? Its TBAA tag says so, and memory that is not copied as bytes,
    /// or is accessed as a float too, holds data only of the types by which it is accessed (C11, 6.5, 6 and 7). Where
    /// addresses are kept as integers, an integer may be one.
    pub fn is_plain_access(&self, m: &Module, func: &Function, inst: &Inst, targets: &Targets) -> bool {
        let ty = match &inst.kind {
            InstKind::Store { value, .. } => m.operand_ty(func, *value),
            _ => inst.ty,
        };
        let told = |(o, place): (&ObjId, &Place)| {
            let object = &self.objects[*o];
            let bytes = object.raw || object.untagged;
            object.addresses.is_empty() && (!bytes || self.is_accessed_as_float(*o, *place))
        };
        access_tag(m, inst, ty) == Some(Cell::Int) && targets.iter().all(told)
    }

    /// Is a float that accesses tell of, and no copy, here at other times? Then an integer has taken its place: if
    /// bytes of the float had been copied to where integers are kept, nothing but the copy would tell of it.
    fn is_accessed_as_float(&self, object: ObjId, place: Place) -> bool {
        let object = &self.objects[object];
        let at = |start: i64| object.floats.iter().any(|(p, size)| p.covers(*size, start).is_some());
        let mut members = place.members(place.start, object.horizon());
        !object.floats.is_empty() && members.by_ref().take(MAX_MEMBERS).all(at) && members.next().is_none()
    }

    /// What a load or store of these data tells of the type of its memory.
    fn note_floats(&mut self, m: &Module, inst: &Inst, targets: &Targets, data: &[Span]) {
        let tagged = inst.metadata("tbaa").and_then(|tag| tbaa_cell(m, tag)).is_some_and(|cell| cell.float().is_some());
        for span in data.iter().filter(|span| span.cell.float().is_some()) {
            for (object, place) in targets {
                let object = &mut self.objects[*object];
                self.changed |= match tagged {
                    true => object.floats.insert((place.moved(span.offset as i64, 0), span.size)),
                    false => !std::mem::replace(&mut object.untagged, true),
                };
            }
        }
    }

    /// The type of accesses does not tell what lies in these objects.
    pub(super) fn set_raw(&mut self, targets: &Targets) {
        for object in targets.keys() {
            self.changed |= !self.objects[*object].raw;
            self.objects[*object].raw = true;
        }
    }

    /// The floats and pointers in `[at, at + size)` behind a pointer that a store there overwrites; in conflict where
    /// it overwrites a part of a float at each place that the pointer may name.
    pub fn overwritten(&self, targets: &Targets, at: u64, size: u64) -> Vec<Span> {
        let mut out = Lanes::default();
        for (object, place) in targets {
            for span in self.data_within(*object, *place, at, size) {
                out.add(span);
            }
            let parts = |start| self.splits_float(*object, Place::at(start), at, size);
            // A single byte is a part of whatever lies there; wider integers are declared, and lie among floats.
            let mut near = place.members(place.start, place.start.saturating_add(64));
            let splits = match size {
                1 => near.any(parts),
                _ => near.take(8).all(parts),
            };
            if splits {
                out.add(Span { offset: at, size, cell: Cell::Conflict });
            }
        }
        out.spans().to_vec()
    }

    /// May `[at, at + size)` behind a pointer be a part of a float, and an integer at another time? Of memory of the
    /// caller, whose shadow is the caller's, only where `all` of it is asked for.
    pub fn may_take_apart(&self, targets: &Targets, (at, size): (u64, u64), all: bool) -> bool {
        targets.iter().any(|(object, place)| {
            let own = matches!(self.objects[*object].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
            (own || all) && self.takes_apart(*object, *place, (at, size))
        })
    }

    /// May what an integer load takes be a part of an active float, and an integer at another time? That is decided by
    /// what becomes of it.
    pub fn reads_part(&self, m: &Module, (id, func): (FuncId, &Function), at: InstId) -> bool {
        let inst = &func.insts[at];
        let (InstKind::Load { ptr, .. }, Type::Int(_)) = (&inst.kind, m.types.get(m.types.scalar(inst.ty))) else {
            return false;
        };
        let targets = self.points_to(m, id, *ptr);
        let part = |(o, place): (&ObjId, &Place)| {
            self.objects[*o].varied && self.takes_apart(*o, *place, (0, m.layout.store_size(&m.types, inst.ty)))
        };
        targets.iter().any(part) && !self.is_plain_access(m, func, inst, &targets)
    }

    /// May `[at, at + size)` behind a place be a part of a float, for any member of the place? Of an index it is not
    /// known how far it goes: it may also be one of integers in front of the floats.
    pub(super) fn takes_apart(&self, object: ObjId, place: Place, (at, size): (u64, u64)) -> bool {
        let place = place.moved(at as i64, 0);
        self.objects[object].cells.iter().any(|((start, bytes), cell)| {
            let wider = cell.float().is_some() && cell.size(*bytes) > size;
            wider && place.overlaps(size, *start, cell.size(*bytes))
        })
    }

    /// Do `[at, at + size)` behind a place hold a part of a float?
    fn splits_float(&self, object: ObjId, place: Place, at: u64, size: u64) -> bool {
        (at..at + size).any(|here| {
            let found = self.objects[object].cell_at(place.start.wrapping_add(here as i64));
            found.is_some_and(|(first, bytes, cell)| {
                let offset = first.wrapping_sub(place.start);
                cell.float().is_some() && (offset < at as i64 || offset as u64 + bytes > at + size)
            })
        })
    }

    /// Activity of the operands' data in the result.
    pub(super) fn flow_data(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst) {
        let Some(v) = inst.result.filter(|_| self.phase == Phase::Activity) else { return };
        let float = m.types.float_kind(inst.ty).is_some();
        let steps = moves(m, func, inst);
        for operand in inst.kind.operands() {
            if let Some(from) = operand.local().and_then(|o| self.bits.get(&(id, o)).copied())
                && let Some(to) = spread(m, func, inst, operand, from)
                && !float
                && !selects(&inst.kind, operand)
            {
                self.set_bits((id, v), to);
            }
            if !self.is_active(id, operand) {
                continue;
            }
            for span in self.leaves(m, id, func, operand) {
                if !span.cell.may_be_float() {
                    continue;
                }
                match fate(m, func, inst, &steps, operand, &span) {
                    Fate::Carried => self.set_active((id, v)),
                    Fate::Gone => {}
                    Fate::Cut if self.roundings.is_sum(id, operand) => {}
                    Fate::Cut => {
                        if let Some(to) = spread(m, func, inst, operand, span.offset) {
                            self.set_bits((id, v), to);
                        }
                    }
                }
            }
        }
    }

    /// Activity of what a load gives.
    pub(super) fn load_data(&mut self, m: &Module, id: FuncId, func: &Function, inst: &Inst, targets: &Targets) {
        let Some(v) = inst.result.filter(|_| self.phase == Phase::Activity) else { return };
        let ty = inst.ty;
        let (mut data, mut integers) = (Vec::new(), Vec::new());
        typed(m, ty, 0, &mut data, &mut integers);
        let varied: Vec<(ObjId, Place)> =
            targets.iter().filter(|(o, _)| self.objects[**o].varied).map(|(o, p)| (*o, *p)).collect();
        let float = |s: &Span| s.cell.may_be_float();
        let carried = self.content(id, Operand::Local(v)).iter().any(float);
        if !varied.is_empty() && (carried || data.iter().any(float)) && !self.overlooks(Blind::LoadedActivity) {
            self.set_active((id, v));
        }
        let plain = self.is_plain_access(m, func, inst, targets);
        let cut = integers.iter().any(|(at, size)| {
            targets.keys().any(|o| self.objects[*o].bits)
                || !plain
                    && varied.iter().any(|(o, place)| {
                        self.cuts_float(*o, *place, *at, *size) || self.hides_float(*o, *place, *at, *size)
                    })
        });
        if cut {
            self.set_bits((id, v), 0);
        }
    }
}

/// Is the operand only a condition or an index of the instruction?
fn selects(kind: &InstKind, operand: Operand) -> bool {
    match kind {
        InstKind::Select { cond, if_true, if_false, .. } => {
            *cond == operand && *if_true != operand && *if_false != operand
        }
        InstKind::ExtractElement { vector, index } => *index == operand && *vector != operand,
        InstKind::InsertElement { vector, value, index } => {
            *index == operand && *vector != operand && *value != operand
        }
        _ => false,
    }
}

/// Does what is known of a copy tell what was copied? Memory in which pointers and floats take turns takes either.
pub(super) fn tells_back(span: &Span) -> bool {
    span.cell != Cell::Either
}

/// What becomes of a datum of an operand.
fn fate(m: &Module, func: &Function, inst: &Inst, steps: &[Move], operand: Operand, span: &Span) -> Fate {
    let mut own = steps.iter().filter(|s| s.operand == operand);
    if own.clone().any(|s| s.forward(span).is_some()) {
        return Fate::Carried;
    }
    if selects(&inst.kind, operand) {
        return Fate::Gone;
    }
    // The operations act on each element of a vector alike.
    let element = m.types.scalar(m.operand_ty(func, operand));
    let (bits, bytes) = (m.layout.bit_width(&m.types, element).unwrap_or(128), m.size_of(element).max(1));
    let local = Span { offset: span.offset % bytes, ..*span };
    let whole = local.offset + local.size <= bytes;
    let kept = |mask: u128| if whole && mask & mantissa(&local) == 0 { Fate::Gone } else { Fate::Cut };
    let below = |n: u64| if n >= 128 { u128::MAX } else { (1u128 << n) - 1 };
    match &inst.kind {
        InstKind::Binary { op, lhs, rhs, .. } => {
            let other = if *lhs == operand { *rhs } else { *lhs };
            match (op, uniform(m, other).filter(|_| *lhs == operand || *op == BinOp::And)) {
                (BinOp::And, Some(mask)) => kept(mask),
                (BinOp::LShr | BinOp::AShr, Some(by)) if by < 128 => kept(!below(by as u64)),
                (BinOp::Shl, Some(by)) if by < u128::from(bits) => kept(below(bits - by as u64)),
                _ => Fate::Cut,
            }
        }
        InstKind::Cast { op: CastOp::Trunc, .. } => {
            let width = m.layout.bit_width(&m.types, m.types.scalar(inst.ty)).unwrap_or(128);
            kept(below(width))
        }
        InstKind::Cast { .. } => Fate::Cut,
        InstKind::Call(call) if mixes_bits(m, func, call, operand) => Fate::Cut,
        _ if own.any(|s| span.overlaps(s.from, s.size)) => Fate::Cut,
        _ => Fate::Gone,
    }
}

/// Does an intrinsic compute with the bits of an integer operand: swap, turn, compare or combine them? What counts
/// zeros at the upper end finds exponents of numbers below the normal ones: it is constant between jumps.
fn mixes_bits(m: &Module, func: &Function, call: &ir::Call, operand: Operand) -> bool {
    let intrinsic = m.as_function(call.callee).map(|f| m.functions[f].name.as_str());
    intrinsic.is_some_and(|name| name.starts_with("llvm.") && !name.starts_with("llvm.ctlz."))
        && m.types.is_int(m.types.scalar(m.operand_ty(func, operand)))
}

/// The first byte of the result that depends on the bytes of an operand from `from` on; none if no byte does. Sums and
/// products carry upwards only.
pub(crate) fn spread(m: &Module, func: &Function, inst: &Inst, operand: Operand, from: u64) -> Option<u64> {
    let scalar = |ty| matches!(m.types.get(ty), Type::Int(bits) if *bits <= 128);
    if !scalar(inst.ty) || !scalar(m.operand_ty(func, operand)) {
        return Some(0);
    }
    let width = m.layout.bit_width(&m.types, inst.ty).unwrap_or(0);
    let to = match &inst.kind {
        InstKind::Phi { .. } | InstKind::Select { .. } | InstKind::Freeze(_) | InstKind::Cast { .. } => from,
        InstKind::Binary { op, lhs, rhs, .. } => {
            let constant = m.as_int(if *lhs == operand { *rhs } else { *lhs }).filter(|_| lhs != rhs);
            match (op, constant) {
                (BinOp::And, Some(mask)) if from < 16 && mask >> (8 * from) == 0 => return None,
                (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor, _) => from,
                (BinOp::Shl, Some(by)) if *lhs == operand => from + (by as u64) / 8,
                (BinOp::LShr, Some(by)) if *lhs == operand => from.saturating_sub((by as u64).div_ceil(8)),
                _ => 0,
            }
        }
        _ => 0,
    };
    (8 * to < width).then_some(to)
}

/// The bits of a datum's mantissa, in an integer of at most 128 bits; all bits of what is no float.
fn mantissa(span: &Span) -> u128 {
    let width = span.cell.float().map_or(8 * span.size, |kind| u64::from(mantissa_bits(kind)));
    let first = 8 * span.offset;
    let ones = if width >= 128 { u128::MAX } else { (1u128 << width) - 1 };
    if first >= 128 { 0 } else { ones << first }
}

/// The kind of data that the TBAA tag of a scalar access names.
pub(super) fn access_tag(m: &Module, inst: &Inst, ty: TypeId) -> Option<Cell> {
    matches!(m.types.get(ty), Type::Int(_)).then(|| inst.metadata("tbaa").and_then(|tag| tbaa_cell(m, tag)))?
}

/// Has a type a part that is an integer?
fn holds_integer(m: &Module, ty: TypeId) -> bool {
    match m.types.get(ty) {
        Type::Int(bits) => *bits >= 8,
        Type::Vector { elem, .. } | Type::Array { elem, .. } => holds_integer(m, *elem),
        _ => m.types.fields(ty).is_some_and(|(f, _)| f.iter().any(|t| holds_integer(m, *t))),
    }
}
