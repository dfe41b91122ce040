//! One rank's part of MPI.

use super::kept::{Begun, Persistent};
use super::layout::Datatype;
use super::world::World;
use crate::value::Pointer;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// One rank's part.
#[derive(Clone, Debug)]
pub struct Rank {
    /// What all share.
    pub(crate) world: Rc<RefCell<World>>,
    /// Its number.
    pub rank: usize,
    pub(super) initialised: bool,
    pub(super) finalised: bool,
    /// Collective operations so far, by communicator.
    pub(super) collectives: BTreeMap<usize, u64>,
    /// It has asked and been told no; the next time it is answered.
    pub(super) polled: bool,
    /// Communicators that it has freed.
    pub(super) freed: BTreeSet<i64>,
    /// Functions given to `MPI_Op_create`.
    pub(super) operations: Vec<Pointer>,
    /// Types that it has made; none for those that it has freed.
    pub(super) types: Vec<Option<Datatype>>,
    /// Requests that can be started; none for those that it has freed.
    pub(super) persistent: Vec<Option<Persistent>>,
    /// Collective operations that it has begun; none for those that are over.
    pub(super) begun: Vec<Option<Begun>>,
    /// It only begins the collective operation that it is in.
    pub(super) begins: bool,
    /// The memory that it has given for buffered messages, and how much that is. (What is between ranks has room of its
    /// own.)
    pub(super) buffer: Option<(Pointer, i64)>,
}

impl Rank {
    /// A rank of a world.
    pub(crate) fn new(world: Rc<RefCell<World>>, rank: usize) -> Rank {
        Rank {
            world,
            rank,
            initialised: false,
            finalised: false,
            collectives: BTreeMap::new(),
            polled: false,
            freed: BTreeSet::new(),
            operations: Vec::new(),
            types: Vec::new(),
            persistent: Vec::new(),
            begun: Vec::new(),
            begins: false,
            buffer: None,
        }
    }

    /// It has asked whether something has happened, and is to be let run again.
    pub fn polls(&self) -> bool {
        self.polled
    }

    /// It has begun to use MPI and not ended.
    pub fn is_open(&self) -> bool {
        self.initialised && !self.finalised
    }
}
