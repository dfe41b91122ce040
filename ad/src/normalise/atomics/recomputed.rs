//! What an exchange stores is computed from what it finds.
//!
//! `while (!compare_exchange(&s, &old, old + v));` computes the new number from one that was there before, and stores
//! it if that is still there, or *again*: two threads that add zero find the same bits and are content, though one has
//! come between the other's load and its exchange (the ABA problem). By the flow of data the second has then discarded
//! what the first has added. What was expected is what is found, so the new number is computed from that, within the
//! section: the same number, and the derivative of the sum that was meant.

use super::{is_lock, is_release};
use crate::base::blocks;
use crate::program::externals;
use ir::hash::HashMap;
use ir::{BinOp, BlockId, CastOp, Function, InstId, InstKind, IntPred, Module, Operand};

/// Lets the new numbers of comparisons and exchanges that are sections depend on what these find.
pub(super) fn recompute(m: &Module, func: &mut Function) {
    for block in func.layout.clone() {
        let mut from = 0;
        while let Some(section) = section(m, func, &func.blocks[block].insts[from..]) {
            let (at, end) = (from + section.at, from + section.end);
            let mut slice = Slice { m, found: HashMap::default(), made: Vec::new(), beside: section.choice };
            slice.find(func, &section);
            if let Some(new) = slice.of(func, section.new, DEPTH)
                && let InstKind::Select { if_true, .. } = &mut func.insts[section.choice].kind
            {
                *if_true = new;
            }
            let made = slice.made;
            from = end + made.len();
            func.blocks[block].insts.splice(at..at, made);
        }
    }
}

/// Operations that are followed from the new number to the expected one.
const DEPTH: usize = 64;

/// The section of a comparison and exchange.
struct Section {
    /// Where the choice between the new number and the old one stands, and the section ends.
    at: usize,
    end: usize,
    choice: InstId,
    /// What is found, as a float and as bits.
    old: Operand,
    before: Operand,
    expected: Operand,
    new: Operand,
}

/// The first section of that kind among instructions of a block.
fn section(m: &Module, func: &Function, insts: &[InstId]) -> Option<Section> {
    let value = |inst: InstId| func.insts[inst].result.map(Operand::Local);
    let begins = (0..insts.len()).filter(|i| is_lock(m, func, insts[*i]));
    begins.into_iter().find_map(|begin| {
        let load = *insts.get(begin + 1)?;
        let end = begin + insts[begin..].iter().position(|inst| is_release(m, func, *inst))?;
        let InstKind::Load { .. } = func.insts[load].kind else { return None };
        let old = value(load).filter(|_| m.types.float_kind(func.insts[load].ty).is_some())?;
        let kinds = || (begin..end).map(|i| (i, insts[i], &func.insts[insts[i]].kind));
        let is_bits =
            |kind: &InstKind| matches!(kind, InstKind::Cast { op: CastOp::BitCast, value, .. } if *value == old);
        let before = value(kinds().find(|(.., kind)| is_bits(kind))?.1)?;
        let (success, expected) = kinds().find_map(|(_, inst, kind)| match kind {
            InstKind::ICmp { pred: IntPred::Eq, lhs, rhs, .. } if *lhs == before => Some((value(inst)?, *rhs)),
            _ => None,
        })?;
        // A constant is not what has been read before.
        expected.local()?;
        kinds().find_map(|(at, choice, kind)| match *kind {
            InstKind::Select { cond, if_true, if_false, .. } if cond == success && if_false == old => {
                Some(Section { at, end, choice, old, before, expected, new: if_true })
            }
            _ => None,
        })
    })
}

/// The operations between an expected number and a new one.
struct Slice<'a> {
    m: &'a Module,
    /// What stands for each value; for one that does not depend on the expected number, itself.
    found: HashMap<Operand, Operand>,
    made: Vec<InstId>,
    beside: InstId,
}

impl Slice<'_> {
    /// What has the bits of the expected number, if that is what is found.
    fn find(&mut self, func: &Function, section: &Section) {
        self.found.insert(section.expected, section.before);
        let float = self.m.operand_ty(func, section.old);
        for twin in twins(self.m, func, section.expected) {
            let is_float = self.m.operand_ty(func, twin) == float;
            self.found.insert(twin, if is_float { section.old } else { section.before });
        }
    }

    /// The same value of what is found; none if it does not depend on that.
    fn of(&mut self, func: &mut Function, value: Operand, depth: usize) -> Option<Operand> {
        if let Some(known) = self.found.get(&value) {
            return Some(*known).filter(|known| *known != value);
        }
        self.found.insert(value, value);
        let inst = func.def_inst(value.local()?).filter(|_| depth > 0)?;
        let (mut kind, ty) = (func.insts[inst].kind.clone(), func.insts[inst].ty);
        if let InstKind::Phi { incoming, .. } = &kind {
            let first = self.first_of_all(func, inst, incoming)?;
            let result = self.of(func, first, depth - 1)?;
            self.found.insert(value, result);
            return Some(result);
        }
        if !is_pure(self.m, &kind) {
            return None;
        }
        let operands = kind.operands();
        let new: Vec<Option<Operand>> = operands.iter().map(|o| self.of(func, *o, depth - 1)).collect();
        if new.iter().all(Option::is_none) {
            return None;
        }
        kind.for_each_operand_mut(|o| {
            if let Some(at) = operands.iter().position(|old| old == o) {
                *o = new[at].unwrap_or(*o);
            }
        });
        let made = blocks::like(self.m, func, self.beside, kind, ty);
        self.made.push(made);
        let result = func.insts[made].result.map(Operand::Local)?;
        self.found.insert(value, result);
        Some(result)
    }
}

