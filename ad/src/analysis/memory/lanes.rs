//! Data inside values: which bytes of an integer, vector or aggregate hold which datum, and how instructions move
//! bytes.
//!
//! The ABI passes small structures as integers, optimisers copy and merge data as integers, and C programs take floats
//! apart with `memcpy`. So the *content* of a value is a list of spans, by byte offset in the value's memory layout
//! (little endian: byte 0 is the lowest). [`moves`] is the one account of what an instruction does to bytes: which
//! bytes of an operand arrive where in the result. Types, activity and the adjoint all follow it. What no move carries
//! whole has been computed with: its way back to a float is refused ([`crate::analysis::memory::validate`]).

use crate::program::cell::{Cell, Span};
use ir::{BinOp, CastOp, ConstKind, FloatKind, Function, Inst, InstKind, Module, Operand, Type, TypeId};

/// How far the zero bits of an operand are traced.
const MAX_TRACE: u32 = 8;

/// The data in a value, in order of offset; bytes not mentioned are plain integers or unknown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lanes(Vec<Span>);

impl Lanes {
    /// The spans.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    /// Adds a datum; says whether that changed anything. Where it overlaps another in any other way than exactly, both
    /// are in conflict.
    pub fn add(&mut self, mut span: Span) -> bool {
        if span.cell == Cell::Int {
            return false;
        }
        let mut changed = false;
        let mut known = false;
        for old in self.0.iter_mut().filter(|o| o.overlaps(span.offset, span.size)) {
            if (old.offset, old.size) == (span.offset, span.size) {
                known = true;
                let joined = old.cell.join(span.cell);
                changed |= joined != old.cell;
                old.cell = joined;
            } else {
                changed |= old.cell != Cell::Conflict;
                old.cell = Cell::Conflict;
                span.cell = Cell::Conflict;
            }
        }
        if !known {
            let at = self.0.partition_point(|o| (o.offset, o.size) < (span.offset, span.size));
            self.0.insert(at, span);
            changed = true;
        }
        changed
    }
}

/// Bytes `[from, from + size)` of the operand become bytes `[to, to + size)` of the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The operand.
    pub operand: Operand,
    /// First byte in the operand.
    pub from: u64,
    /// First byte in the result.
    pub to: u64,
    /// Number of bytes.
    pub size: u64,
}

impl Move {
    /// A span of the operand, as a span of the result, if it is carried whole.
    pub fn forward(&self, span: &Span) -> Option<Span> {
        span.is_within(self.from, self.size).then(|| Span { offset: span.offset - self.from + self.to, ..*span })
    }

    /// A span of the result, as a span of the operand, if all of it comes from there.
    pub fn backward(&self, span: &Span) -> Option<Span> {
        span.is_within(self.to, self.size).then(|| Span { offset: span.offset - self.to + self.from, ..*span })
    }
}

/// The bytes that an instruction moves from its operands to its result.
pub fn moves(m: &Module, func: &Function, inst: &Inst) -> Vec<Move> {
    let all = |operand: Operand| Move { operand, from: 0, to: 0, size: m.size_of(inst.ty).max(1) };
    let mut out = Vec::new();
    match &inst.kind {
        InstKind::Phi { incoming, .. } => out.extend(incoming.iter().map(|(v, _)| all(*v))),
        InstKind::Select { if_true, if_false, .. } => out.extend([all(*if_true), all(*if_false)]),
        InstKind::Freeze(v) | InstKind::Cast { op: CastOp::BitCast, value: v, .. } => out.push(all(*v)),
        InstKind::ExtractValue { aggregate, indices } => {
            let (at, size) = member(m, m.operand_ty(func, *aggregate), indices);
            out.push(Move { operand: *aggregate, from: at, to: 0, size });
        }
        InstKind::InsertValue { aggregate, value, indices } => {
            let (at, size) = member(m, inst.ty, indices);
            out.extend(around(all(*aggregate), at, size));
            out.push(Move { operand: *value, from: 0, to: at, size });
        }
        InstKind::ExtractElement { vector, index } => {
            let ty = m.operand_ty(func, *vector);
            for (_, at, size) in elements(m, ty, *index) {
                out.push(Move { operand: *vector, from: at, to: 0, size });
            }
        }
        InstKind::InsertElement { vector, value, index } => {
            let constant = m.as_int(*index).is_some();
            for (_, at, size) in elements(m, inst.ty, *index) {
                out.push(Move { operand: *value, from: 0, to: at, size });
                if constant {
                    out.extend(around(all(*vector), at, size));
                }
            }
            if !constant {
                out.push(all(*vector));
            }
        }
        InstKind::ShuffleVector { a, b, mask } => shuffle(m, func, inst, [*a, *b], mask, &mut out),
        InstKind::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value, .. } => {
            resize(m, m.operand_ty(func, *value), inst.ty, *value, &mut out);
        }
        InstKind::Binary { op, lhs, rhs, .. } if whole_bytes(m, inst.ty) => {
            arithmetic(m, func, *op, *lhs, *rhs, &mut out)
        }
        _ => {}
    }
    join(out)
}

