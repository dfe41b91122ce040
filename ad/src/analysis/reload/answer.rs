//! The answer: which loads may be made again in the reverse pass, and what loads see.

use crate::analysis::memory::object::ObjId;
use ir::hash::{HashMap, HashSet};
use ir::loops::LoopId;
use ir::{BlockId, FuncId, InstId, ValueId};
use std::collections::BTreeSet;

/// The iteration of one of the store's loops whose store a load sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// The one in which the counter has this value.
    At(i64),
    /// The one in which it is as much more than a counter around the load.
    With(ValueId, i64),
}

/// What a load sees.
#[derive(Clone, Debug)]
pub struct Covering {
    /// The store that has left it.
    pub store: InstId,
    /// The iteration in which it was executed, by the counters of its loops that are not around the load.
    pub seen: Vec<(ValueId, Seen)>,
    /// The objects it writes to.
    pub objects: Vec<ObjId>,
}

/// Memory that a loop fills.
#[derive(Clone, Debug)]
pub struct Filled {
    /// That loop.
    pub of: LoopId,
    /// The block of the stores.
    pub block: BlockId,
    /// What lies in a row: the stores in the order of their block, with their places in the row that the base begins.
    pub stores: Vec<(InstId, i64)>,
    /// The loads, each with the number of the store that it sees, in whatever row.
    pub loads: Vec<(InstId, usize)>,
}

/// The answer for the functions of one differentiated call.
#[derive(Debug, Default)]
pub struct Reloads {
    pub(super) loads: HashSet<(FuncId, InstId)>,
    /// Stores by the instructions whose values they leave there.
    pub(super) stored: HashMap<(FuncId, InstId), InstId>,
    /// What loads see of which it is known.
    pub(super) covered: HashMap<(FuncId, InstId), Covering>,
    /// Memory that a loop fills and that is read after it.
    pub(super) filled: HashMap<FuncId, Vec<Filled>>,
    pub(super) waiting: HashSet<(FuncId, InstId)>,
    pub(super) stack: bool,
    pub(super) anywhere: bool,
    pub(super) own: BTreeSet<ObjId>,
}

impl Reloads {
    /// May the load be made again in the reverse pass?
    pub fn load(&self, id: FuncId, inst: InstId) -> bool {
        self.loads.contains(&(id, inst))
    }

    /// Is it memory of the gradient itself that is there until the reverse pass, or can be?
    pub fn is_there(&self, object: ObjId) -> bool {
        self.own.contains(&object)
    }

    /// Must this free wait until the gradient's end?
    pub fn waits(&self, id: FuncId, inst: InstId) -> bool {
        self.waiting.contains(&(id, inst))
    }

    /// May anything be written to memory of the caller of which is not told where?
    pub fn writes_anywhere(&self) -> bool {
        self.anywhere
    }

    /// Must the stack memory of the differentiated function be left alive?
    pub fn keeps_stack(&self) -> bool {
        self.stack
    }

    /// The one store that a load sees, if it is known.
    pub fn covering(&self, id: FuncId, load: InstId) -> Option<&Covering> {
        self.covered.get(&(id, load))
    }

    /// Is there any such load?
    pub fn covers(&self) -> bool {
        !self.covered.is_empty()
    }

    /// The memory that loops of a function fill.
    pub fn filled(&self, id: FuncId) -> &[Filled] {
        self.filled.get(&id).map_or(&[], Vec::as_slice)
    }

    /// Where the program has left what an instruction gives, if that is there until the reverse pass: the store.
    pub fn stored(&self, id: FuncId, made: InstId) -> Option<InstId> {
        self.stored.get(&(id, made)).copied()
    }
}