impl Slice<'_> {
    /// What comes by the first way to where new numbers meet, if what comes by each is computed in the same way from
    /// the number that is expected there.
    fn first_of_all(&mut self, func: &Function, phi: InstId, incoming: &[(Operand, BlockId)]) -> Option<Operand> {
        let block = |inst: InstId| func.layout.iter().find(|b| func.blocks[**b].insts.contains(&inst));
        let here = block(phi)?;
        let expected = self.found.keys().find_map(|known| {
            let def = func.def_inst(known.local()?).filter(|def| *def != phi && block(*def) == Some(here))?;
            match &func.insts[def].kind {
                InstKind::Phi { incoming, .. } if self.found[known] != *known => Some((*known, incoming.clone())),
                _ => None,
            }
        });
        let (known, expected) = expected?;
        let by = |from: BlockId| expected.iter().find(|(_, block)| *block == from).map(|(value, _)| *value);
        let ((first, from), rest) = incoming.split_first()?;
        let start = by(*from)?;
        let alike = |(other, from): &(Operand, BlockId)| {
            by(*from).is_some_and(|end| is_alike(self.m, func, (*first, *other), (start, end), DEPTH))
        };
        if !rest.iter().all(alike) {
            return None;
        }
        let found = self.found[&known];
        let float = self.m.operand_ty(func, start);
        let ends = twins(self.m, func, start).into_iter().filter(|t| self.m.operand_ty(func, *t) == float);
        self.found.extend([start].into_iter().chain(ends).map(|twin| (twin, found)));
        Some(*first)
    }
}

/// Are two values computed in the same way, one from this and the other from that?
fn is_alike(m: &Module, func: &Function, (a, b): (Operand, Operand), ends: (Operand, Operand), depth: usize) -> bool {
    let has = |end: Operand, value: Operand| end == value || twins(m, func, end).contains(&value);
    if m.operand_ty(func, a) == m.operand_ty(func, b) && (a == b || has(ends.0, a) && has(ends.1, b)) {
        return true;
    }
    let def = |value: Operand| Some(&func.insts[func.def_inst(value.local()?)?].kind);
    let (Some(one), Some(other)) = (def(a), def(b)) else { return false };
    if depth == 0 || !is_pure(m, one) || !is_pure(m, other) {
        return false;
    }
    let (of_one, of_other) = (one.operands(), other.operands());
    let pairs = of_one.len() == of_other.len()
        && of_one.iter().zip(&of_other).all(|(a, b)| is_alike(m, func, (*a, *b), ends, depth - 1));
    let mut other = other.clone();
    let mut operands = of_one.iter();
    other.for_each_operand_mut(|o| *o = *operands.next().unwrap_or(o));
    pairs && other == *one
}

/// What has the same bits as a value: what it was made of, and what is made of it.
fn twins(m: &Module, func: &Function, value: Operand) -> Vec<Operand> {
    let def = |value: Operand| Some(&func.insts[func.def_inst(value.local()?)?].kind);
    let mut out = Vec::new();
    let root = match def(value) {
        Some(InstKind::Cast { op: CastOp::BitCast, value: root, .. }) => *root,
        _ => value,
    };
    let size = m.size_of(m.operand_ty(func, value));
    for (_, inst) in func.inst_order() {
        let data = &func.insts[inst];
        match &data.kind {
            InstKind::Cast { op: CastOp::BitCast, value: of, .. }
                if (*of == root || *of == value) && m.size_of(data.ty) == size =>
            {
                out.extend(data.result.map(Operand::Local));
            }
            _ => {}
        }
    }
    out.push(root);
    out.retain(|twin| *twin != value);
    out
}

/// May it be executed again?
fn is_pure(m: &Module, kind: &InstKind) -> bool {
    match kind {
        InstKind::Binary { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        InstKind::FNeg { .. }
        | InstKind::FCmp { .. }
        | InstKind::ICmp { .. }
        | InstKind::Select { .. }
        | InstKind::Cast { .. } => true,
        InstKind::Call(call) => externals::only_computes(m, call),
        _ => false,
    }
}
