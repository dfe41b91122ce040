//! Calls that are kept, to be executed when something is started or awaited.

use crate::outcome::Location;
use crate::shim_call::ShimCall;
use crate::value::{Leaf, Scalar};
use ir::FuncId;

/// The arguments of a call, to be executed again.
#[derive(Clone, Debug)]
pub struct Kept {
    func: FuncId,
    args: Vec<Scalar>,
    leaves: Vec<Leaf>,
    result: Vec<Leaf>,
    pub at: Location,
}

impl Kept {
    pub fn of<S>(call: &ShimCall<'_, S>) -> Kept {
        let (args, leaves, result) = (call.args.to_vec(), call.leaves.to_vec(), call.result.to_vec());
        Kept { func: call.func, args, leaves, result, at: call.at }
    }

    pub fn call<S>(&self) -> ShimCall<'_, S> {
        let Kept { func, args, leaves, result, at } = self;
        ShimCall { func: *func, args, shadows: &[], leaves, fixed: args.len(), result, at: *at }
    }
}

/// A request that can be started.
#[derive(Clone, Debug)]
pub struct Persistent {
    pub kept: Kept,
    pub how: How,
    /// The message that it has begun, until that is over.
    pub active: Option<usize>,
}

/// How a message is sent (MPI 4.0, 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sent {
    /// The library decides whether the sender waits for the receiver.
    Standard,
    /// It waits.
    Synchronous,
    /// It does not.
    Buffered,
}

/// What starting it begins.
#[derive(Clone, Copy, Debug)]
pub enum How {
    Send(Sent),
    Receive,
}

/// A collective operation that is only begun.
#[derive(Clone, Debug)]
pub struct Begun {
    pub kept: Kept,
    /// The function that waits.
    pub name: &'static str,
    pub comm: usize,
    pub number: u64,
}
