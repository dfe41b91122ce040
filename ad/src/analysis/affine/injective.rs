//! Stores that meet no cell twice.
//!
//! The address of a store in a nest of loops is a base that the outermost of them does not change, plus one counter of
//! each loop with its stride ([`Address`]). Sorted by their strides, the numbers so written are those of a mixed radix:
//! different iterations write to different places, none of which overlaps another, if
//!
//! - the least stride is at least the size of what is stored, and
//! - each stride is at least the one below it times as often as that counter's loop runs at most: a number of times, or
//!   up to a bound that the larger stride has as a factor, as in `i * d + j` with `j < d`.
//!
//! The last counter's loop may run as long as it likes. Nothing goes round: 64 bits hold more places than a loop can
//! visit, and a narrower number is taken only where the primal promises so.

use crate::analysis::affine::{Address, Addresses, Bound, End, Stride};
use crate::analysis::context::Context;
use crate::analysis::loops::counters::Induction;
use crate::base::regions::{Region, Shape};
use ir::hash::HashMap;
use ir::{BlockId, InstId, InstKind, ValueId};

/// Does a plain store write each time it is executed to another place than ever before in the same call?
pub fn meets_no_cell_twice(cx: &Context, shape: &Shape, counters: &HashMap<ValueId, Induction>, store: InstId) -> bool {
    let Some(block) = shape.block(store) else { return false };
    let Some(outermost) = shape.loops.around(block).last() else { return true };
    let addresses = Addresses { cx, shape, counters, of: Some(outermost) };
    let InstKind::Store { ptr, value, .. } = cx.func.insts[store].kind else { return false };
    let Some(address) = addresses.address(ptr) else { return false };
    addresses.spreads(&address, (cx.m.size_of(cx.ty(value)), block), None).is_some()
}

impl Addresses<'_> {
    /// Are the places apart that the address takes in all iterations of the loops around the block, up to a region
    /// around them?
    pub fn spreads(&self, address: &Address, (size, block): (u64, BlockId), outer: Region) -> Option<()> {
        let constant = address.counters.iter().map(|(bytes, v)| (Stride { bytes: *bytes, times: Vec::new() }, *v));
        let mut terms: Vec<(Stride, ValueId)> = constant.chain(address.products.iter().cloned()).collect();
        let loops = self.loops_between(self.shape.region(block), outer)?;
        if loops.is_empty() {
            return Some(());
        }
        terms.retain(|(_, v)| loops.contains(&self.counters[v].of));
        let moves = |l| terms.iter().filter(|(_, v)| self.counters[v].of == l).count();
        (terms.len() == loops.len() && loops.iter().all(|l| moves(*l) == 1)).then_some(())?;
        terms.sort_by_key(|(stride, _)| (stride.times.len(), stride.bytes.unsigned_abs()));
        let mut taken = Stride::new(size);
        for (n, (stride, v)) in terms.iter().enumerate() {
            let room = i64::try_from(stride.bytes.unsigned_abs()).ok()?;
            (room >= taken.bytes && is_same(&stride.times, &taken.times)).then_some(())?;
            if n + 1 == terms.len() {
                return self.is_new_each_time(*v, block);
            }
            let runs = self.interval(*v, true, block)?;
            taken = Stride { bytes: room, times: stride.times.clone() };
            match runs.to {
                End::Number(to) => taken.bytes = room.checked_mul((to - runs.from).max(1))?,
                End::Value(bound, more) if more <= runs.from => taken.times.push(bound),
                End::Value(..) => return None,
            }
        }
        None
    }

    /// Has a counter another value in each iteration?
    fn is_new_each_time(&self, v: ValueId, block: BlockId) -> Option<()> {
        let one = self.step(&self.counters[&v]).is_some_and(|step| step.abs() == 1);
        (one && self.is_wide(self.counters[&v].start) || self.interval(v, true, block).is_some()).then_some(())
    }
}

/// Are these the same factors?
fn is_same(these: &[Bound], those: &[Bound]) -> bool {
    let mut rest = those.to_vec();
    let all = these.iter().all(|bound| match rest.iter().position(|other| other.is(bound)) {
        Some(found) => {
            rest.swap_remove(found);
            true
        }
        None => false,
    });
    all && rest.is_empty()
}
