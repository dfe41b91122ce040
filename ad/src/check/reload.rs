//! The check of a recipe that loads what the program has stored: nothing else writes there later, and the store meets
//! no cell twice.
//!
//! Whether something else writes there is asked of every instruction that can be reached from the store, one by one.
//! Whether the store itself does, or another one to the same memory, is tried: the loops around it are run for a few
//! iterations, with small numbers in the place of what they do not change, and the address is computed in each. The
//! planner argues with strides and bounds ([`crate::analysis::affine`]), of which nothing is used here.

use crate::analysis::affine::gcd;
use crate::analysis::context::{Callee, Context, Item};
use crate::analysis::memory::object::{ObjId, ObjKind};
use crate::analysis::wanted::Wanted;
use crate::check::{Checker, Derived, State};
use crate::program::externals::{self, External};
use crate::runtime::substitute;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BinOp, BlockId, CastOp, FuncId, InstId, InstKind, IntPred, Operand, ValueId};

/// So many iterations of a loop are run at most.
const ITERATIONS: usize = 6;

/// About how large the numbers are that stand for what the loops do not change, each time they are run: with all
/// remainders by small numbers, of which a length may be made.
const SIZES: [i64; 9] = [3, 4, 6, 7, 8, 9, 40, 303, 1061];

/// How deep an address is looked into.
const DEPTH: usize = 40;

impl Checker<'_> {
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
        if left.map(Item::Primal) != Some(wanted.item) || !own || !self.assume.combined {
            return Err(format!("{wanted:?} is not what the store has left"));
        }
        let size = self.cx.m.size_of(self.cx.ty(value)) as i64;
        let runs = self.runs(block, ptr);
        if let Some(inst) = self.overwriter((store, block), (ptr, size), &runs) {
            return Err(format!("{wanted:?} is overwritten by {inst:?} before it is loaded"));
        }
        let apart = |mut at: Vec<i64>| {
            at.sort_unstable();
            at.windows(2).all(|pair| pair[1] - pair[0] >= size)
        };
        if runs.iter().all(Vec::is_empty) || !runs.into_iter().all(apart) {
            return Err(format!("{wanted:?} is overwritten by its own store before it is loaded"));
        }
        let Some(v) = ptr.local() else { return Ok(()) };
        let address = Wanted { item: Item::Primal(v), region: self.common(self.block_of(Item::Primal(v)), wanted) };
        self.derivable(address, state, derived)
    }

    /// What a pointer is in the iterations of the loops around a block, for each of the sizes.
    fn runs(&self, block: BlockId, ptr: Operand) -> Vec<Vec<i64>> {
        let loops: Vec<LoopId> = self.shape.loops.around(block).collect();
        SIZES.iter().map(|leaf| Run::new(self, *leaf).addresses(&loops, ptr)).collect()
    }

    /// An instruction that can be executed after the store and may write to the memory behind the pointer, where the
    /// store does.
    fn overwriter(
        &self,
        (store, block): (InstId, BlockId),
        (ptr, size): (Operand, i64),
        runs: &[Vec<i64>],
    ) -> Option<InstId> {
        let targets: Vec<ObjId> = self.cx.targets(ptr).into_keys().collect();
        let insts = |b: BlockId| self.cx.func.blocks[b].insts.iter().copied();
        let mut reached: Vec<InstId> = insts(block).skip_while(|i| *i != store).collect();
        let mut seen: HashSet<BlockId> = HashSet::default();
        let mut work = self.cx.func.successors(block);
        while let Some(next) = work.pop() {
            if seen.insert(next) {
                reached.extend(insts(next));
                work.extend(self.cx.func.successors(next));
            }
        }
        reached.into_iter().filter(|i| *i != store).find(|inst| {
            let mut met = HashSet::default();
            may_write(self.cx, *inst, &targets, &mut met) && !self.writes_between(*inst, (ptr, size), runs)
        })
    }

    /// Does a plain store write between the cells of another one? All that both write must lie a multiple of something
    /// apart, but for the same rest.
    fn writes_between(&self, inst: InstId, (ptr, size): (Operand, i64), runs: &[Vec<i64>]) -> bool {
        let InstKind::Store { value, ptr: other, volatile: false, atomic: None, .. } = self.cx.func.insts[inst].kind
        else {
            return false;
        };
        let bytes = self.cx.m.size_of(self.cx.ty(value)) as i64;
        let alike = self.root(ptr).is_some() && self.root(ptr) == self.root(other);
        let Some(block) = self.shape.block(inst).filter(|_| alike) else { return false };
        let theirs = self.runs(block, other);
        let tried = || runs.iter().zip(&theirs).filter(|(a, b)| !a.is_empty() && !b.is_empty());
        tried().count() > 0
            && tried().all(|(a, b)| {
                let apart = |all: &[i64]| all.iter().fold(0, |so_far, at| gcd(so_far, (at - all[0]).unsigned_abs()));
                let (step, rest) = (gcd(apart(a), apart(b)) as i64, b[0] - a[0]);
                match step {
                    0 => rest >= size || -rest >= bytes,
                    _ => rest.rem_euclid(step) >= size && step - rest.rem_euclid(step) >= bytes,
                }
            })
    }

    /// What an address begins with that no loop changes.
    fn root(&self, ptr: Operand) -> Option<Operand> {
        let Some(inst) = ptr.local().and_then(|v| self.cx.func.def_inst(v)) else { return Some(ptr) };
        match self.cx.func.insts[inst].kind {
            InstKind::Gep { base, .. } => self.root(base),
            _ => self.shape.block(inst).filter(|b| self.shape.region(*b).is_none()).map(|_| ptr),
        }
    }
}

