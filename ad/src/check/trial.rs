//! Addresses tried out: what [`crate::check::forms`] decides must hold for the numbers that loops really run over.
//!
//! The loops around a store are run for a few iterations, with small numbers in the place of what they do not change,
//! and the address is computed in each. A trial proves nothing; but whatever is decided for all numbers holds for
//! these.

use crate::analysis::analyses::Analyses;
use crate::analysis::context::Context;
use crate::analysis::memory::Facts;
use crate::base::regions::Shape;
use crate::check::forms::Forms;
use crate::mode::Activity;
use crate::normalise::collect::collect;
use ir::hash::HashMap;
use ir::loops::LoopId;
use ir::{BinOp, BlockId, CastOp, InstId, InstKind, IntPred, Operand, ValueId};
use std::collections::BTreeSet;

/// So many iterations of a loop are run at most.
const ITERATIONS: usize = 6;

/// About how large the numbers are that stand for what the loops do not change, each time they are run: with all
/// remainders by small numbers, of which a length may be made.
const SIZES: [i64; 9] = [3, 4, 6, 7, 8, 9, 40, 303, 1061];

/// How deep an address is looked into.
const DEPTH: usize = 40;

/// The loops around a store, run on numbers of a size.
struct Run<'a> {
    forms: Forms<'a>,
    leaf: i64,
    /// The phis of the current iterations.
    phis: HashMap<ValueId, i64>,
    addresses: Vec<i64>,
}

