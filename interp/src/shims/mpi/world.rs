//! What all ranks share: messages on their way, receives that wait, communicators, collective operations that some have
//! begun.
//!
//! Matching is MPI's: by communicator, source and tag, in the order of posting (MPI 4.0, 3.5, "Semantics of
//! Point-to-Point Communication").

use super::layout::Span;
use super::parcel::Parcel;
use crate::outcome::Location;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// `MPI_ANY_SOURCE`, `MPI_ANY_TAG`
pub const ANY: i64 = -1;

/// A message.
#[derive(Clone, Debug)]
pub struct Message {
    pub comm: usize,
    /// Rank of the sender in the communicator.
    pub source: i64,
    pub tag: i64,
    pub parcel: Rc<Parcel>,
    /// Its basic type.
    pub ty: i64,
    pub at: Location,
    /// Who waits until it is received: a rank of the world and its request.
    pub sender: Option<(usize, usize)>,
}

/// A receive that waits for its message.
#[derive(Clone, Copy, Debug)]
struct Posted {
    comm: usize,
    source: i64,
    tag: i64,
    request: usize,
}

/// An operation that a rank has begun.
#[derive(Clone, Debug)]
pub struct Request {
    /// Is it a receive?
    pub receives: bool,
    pub done: bool,
    pub message: Option<Message>,
    pub buffer: Span,
    pub at: Location,
    /// What was in the buffer.
    pub before: Option<Parcel>,
    /// Nobody is to receive or send anything (`MPI_PROC_NULL`).
    pub nobody: bool,
}

/// What has gone from one rank to another. Operations of all ranks count as if each part went straight to those who get
/// it, and sums came together at one rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Messages.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
}

impl Traffic {
    /// So many messages of that size more.
    pub fn add(&mut self, messages: u64, bytes: u64) {
        self.messages += messages;
        self.bytes += messages * bytes;
    }
}

/// A communicator.
#[derive(Clone, Debug)]
pub struct Comm {
    /// Ranks of the world, by rank.
    pub members: Vec<usize>,
    /// Of a Cartesian one: the sides, and which are closed.
    pub sides: Vec<(i64, bool)>,
}

/// What all must agree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub name: &'static str,
    pub root: Option<i64>,
    pub op: Option<i64>,
    pub ty: Option<i64>,
    pub bytes: Option<u64>,
    /// Is it only begun, and awaited elsewhere?
    pub begun: bool,
}

/// What one brings to a collective operation.
#[derive(Clone, Debug, Default)]
pub struct Contribution {
    pub parcel: Parcel,
    pub numbers: Vec<i64>,
}

/// A collective operation that some have begun.
#[derive(Clone, Debug)]
pub struct Gathering {
    pub signature: Signature,
    /// Who came first, and where.
    pub first: (usize, Location),
    pub parts: Vec<Option<Contribution>>,
    pub here: usize,
    left: usize,
    /// Communicators that it has made, by colour.
    pub made: BTreeMap<i64, usize>,
}

/// All ranks together.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub size: usize,
    /// Counts what happens: a rank that waits need not look again before this has changed.
    pub version: u64,
    unexpected: Vec<VecDeque<Message>>,
    posted: Vec<Vec<Posted>>,
    pub requests: Vec<Vec<Option<Request>>>,
    pub comms: Vec<Comm>,
    gatherings: BTreeMap<(usize, u64), Gathering>,
    /// Messages up to that size are kept for the receiver; a sender of a longer one waits.
    pub eager: u64,
    pub traffic: Traffic,
}

impl World {
    /// So many ranks. The first communicator is that of all, then one for each.
    pub fn new(size: usize, eager: u64) -> World {
        let all = Comm { members: (0..size).collect(), sides: Vec::new() };
        let alone = (0..size).map(|rank| Comm { members: vec![rank], sides: Vec::new() });
        World {
            size,
            version: 0,
            unexpected: vec![VecDeque::new(); size],
            posted: vec![Vec::new(); size],
            requests: vec![Vec::new(); size],
            comms: std::iter::once(all).chain(alone).collect(),
            gatherings: BTreeMap::new(),
            eager,
            traffic: Traffic::default(),
        }
    }