/// May the instruction, or what it calls, write to one of these objects?
fn may_write(cx: &Context, inst: InstId, targets: &[ObjId], met: &mut HashSet<FuncId>) -> bool {
    let facts = cx.facts;
    // What waits, or is left out, writes nothing.
    let idle = facts.reloads.waits(cx.id, inst)
        || facts.reloads.keeps_stack() && externals::ends_life(cx.m, &cx.func.insts[inst]);
    if idle {
        return false;
    }
    let own = |o: &ObjId| matches!(facts.objects[*o].kind, ObjKind::Stack(..) | ObjKind::Heap(..));
    let mut written: Vec<ObjId> = facts.writes(cx.id, inst).to_vec();
    match &cx.func.insts[inst].kind {
        InstKind::Store { ptr, .. } | InstKind::AtomicRmw { ptr, .. } | InstKind::CmpXchg { ptr, .. }
            if facts.leads_elsewhere(cx.m, cx.id, *ptr) =>
        {
            return true;
        }
        InstKind::Call(call) => {
            for callee in facts.called(cx.m, cx.sources, (cx.id, cx.func), inst) {
                if met.insert(callee) {
                    let func = &cx.sources[&callee];
                    let inner = Context { id: callee, func, ..*cx };
                    if func.inst_order().any(|(_, i)| may_write(&inner, i, targets, met)) {
                        return true;
                    }
                }
            }
            let row = matches!(cx.callee(call), Callee::External(External::Rule(_)));
            let intrinsic = cx.m.as_function(call.callee).is_some_and(|f| cx.m.functions[f].name.starts_with("llvm."));
            if matches!(cx.callee(call), Callee::External(_)) && !row && !intrinsic {
                // It finds what it is given, and what that leads to.
                let mut work = written.clone();
                while let Some(object) = work.pop() {
                    let further = facts.objects[object].pointers.values().flat_map(|t| t.keys().copied());
                    for o in further.filter(|o| !written.contains(o)).collect::<Vec<_>>() {
                        written.push(o);
                        work.push(o);
                    }
                }
            }
        }
        _ => {}
    }
    targets.iter().any(|t| written.iter().any(|w| w == t || !own(t) && facts.same_memory(*w, *t)))
}

/// The loops around a store, run on numbers of a size.
struct Run<'a> {
    checker: &'a Checker<'a>,
    leaf: i64,
    /// The phis of the current iterations.
    phis: HashMap<ValueId, i64>,
    addresses: Vec<i64>,
}

impl<'a> Run<'a> {
    fn new(checker: &'a Checker<'a>, leaf: i64) -> Run<'a> {
        Run { checker, leaf, phis: HashMap::default(), addresses: Vec::new() }
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
        let (shape, func) = (self.checker.shape, self.checker.cx.func);
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
        let func = self.checker.cx.func;
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
        let cx = self.checker.cx;
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
        let m = self.checker.cx.m;
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
