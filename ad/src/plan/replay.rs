//! Recurrences that are run again from checkpoints, a segment of iterations at a time.
//!
//! What a loop carries from one iteration to the next without being active (a state of a random number generator,
//! weights of a transform, a pointer that walks along a list) depends on a small part of the loop, its [`Slice`]:
//! instructions without effects, with the branches that decide about them. The forward pass keeps the carried values
//! now and then. The reverse pass, when it comes to a segment of K iterations from behind, runs the slice over it,
//! forwards, and writes what is needed of each iteration to a buffer of K rows. What the segment starts with is one of
//! F checkpoints on the stack, which another run of the slice has left there; and that started from one of F, each of
//! KF iterations. Only of each KF²-th iteration the forward pass keeps one. So a loop of up to K iterations costs
//! another run of the slice, one of up to KF two, and a longer one three; and tape only one of more than KF².
//! (Checkpointing on levels: Griewank & Walther, "Evaluating Derivatives", 2nd ed., §12.3, "multilevel"; here of what
//! has no adjoint.)
//!
//! - *Checkpoints* of the tape are a stack for each loop: the reverse pass comes to the segments in the opposite order
//!   of the forward pass, whatever loops are around, so that neither the number of iterations nor that of entries need
//!   be known. A loop that is entered often with few iterations keeps nothing.
//! - *The slice* of a value is made backwards from it ([`crate::analysis::recompute::slice`]).
//! - *The last iteration* may have been left anywhere. If all ways out are at the latch it is run whole; else up to the
//!   end of the header, and then what is defined further down can be had again only if there is no way out but from the
//!   header, as nobody asks for it then.
//! - *Exactness.* Two copies of the same arithmetic may differ where LLVM may choose: with flags of fast mathematics,
//!   in `fmuladd`, and in calls of libm that it folds when it knows the argument. So nothing that is computed that way
//!   decides about integers, conditions or addresses ([`Recompute::is_exact`]).
//! - *Price*, in the unit of [`Recompute::weight`]: one for every sixteen simple instructions. A call of libm counts
//!   for two hundred of them, as storing a double does not cost a tenth of its time; an inner loop counts tenfold, as
//!   everywhere.
//! - A *recursive* function keeps its values: a buffer for each activation would take more than its tape. So does an
//!   iteration that is reversed by itself ([`crate::restructure::joint`]): its tape is one iteration's and is still in
//!   the cache, and a run of the slice for each of many short loops takes longer.

use crate::analysis::context::Item;
use crate::analysis::recompute::Recompute;
use crate::analysis::recompute::recipe::Recipe;
use crate::analysis::recompute::slice::Slice;
use crate::analysis::wanted::Wanted;
use crate::plan::data::{Plan, Replay};
use ir::ValueId;
use ir::loops::LoopId;
use std::collections::{BTreeMap, BTreeSet};

/// The most rows of a buffer.
const ROWS: u64 = 256;

/// The most checkpoints of a level.
const FAN: u64 = 64;

/// The most bytes of a buffer, of both levels of a loop half of it, and of all buffers of a function, which are on the
/// stack.
const BUFFER: u64 = 8192;
const BUFFERS: u64 = 65536;

/// The loops to be replayed, for what is needed and not stored.
pub(super) fn chosen(
    recompute: &mut Recompute,
    needed: impl IntoIterator<Item = Wanted>,
    stored: &BTreeSet<Wanted>,
) -> BTreeMap<LoopId, Replay> {
    let mut out: BTreeMap<LoopId, Replay> = BTreeMap::new();
    let (mut work, mut seen) = (Vec::from_iter(needed), BTreeSet::new());
    while let Some(wanted) = work.pop() {
        if stored.contains(&wanted) || !seen.insert(wanted) {
            continue;
        }
        match recompute.recipe(wanted) {
            Recipe::Free | Recipe::Store => {}
            Recipe::Again(_, operands) | Recipe::Count(_, operands) => work.extend(operands),
            Recipe::Replay(of, operands) => {
                work.extend(operands);
                let Item::Primal(v) = wanted.item else { continue };
                let Some(found) = recompute.slice(v, of) else { continue };
                let whole = recompute.shape.loops.loops[of]
                    .exits
                    .iter()
                    .all(|(from, _)| recompute.shape.loops.loops[of].latches.contains(from));
                let replay = out.entry(of).or_insert_with(|| Replay {
                    slice: Slice::default(),
                    rows: BTreeSet::new(),
                    jumps: BTreeMap::new(),
                    period: ROWS,
                    fan: FAN,
                    whole,
                });
                replay.rows.insert(v);
                replay.slice.insts.extend(&found.slice.insts);
                replay.slice.states.extend(&found.slice.states);
                replay.slice.branches.extend(&found.slice.branches);
                replay.slice.reads.extend(&found.slice.reads);
            }
        }
    }
    let room = BUFFER.min(BUFFERS / (out.len() as u64).max(1));
    for (of, replay) in &mut out {
        replay.finish(recompute, *of, room);
    }
    out
}

impl Replay {
    /// Where it does not branch, and how many rows and checkpoints fit into so many bytes.
    fn finish(&mut self, recompute: &mut Recompute, of: LoopId, room: u64) {
        let Some(iteration) = recompute.iteration(of) else { return };
        for block in &recompute.shape.loops.loops[of].blocks {
            if iteration.successors(*block).len() > 1 && !self.slice.branches.contains(block) {
                self.jumps.extend(iteration.next(*block).map(|to| (*block, to)));
            }
        }
        let cx = recompute.cx;
        let size = |values: &BTreeSet<ValueId>| -> u64 {
            values.iter().map(|v| cx.m.size_of(cx.func.value_ty(*v)).next_multiple_of(16)).sum()
        };
        let (row, state) = (size(&self.rows), size(&self.slice.states));
        while self.period > 1 && self.period * row > room {
            self.period /= 2;
        }
        while self.fan > 1 && 2 * self.fan * state > room / 2 {
            self.fan /= 2;
        }
    }
}

impl Plan {}