/// The rest of a move without `[at, at + size)` of the result.
fn around(whole: Move, at: u64, size: u64) -> Vec<Move> {
    let (end, last) = (at + size, whole.to + whole.size);
    let part =
        |first: u64, end: u64| Move { from: whole.from + first - whole.to, to: first, size: end - first, ..whole };
    let mut out = Vec::new();
    if at > whole.to {
        out.push(part(whole.to, at));
    }
    if end < last {
        out.push(part(end, last));
    }
    out
}

/// Offset and size of a member of an aggregate.
fn member(m: &Module, mut ty: TypeId, indices: &[u32]) -> (u64, u64) {
    let mut at = 0;
    for index in indices {
        let index = u64::from(*index);
        at += m.layout.element_offset(&m.types, ty, index).unwrap_or(0);
        ty = m.types.element(ty, index).unwrap_or(ty);
    }
    (at, m.size_of(ty))
}

/// Index, offset and size of the elements of a vector that `index` may name; none if elements are not whole bytes.
fn elements(m: &Module, ty: TypeId, index: Operand) -> Vec<(u64, u64, u64)> {
    let Some(size) = element_size(m, ty) else { return Vec::new() };
    let count = m.types.element_count(ty).unwrap_or(0);
    let one = m.as_int(index).map(|i| i as u64);
    (0..count).filter(|i| one.is_none_or(|o| o == *i)).map(|i| (i, i * size, size)).collect()
}

/// Bytes of a vector's elements, if they are whole.
fn element_size(m: &Module, ty: TypeId) -> Option<u64> {
    let bits = m.layout.bit_width(&m.types, m.types.scalar(ty))?;
    bits.is_multiple_of(8).then_some(bits / 8)
}

fn whole_bytes(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Int(bits) if bits.is_multiple_of(8) && *bits <= 128)
}

/// The value of an integer constant, or of each element of a vector constant whose elements are all equal.
pub fn uniform(m: &Module, operand: Operand) -> Option<u128> {
    let c = m.as_constant(operand)?;
    match &c.kind {
        ConstKind::Int(value) => Some(*value),
        ConstKind::Zero => m.types.is_int(m.types.scalar(c.ty)).then_some(0),
        ConstKind::Aggregate(elems) => {
            let first = uniform(m, Operand::Const(*elems.first()?))?;
            elems.iter().all(|e| uniform(m, Operand::Const(*e)) == Some(first)).then_some(first)
        }
        _ => None,
    }
}

fn shuffle(m: &Module, func: &Function, inst: &Inst, [a, b]: [Operand; 2], mask: &[Option<u32>], out: &mut Vec<Move>) {
    let Some(size) = element_size(m, inst.ty) else { return };
    let lanes = m.types.element_count(m.operand_ty(func, a)).unwrap_or(0);
    for (to, from) in mask.iter().enumerate() {
        let Some(from) = from.map(u64::from) else { continue };
        let (operand, from) = if from < lanes { (a, from) } else { (b, from - lanes) };
        out.push(Move { operand, from: from * size, to: to as u64 * size, size });
    }
}

/// `trunc`, `zext` and `sext` keep the low bytes of each element.
fn resize(m: &Module, from: TypeId, to: TypeId, operand: Operand, out: &mut Vec<Move>) {
    let (Some(narrow), Some(wide)) = (element_size(m, from), element_size(m, to)) else { return };
    let vector = matches!(m.types.get(from), Type::Vector { .. });
    for i in 0..if vector { m.types.element_count(from).unwrap_or(0) } else { 1 } {
        out.push(Move { operand, from: i * narrow, to: i * wide, size: narrow.min(wide) });
    }
}

