//! The state of the device: grids that run, their blocks, and who waits there.

use crate::grid::lane_name;
use crate::outcome::{Fault, Location, Res};
use crate::races::clock::VectorClock;
use crate::value::{Pointer, Scalar};
use ir::FuncId;
use std::collections::BTreeMap;

/// What an interpreted thread is in a grid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    /// The grid.
    pub(super) grid: usize,
    /// Its block, counted in the grid, and its number in the block.
    pub(super) block: u64,
    pub(super) number: u32,
    /// Its index in the block.
    pub(super) index: [u32; 3],
}

/// A thread that waits at a barrier or for other lanes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival {
    /// The interpreted thread.
    pub(super) thread: usize,
    /// Its number in the block.
    pub(super) number: u32,
    /// The call.
    pub(super) at: Location,
    /// The barrier's number and how many threads it needs.
    pub(super) barrier: (u64, u32),
    /// What it brings.
    pub(super) value: Scalar,
}

/// A block that runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// Its index in the grid.
    pub(super) index: [u32; 3],
    /// Its number among all blocks of the execution.
    pub(super) serial: u32,
    /// Its threads by number; none for those that have returned.
    pub(super) threads: Vec<Option<usize>>,
    /// How many have not returned.
    pub(super) alive: usize,
    /// Its copies of shared variables, by the variable's provenance.
    pub(super) shared: BTreeMap<u64, Pointer>,
    /// Who waits at a barrier.
    pub(super) waiting: Vec<Arrival>,
    /// Who waits for other lanes of its warp.
    pub(super) lanes: Vec<Waiting>,
}

/// A launch.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) kernel: FuncId,
    pub(super) args: Vec<Vec<Scalar>>,
    pub(super) geometry: Geometry,
    /// The next block to begin.
    pub(super) next: u64,
    pub(super) blocks: BTreeMap<u64, Block>,
    /// The interpreted thread that has launched it, and where.
    pub(super) host: usize,
    pub(super) at: Option<Location>,
    /// What it knew.
    pub(super) known: VectorClock,
    /// Actors of its threads.
    pub(super) actors: Vec<usize>,
    /// Lanes of a warp.
    pub(super) warp: u32,
    /// The packet and the implicit arguments, once asked for.
    pub(super) packet: Option<Pointer>,
    pub(super) implicit: Option<Pointer>,
}

/// The device.
#[derive(Clone, Debug, Default)]
pub struct Gpu {
    /// By number; none for those that are over.
    pub(super) grids: Vec<Option<Grid>>,
    /// By interpreted thread.
    pub(super) lanes: Vec<Option<Lane>>,
    /// Interpreted threads that are free for other lanes.
    pub(super) pool: Vec<usize>,
    /// Blocks so far.
    pub(super) blocks: u32,
    /// Threads that run.
    pub(super) resident: usize,
    /// Configurations of launches that have been pushed.
    pub(super) pushed: Vec<(Geometry, Pointer)>,
    /// The last error of the host's interface.
    pub(super) error: i32,
    /// Streams and events so far.
    pub(super) handles: u64,
}

impl Gpu {
    /// The name of a thread, if it is one of a grid.
    pub fn lane_name(&self, thread: usize) -> Option<String> {
        let lane = self.lanes.get(thread).copied().flatten()?;
        let block = self.grids.get(lane.grid)?.as_ref()?.blocks.get(&lane.block)?;
        Some(lane_name(block.index, lane.index))
    }

    pub(super) fn lane(&self, thread: usize) -> Option<Lane> {
        self.lanes.get(thread).copied().flatten()
    }

    pub(super) fn grid(&mut self, number: usize) -> Res<&mut Grid> {
        self.grids.get_mut(number).and_then(Option::as_mut).ok_or_else(|| Fault::bug("a thread of a grid that is over"))
    }

    pub(super) fn block(&mut self, lane: Lane) -> Res<&mut Block> {
        let block = self.grid(lane.grid)?.blocks.get_mut(&lane.block);
        block.ok_or_else(|| Fault::bug("a thread of a block that is over"))
    }
}

/// Threads of a block (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
pub const MOST_IN_BLOCK: u64 = 1024;

/// The shape of a grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Geometry {
    /// Blocks along each axis.
    pub grid: [u32; 3],
    /// Threads of a block along each axis.
    pub block: [u32; 3],
    /// Bytes of shared memory that the launch asks for.
    pub shared: u64,
}

pub(super) fn volume(size: [u32; 3]) -> Option<u64> {
    size.iter().try_fold(1u64, |product, side| product.checked_mul(u64::from(*side)))
}

pub(super) fn index_in(size: [u32; 3], number: u64) -> [u32; 3] {
    let [x, y] = [u64::from(size[0]), u64::from(size[1])];
    [(number % x) as u32, (number / x % y) as u32, (number / (x * y)) as u32]
}

impl Geometry {
    /// Can a device run it?
    pub fn is_valid(&self) -> bool {
        let blocks = volume(self.grid).is_some_and(|n| n > 0 && self.grid[0] <= i32::MAX as u32);
        blocks && volume(self.block).is_some_and(|n| (1..=MOST_IN_BLOCK).contains(&n))
    }

    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        volume(self.block).unwrap_or(0) as u32
    }

    /// Blocks.
    pub fn blocks(&self) -> u64 {
        volume(self.grid).unwrap_or(0)
    }

    /// The index of a block by its number.
    pub fn block_index(&self, number: u64) -> [u32; 3] {
        index_in(self.grid, number)
    }
}

/// What lanes do together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Work {
    /// Nothing but waiting for each other.
    Sync,
    /// `shfl`: from which lane each takes its value.
    Shuffle(Direction),
    All,
    Any,
    Uniform,
    Ballot,
    MatchAny,
    MatchAll,
    Reduce(Reduction),
    /// The first lane's value.
    First,
    /// The value of the lane that the second operand names, in bytes times four.
    Permute,
    /// The value of the lane that the second operand names.
    ReadLane,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Index,
    Up,
    Down,
    Butterfly,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reduction {
    Add,
    Min,
    Max,
    UMin,
    UMax,
    And,
    Or,
    Xor,
}

/// A lane that waits for others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) thread: usize,
    /// Its number in the block.
    pub(super) number: u32,
    pub(super) at: Location,
    pub(super) work: Work,
    /// The lanes it names; none for those that are there together.
    pub(super) mask: Option<u64>,
    pub(super) value: Scalar,
    /// The other operands.
    pub(super) b: u64,
    pub(super) c: u64,
}