impl<'a> Run<'a> {
    fn new(forms: Forms<'a>, leaf: i64) -> Run<'a> {
        Run { forms, leaf, phis: HashMap::default(), addresses: Vec::new() }
    }

    /// The addresses in all iterations of these loops, the innermost first.
    fn addresses(mut self, loops: &[LoopId], ptr: Operand) -> Vec<i64> {
        self.iterate(loops, ptr);
        self.addresses
    }

    fn iterate(&mut self, loops: &[LoopId], ptr: Operand) {
        let Some((l, inner)) = loops.split_last() else {
            let at = self.value(ptr, DEPTH);
            self.addresses.push(at);
            return;
        };
        let (shape, func) = (self.forms.shape, self.forms.cx.func);
        let data = &shape.loops.loops[*l];
        let mut left_over = None;
        for n in 0..ITERATIONS {
            let phis = func.blocks[data.header].insts.iter().filter_map(|i| match &func.insts[*i].kind {
                InstKind::Phi { incoming, .. } => Some((func.insts[*i].result?, incoming)),
                _ => None,
            });
            let new: Vec<(ValueId, i64)> = phis
                .filter_map(|(v, incoming)| {
                    let from = incoming.iter().find(|(_, b)| shape.loops.contains(*l, *b) == (n > 0))?.0;
                    Some((v, self.value(from, DEPTH)))
                })
                .collect();
            self.phis.extend(new);
            let leaves = |run: &Self, at_header: bool| {
                let ends = data.exits.iter().filter(|(from, _)| (*from == data.header) == at_header);
                ends.filter_map(|(from, to)| run.leaves(*from, *to)).collect::<Vec<(bool, Option<i64>)>>()
            };
            let at_header = data.latches.as_slice() != [data.header];
            let (before, after) = match at_header {
                true => (leaves(self, true), leaves(self, false)),
                false => (Vec::new(), leaves(self, true)),
            };
            if before.iter().any(|(left, _)| *left) {
                return;
            }
            // A loop that goes away from where it is to end was not entered.
            let distance = before.iter().chain(&after).find_map(|(_, distance)| *distance);
            if let (Some(far), Some(near)) = (distance, left_over)
                && far > near
            {
                self.addresses.clear();
                return;
            }
            left_over = distance;
            self.iterate(inner, ptr);
            if after.iter().any(|(left, _)| *left) {
                return;
            }
        }
    }

    /// Whether the block leaves by this edge, and how far it is from that if it leaves when a counter has become equal
    /// to its bound.
    fn leaves(&self, from: BlockId, to: BlockId) -> Option<(bool, Option<i64>)> {
        let func = self.forms.cx.func;
        let InstKind::CondBr { cond, then_to, .. } = func.insts[func.terminator(from)?].kind else { return None };
        let InstKind::ICmp { pred, lhs, rhs } = func.insts[func.def_inst(cond.local()?)?].kind else { return None };
        let (a, b) = (self.value(lhs, DEPTH), self.value(rhs, DEPTH));
        let holds = match pred {
            IntPred::Eq => a == b,
            IntPred::Ne => a != b,
            IntPred::Slt | IntPred::Ult => a < b,
            IntPred::Sle | IntPred::Ule => a <= b,
            IntPred::Sgt | IntPred::Ugt => a > b,
            IntPred::Sge | IntPred::Uge => a >= b,
        };
        let meets = pred == if then_to == to { IntPred::Eq } else { IntPred::Ne };
        Some((holds == (then_to == to), meets.then(|| (a - b).abs())))
    }

    /// A number or an address; something that nothing is known of is a small number, always the same.
    fn value(&self, operand: Operand, depth: usize) -> i64 {
        let cx = self.forms.cx;
        if let Some(number) = cx.m.as_int(operand) {
            return ir::gep::signed(cx.m, operand, number);
        }
        let Some(v) = operand.local() else { return 0 };
        if let Some(known) = self.phis.get(&v) {
            return *known;
        }
        let inst = cx.func.def_inst(v).filter(|_| depth > 0);
        let computed = inst.and_then(|inst| self.computed(&cx.func.insts[inst].kind, depth - 1));
        let pointer = cx.m.types.is_ptr(cx.ty(operand));
        let index = ir::entity::EntityRef::index(v) as i64;
        // Pointers far from each other, the later one higher or lower: one of them may be where the other's memory
        // ends.
        computed.unwrap_or_else(|| match pointer {
            true if self.leaf % 2 == 0 => (1 << 50) + (index << 30),
            true => (1 << 50) - (index << 30),
            false => self.leaf + (index * 7) % self.leaf.min(5),
        })
    }

    fn computed(&self, kind: &InstKind, depth: usize) -> Option<i64> {
        let m = self.forms.cx.m;
        let of = |o: Operand| self.value(o, depth);
        Some(match kind {
            InstKind::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (of(*lhs), of(*rhs));
                match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    BinOp::Mul => a.wrapping_mul(b),
                    BinOp::Shl => a.wrapping_shl(u32::try_from(b).ok()?),
                    BinOp::LShr | BinOp::AShr => a.wrapping_shr(u32::try_from(b).ok()?),
                    BinOp::SDiv | BinOp::UDiv => a.checked_div(b)?,
                    BinOp::SRem | BinOp::URem => a.checked_rem(b)?,
                    BinOp::And => a & b,
                    BinOp::Or => a | b,
                    BinOp::Xor => a ^ b,
                    _ => return None,
                }
            }
            InstKind::Cast { op: CastOp::SExt | CastOp::ZExt | CastOp::Trunc | CastOp::PtrToInt, value, .. } => {
                of(*value)
            }
            InstKind::Gep { elem_ty, base, indices, .. } => {
                let offset = ir::gep::offset(m, *elem_ty, indices)?;
                let at = of(*base).wrapping_add(offset.bytes as i64);
                let ahead = offset.scaled.iter().map(|(index, bytes)| of(*index).wrapping_mul(*bytes as i64));
                ahead.fold(at, i64::wrapping_add)
            }
            _ => return None,
        })
    }
}

/// A nest of two loops, with two stores.
const NEST: &str = r#"
define void @f(ptr %at, i64 %n, i64 %d, i64 %e) {
entry:
  br label %row
row:
  %i = phi i64 [ FROM, %entry ], [ %i.next, %end ]
  br label %cell
cell:
  %j = phi i64 [ START, %row ], [ %j.next, %cell ]
  %one = ONE
  %two = TWO
  %sum = add FLAGS i64 %one, %two
  %to = getelementptr INBOUNDS [FIELDS x double], ptr %at, i64 %sum, i64 FIELD
  store double 1.0, ptr %to, align 8
  %also = getelementptr INBOUNDS [FIELDS x double], ptr %at, i64 OTHER, i64 BESIDE
  store double 2.0, ptr %also, align 8
  %j.next = add nsw i64 %j, STEP
  %j.more = icmp COMPARED i64 %j.next, LENGTH
  br i1 %j.more, label %cell, label %end
end:
  %i.next = add nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %row, label %exit
exit:
  ret void
}
"#;