/// Shifts by whole bytes, masks of whole bytes, and `or` of what does not overlap; in each element alike.
fn arithmetic(m: &Module, func: &Function, op: BinOp, lhs: Operand, rhs: Operand, out: &mut Vec<Move>) {
    let ty = m.operand_ty(func, lhs);
    let Some(bytes) = element_size(m, ty) else { return };
    let count = if matches!(m.types.get(ty), Type::Vector { .. }) { m.types.element_count(ty).unwrap_or(0) } else { 1 };
    let mut each = |operand, from: u64, to: u64, size| {
        out.extend((0..count).map(|i| Move { operand, from: i * bytes + from, to: i * bytes + to, size }));
    };
    match op {
        BinOp::Shl | BinOp::LShr | BinOp::AShr => {
            let by = uniform(m, rhs).filter(|by| by % 8 == 0).map(|by| by as u64 / 8);
            let Some(by) = by.filter(|by| *by < bytes) else { return };
            let (from, to) = if op == BinOp::Shl { (0, by) } else { (by, 0) };
            each(lhs, from, to, bytes - by);
        }
        BinOp::And => {
            for (value, mask) in [(lhs, rhs), (rhs, lhs)] {
                if let Some(mask) = uniform(m, mask) {
                    (0..bytes).filter(|i| (mask >> (8 * i)) as u8 == 0xff).for_each(|i| each(value, i, i, 1));
                }
            }
        }
        BinOp::Or | BinOp::Add | BinOp::Xor => {
            let zeros = [lhs, rhs].map(|o| zero_bits(m, func, o, MAX_TRACE));
            let all = if bytes == 16 { u128::MAX } else { (1 << (8 * bytes)) - 1 };
            if op != BinOp::Or && (zeros[0] | zeros[1]) & all != all {
                return;
            }
            for (value, zeros) in [(lhs, zeros[1]), (rhs, zeros[0])] {
                (0..bytes).filter(|i| (zeros >> (8 * i)) as u8 == 0xff).for_each(|i| each(value, i, i, 1));
            }
        }
        _ => {}
    }
}

/// Bits of an integer, or of each element of a vector, that are zero whatever the program does; those beyond its width
/// count as zero.
pub(crate) fn zero_bits(m: &Module, func: &Function, operand: Operand, depth: u32) -> u128 {
    let width = match m.types.get(m.types.scalar(m.operand_ty(func, operand))) {
        Type::Int(bits) => *bits,
        _ => return 0,
    };
    let beyond = if width >= 128 { 0 } else { !0u128 << width };
    if let Some(value) = uniform(m, operand) {
        return !value | beyond;
    }
    let Some(inst) = operand.local().and_then(|v| func.def_inst(v)).filter(|_| depth > 0) else { return beyond };
    let of = |o: &Operand| zero_bits(m, func, *o, depth - 1);
    let amount = |o: &Operand| uniform(m, *o).filter(|by| *by < 128).map(|by| by as u32);
    beyond
        | match &func.insts[inst].kind {
            InstKind::Cast { op: CastOp::ZExt | CastOp::Trunc, value, .. } => of(value),
            InstKind::Freeze(value) => of(value),
            // Copies of a sign that is zero.
            InstKind::Cast { op: CastOp::SExt, value, .. } => {
                let Type::Int(from @ 1..=128) = m.types.get(m.types.scalar(m.operand_ty(func, *value))) else {
                    return beyond;
                };
                let zeros = of(value);
                if zeros >> (from - 1) & 1 == 1 { zeros } else { zeros & low_ones(*from) }
            }
            InstKind::Binary { op, lhs, rhs, .. } => match (op, amount(rhs)) {
                (BinOp::Shl, Some(by)) => (of(lhs) << by) | ((1 << by) - 1),
                (BinOp::LShr, Some(by)) => !(!of(lhs) >> by),
                (BinOp::And, _) => of(lhs) | of(rhs),
                (BinOp::Or | BinOp::Xor, _) => of(lhs) & of(rhs),
                (BinOp::Add | BinOp::Sub, _) => low_ones(of(lhs).trailing_ones().min(of(rhs).trailing_ones())),
                (BinOp::Mul, _) => low_ones(of(lhs).trailing_ones().saturating_add(of(rhs).trailing_ones())),
                _ => 0,
            },
            InstKind::Select { if_true, if_false, .. } => of(if_true) & of(if_false),
            _ => 0,
        }
}

fn low_ones(n: u32) -> u128 {
    if n >= 128 { u128::MAX } else { (1 << n) - 1 }
}

/// Neighbouring moves of one operand as one.
fn join(mut moves: Vec<Move>) -> Vec<Move> {
    moves.retain(|mv| mv.size > 0);
    let mut out: Vec<Move> = Vec::new();
    for mv in moves {
        match out.iter_mut().find(|o| {
            o.operand == mv.operand
                && o.from + o.size == mv.from
                && o.to + o.size == mv.to
                && mv.operand.local().is_some()
        }) {
            Some(last) => last.size += mv.size,
            None => out.push(mv),
        }
    }
    out
}

/// The highest bits of a float, below which changes are its mantissa's: bits of the mantissa.
pub fn mantissa_bits(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Half => 10,
        FloatKind::BFloat => 7,
        FloatKind::Float => 23,
        FloatKind::Double => 52,
        FloatKind::X86Fp80 => 64,
        FloatKind::Fp128 => 112,
    }
}