    /// All is as in another world, in which time has gone on.
    pub fn becomes(&mut self, other: &World) {
        let version = self.version.max(other.version) + 1;
        *self = World { version, ..other.clone() };
    }

    /// A new request of a rank.
    pub fn request(&mut self, rank: usize, request: Request) -> usize {
        self.version += 1;
        self.requests[rank].push(Some(request));
        self.requests[rank].len() - 1
    }

    /// Sends to a rank of the world.
    pub fn send(&mut self, to: usize, message: Message) {
        self.version += 1;
        self.traffic.add(1, message.parcel.data.bytes.len() as u64);
        let fits = |p: &Posted| matches(&message, p.comm, p.source, p.tag);
        match self.posted[to].iter().position(fits) {
            Some(at) => {
                let posted = self.posted[to].remove(at);
                self.deliver(to, posted.request, message);
            }
            None => self.unexpected[to].push_back(message),
        }
    }

    /// Posts the receive that is a rank's request.
    pub fn receive(&mut self, rank: usize, comm: usize, source: i64, tag: i64, request: usize) {
        let found = self.unexpected[rank].iter().position(|m| matches(m, comm, source, tag));
        match found.and_then(|at| self.unexpected[rank].remove(at)) {
            Some(message) => self.deliver(rank, request, message),
            None => self.posted[rank].push(Posted { comm, source, tag, request }),
        }
    }

    fn deliver(&mut self, rank: usize, request: usize, message: Message) {
        self.version += 1;
        if let Some((sender, theirs)) = message.sender
            && let Some(theirs) = self.requests[sender][theirs].as_mut()
        {
            theirs.done = true;
        }
        if let Some(mine) = self.requests[rank][request].as_mut() {
            mine.done = true;
            mine.message = Some(message);
        }
    }

    /// A message that a receive would get.
    pub fn probe(&self, rank: usize, comm: usize, source: i64, tag: i64) -> Option<&Message> {
        self.unexpected[rank].iter().find(|m| matches(m, comm, source, tag))
    }

    /// The messages to a rank that nobody has received.
    pub fn unreceived(&self, rank: usize) -> impl Iterator<Item = &Message> {
        self.unexpected[rank].iter()
    }

    /// Brings something to the collective operation of that number; what is wrong, if it is another one than the
    /// others'.
    pub fn join(
        &mut self,
        (comm, number): (usize, u64),
        signature: Signature,
        (rank, place, at): (usize, usize, Location),
        part: Contribution,
    ) -> Result<(), Box<Gathering>> {
        self.version += 1;
        let size = self.comms[comm].members.len();
        let fresh = || Gathering {
            signature: signature.clone(),
            first: (rank, at),
            parts: vec![None; size],
            here: 0,
            left: 0,
            made: BTreeMap::new(),
        };
        let gathering = self.gatherings.entry((comm, number)).or_insert_with(fresh);
        if gathering.signature != signature {
            return Err(Box::new(gathering.clone()));
        }
        gathering.parts[place] = Some(part);
        gathering.here += 1;
        Ok(())
    }

    /// The collective operation, if all are there.
    pub fn complete(&mut self, comm: usize, number: u64) -> Option<&mut Gathering> {
        self.gatherings.get_mut(&(comm, number)).filter(|g| g.here == g.parts.len())
    }

    /// A rank goes on from it.
    pub fn leave(&mut self, comm: usize, number: u64) {
        if let Some(gathering) = self.gatherings.get_mut(&(comm, number)) {
            gathering.left += 1;
            if gathering.left == gathering.parts.len() {
                self.gatherings.remove(&(comm, number));
            }
        }
    }
}

fn matches(message: &Message, comm: usize, source: i64, tag: i64) -> bool {
    message.comm == comm && (source == ANY || message.source == source) && (tag == ANY || message.tag == tag)
}