/// The gaps of the nest, and what may stand there.
const GAPS: [(&str, &[&str]); 13] = [
    ("FROM", &["0", "1", "-2"]),
    ("START", &["0", "0", "1", "%i"]),
    (
        "ONE",
        &[
            "mul FLAGS i64 %i, %d",
            "mul FLAGS i64 %i, 8",
            "shl FLAGS i64 %i, 3",
            "mul FLAGS i64 %j, %n",
            "add i64 %i, 0",
        ],
    ),
    ("TWO", &["add i64 %j, 0", "sub FLAGS i64 7, %j", "mul FLAGS i64 %j, 2", "add i64 %i, 0", "mul FLAGS i64 %j, %d"]),
    ("FLAGS", &["nsw", "nsw", ""]),
    ("INBOUNDS", &["inbounds", ""]),
    ("FIELDS", &["1", "2", "3"]),
    ("FIELD", &["0", "1"]),
    ("OTHER", &["%sum", "%j", "%i", "%e", "0"]),
    ("BESIDE", &["0", "1", "2", "-1"]),
    ("STEP", &["1", "1", "1", "2"]),
    ("COMPARED", &["slt", "ne"]),
    ("LENGTH", &["%d", "%d", "8", "5", "%e"]),
];

/// The address in all iterations, for each of the sizes.
fn runs(forms: Forms, block: BlockId, ptr: Operand) -> Vec<Vec<i64>> {
    let loops: Vec<LoopId> = forms.shape.loops.around(block).collect();
    SIZES.iter().map(|leaf| Run::new(forms, *leaf).addresses(&loops, ptr)).collect()
}

/// What was decided, and what the trial says: the first store meets no cell twice; the two never meet.
fn tried(text: &str) -> [(bool, bool); 2] {
    let mut m = ir::parse(text, "test").unwrap_or_else(|e| panic!("{e:?} in\n{text}"));
    let root = m.function("f").expect("there is a function f");
    let sources = collect(&mut m, root).expect("normalises");
    let c = Activity::Const;
    let facts = Facts::analyse(&m, &sources, root, &[Activity::Dup, c, c, c], &Default::default());
    let facts = Analyses::from(facts.expect("converges"));
    let (differentiable, func) = (BTreeSet::from([root]), &sources[&root]);
    let cx = Context { m: &m, facts: &facts, sources: &sources, differentiable: &differentiable, id: root, func };
    let shape = Shape::new(&m, func).expect("reducible");
    let forms = Forms { cx: &cx, shape: &shape };
    let stores: Vec<(InstId, Operand)> = func
        .inst_order()
        .filter_map(|(_, inst)| match func.insts[inst].kind {
            InstKind::Store { ptr, .. } => Some((inst, ptr)),
            _ => None,
        })
        .collect();
    let [(first, one), (_, other)] = stores[..] else { panic!("two stores") };
    let block = shape.block(first).expect("placed");
    let [Some(access), Some(also)] = [one, other].map(|ptr| forms.access(ptr, 8)) else { return [(false, true); 2] };
    let apart = |at: &[i64]| {
        let mut at = at.to_vec();
        at.sort_unstable();
        at.windows(2).all(|pair| pair[1] - pair[0] >= 8)
    };
    let (these, those) = (runs(forms, block, one), runs(forms, block, other));
    let never = these.iter().zip(&those).all(|(a, b)| a.iter().all(|x| b.iter().all(|y| (x - y).abs() >= 8)));
    [
        (forms.meets_no_cell_twice(&access, block), these.iter().all(|at| apart(at))),
        (forms.never_meet(&access, &also), never),
    ]
}

#[test]
fn what_is_decided_holds_when_it_is_tried() {
    let mut state: u64 = 1;
    let mut drawn = |most: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % most
    };
    let mut decided = [0; 2];
    for _ in 0..600 {
        // What stands in a gap may have one itself.
        let text = GAPS.iter().fold(NEST.to_owned(), |text, (gap, all)| text.replace(gap, all[drawn(all.len())]));
        for (n, (is, holds)) in tried(&text).into_iter().enumerate() {
            assert!(!is || holds, "question {n}:\n{text}");
            decided[n] += usize::from(is);
        }
    }
    assert!(decided.iter().all(|count| *count > 30), "{decided:?}");
}
