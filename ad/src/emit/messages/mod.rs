//! Messages between ranks, differentiated (Utke, Hascoët, Heimbach, Hill, Hovland & Naumann, "Toward adjoinable MPI",
//! 2009; Moses et al., "Scalable Automatic Differentiation of Multiple Parallel Paradigms through Compiler
//! Augmentation", SC'22).
//!
//! The derivative of the sum over all ranks of what each computes needs the transposed messages in reverse order: what
//! was sent comes back, and is added to the adjoint of what was sent; what was received has its adjoint sent back, and
//! cleared. All ranks execute the same program, so all reverse all of their messages of floats, constant buffers too:
//! a rank with a constant buffer sends zeros back, or ignores what comes back.
//!
//! For each function of MPI that a gradient calls there are two functions of ours, written as IR into the module: a
//! *forward* one, which does what the function does and leaves in a frame on the tape what the reverse needs, and a
//! *reverse* one, which takes the frame.
//!
//! | module | job |
//! |---|---|
//! | `code` | what these functions are written with |
//! | `library` | handles and constants of three implementations |
//! | `floats` | what is done with the floats of a message |
//! | `layout` | where they lie, by the types of the program |
//! | `places` | the same for one type, by how it was made |
//! | `tangent` | all of these in forward mode |
//! | `point` | messages from one rank to one other |
//! | `communicators` | communicators that are made and freed |
//! | `collective` | broadcasts, gathers, scatters |
//! | `lists` | those with a number and a place for each rank |
//! | `requests` | messages that are begun by one call and completed by another |
//! | `completion` | the calls that complete them |
//! | `begun` | operations of all ranks that are only begun |
//! | `persistent` | requests that are started again and again |
//! | `reduction` | sums, products, extremes, scans |

mod begun;
mod code;
mod collective;
mod communicators;
mod completion;
mod floats;
mod layout;
mod library;
mod lists;
mod persistent;
mod places;
mod point;
mod reduction;
mod requests;
mod tangent;

use crate::base::names;
use crate::error::{Diagnostic, Reason};
use crate::program::call_graph::reachable;
use crate::program::mpi::{Kind, Row};
pub(crate) use point::separate;
pub(crate) use requests::Lists;

use code::{Code, Frame};
use ir::{FuncId, InstId, Module, Operand, TypeId};
use layout::Spot;
use std::collections::BTreeSet;

const TWICE: &str = "a gradient keeps a list of the messages here that one call begins and another completes, and is \
    itself differentiated, where they would be looked for in the same list: send and receive by calls that complete \
    (`MPI_Send`, `MPI_Recv`, `MPI_Sendrecv`), or take differences of the gradient";

/// Refuses to differentiate a gradient that keeps a list of its requests.
pub(crate) fn refuse_twice(m: &Module, primal: FuncId) -> Result<(), Diagnostic> {
    let Some(list) = m.global(requests::LIST) else { return Ok(()) };
    let uses_it = |f: &FuncId| {
        let func = &m.functions[*f];
        let named = |o: &Operand| o.constant().is_some_and(|c| names::variable(m, c) == Some(list));
        func.inst_order().any(|(_, inst)| func.insts[inst].kind.operands().iter().any(named))
    };
    let reached = reachable(m, primal);
    let users: BTreeSet<FuncId> = reached.iter().copied().filter(uses_it).collect();
    for func in reached.iter().rev().filter(|_| !users.is_empty()).map(|f| &m.functions[*f]) {
        let calls_one = |inst: &InstId| {
            let callee = func.insts[*inst].kind.as_call().and_then(|call| m.as_function(call.callee));
            callee.is_some_and(|f| reachable(m, f).iter().any(|f| users.contains(f)))
        };
        let located = |inst: &InstId| m.source_loc(func, *inst).is_some();
        if let Some(inst) = func.inst_order().map(|(_, inst)| inst).find(|inst| located(inst) && calls_one(inst)) {
            return Err(Diagnostic::at(m, func, inst, Reason::Unsupported, TWICE));
        }
    }
    match users.is_empty() {
        true => Ok(()),
        false => Err(Diagnostic::of(m, &m.functions[primal], Reason::Unsupported, TWICE)),
    }
}

/// The frame of a call of a function.
fn frame(m: &Module, row: &Row, callee: FuncId) -> Frame {
    Frame { args: m.functions[callee].params.iter().map(|p| p.ty).collect(), buffers: row.buffers.len() }
}

/// Bytes of the frame of a call.
pub(crate) fn frame_size(m: &Module, row: &Row, callee: FuncId) -> u64 {
    frame(m, row, callee).bytes()
}

/// `i32 @__adj_MPI_F(ptr frame, ptr tape, arguments…, shadows of its buffers…, i32 floats)`: the forward function. A
/// shadow is null where the buffer is constant; `floats` has a bit for each buffer that may hold floats though only the
/// run tells its type.
///
/// In forward mode nothing is reversed, and there are no `lists` of what was sent.
pub(crate) fn forward(m: &mut Module, row: &Row, callee: FuncId, lists: Option<Lists>) -> FuncId {
    let alone = lists.is_none();
    let lists = lists.unwrap_or_default();
    // What completes a collective operation begins the transposed one, and finds how with what the call has noted.
    let begin = (row.request.is_some() && !alone).then(|| begin(m, row, callee));
    let frame = frame(m, row, callee);
    let prefix = if alone { "__adj_primal" } else { "__adj" };
    let name = format!("{prefix}{}_{}", lists.name(row), m.functions[callee].name);
    let (ptr, i32t) = (m.types.ptr(), m.types.int(32));
    let mut params = vec![ptr, ptr];
    params.extend(&frame.args);
    params.extend(vec![ptr; frame.buffers]);
    params.push(i32t);
    let c = match Code::new(m, &name, i32t, &params) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call { listed: !alone, lists, ..Call::new(c, frame, callee) };
    for place in 0..call.frame.args.len() + call.frame.buffers {
        let value = call.c.param(place + 2);
        call.c.store(call.at, place, value);
    }
    call.lay_out(row);
    if row.request.is_some() {
        let result = call.begin_collective(row, begin);
        return call.c.finish(Some(result));
    }
    call.list_collective(row);
    let result = match row.kind {
        Kind::Barrier => call.as_it_is(),
        Kind::Send => {
            call.list(0, requests::SENT, (0, [1, 2, 3, 4, 5]));
            call.as_it_is()
        }
        Kind::Recv => call.receive(),
        Kind::Exchange => call.exchange(),
        Kind::Make(out) => call.make_communicator(out),
        Kind::Free => call.free_communicator(),
        Kind::Isend => call.begin(requests::SENT),
        Kind::Irecv => call.begin(requests::RECEIVED),
        Kind::SendInit => call.make_persistent(requests::SENT),
        Kind::RecvInit => call.make_persistent(requests::RECEIVED),
        Kind::Start => call.start(None),
        Kind::Startall => call.start(Some(0)),
        Kind::RequestFree => call.free_request(),
        Kind::Wait | Kind::Waitall | Kind::Waitany | Kind::Waitsome => call.complete(row.kind),
        Kind::Test | Kind::Testall | Kind::Testany | Kind::Testsome => call.complete(row.kind),
        Kind::Replace => call.replace(),
        Kind::Bcast | Kind::Gather | Kind::Scatter | Kind::Allgather | Kind::Alltoall => call.as_it_is(),
        Kind::Gatherv => call.keep_lists(&[4, 5], 8, true),
        Kind::Scatterv => call.keep_lists(&[1, 2], 8, true),
        Kind::Allgatherv => call.keep_lists(&[4, 5], 7, false),
        Kind::Alltoallv => call.keep_lists_of_both(),
        Kind::Reduce => call.reduce(6, reduction::Terms::Alike),
        Kind::Allreduce => call.reduce(5, reduction::Terms::Alike),
        Kind::ReduceScatterBlock => call.reduce(5, reduction::Terms::Parts),
        Kind::ReduceScatter => call.reduce(5, reduction::Terms::Listed),
        Kind::Scan | Kind::Exscan => call.scan(),
        Kind::Refused(_) => call.as_it_is(),
    };
    call.c.finish(Some(result))
}

/// `void @__adj_reverse_MPI_F(ptr frame)`: the reverse function.
pub(crate) fn reverse(m: &mut Module, row: &Row, callee: FuncId, lists: Lists) -> FuncId {
    let frame = frame(m, row, callee);
    let name = format!("__adj_reverse{}_{}", lists.name(row), m.functions[callee].name);
    let (ptr, void) = (m.types.ptr(), m.types.void());
    let c = match Code::new(m, &name, void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call { lists, ..Call::new(c, frame, callee) };
    match row.kind {
        Kind::Send => call.send_back(),
        Kind::Recv => call.receive_back(),
        Kind::Exchange => call.exchange_back(),
        Kind::Replace => call.replace_back(),
        Kind::Make(_) => call.make_communicator_back(),
        Kind::Isend | Kind::Irecv => call.end_back(),
        Kind::Start | Kind::Startall => call.start_back(),
        Kind::SendInit | Kind::RecvInit => call.make_persistent_back(),
        Kind::Wait | Kind::Waitall | Kind::Waitany | Kind::Waitsome => call.complete_back(),
        Kind::Test | Kind::Testall | Kind::Testany | Kind::Testsome => call.complete_back(),
        Kind::Free | Kind::RequestFree | Kind::Refused(_) => {}
        _ => {
            if row.request.is_some() {
                call.await_collective();
            } else {
                call.begin_back(row.kind);
            }
            call.finish_back(row.kind);
            call.unlist_collective(row);
        }
    }
    call.c.finish(None)
}

/// `void @__adj_begin_MPI_F(ptr frame, ptr request)`: begins the transposed collective operation of one that is only
/// begun.
fn begin(m: &mut Module, row: &Row, callee: FuncId) -> FuncId {
    let frame = frame(m, row, callee);
    let (ptr, void, name) = (m.types.ptr(), m.types.void(), format!("__adj_begin_{}", m.functions[callee].name));
    let c = match Code::new(m, &name, void, &[ptr, ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call::new(c, frame, callee);
    call.request = Some(call.c.param(1));
    call.begin_back(row.kind);
    call.c.finish(None)
}

/// `void @__adj_tangent_MPI_F(ptr frame, tangents of its buffers…)`: the tangents travel, when the forward function has
/// filled the frame. They are null where a buffer is constant.
pub(crate) fn tangent(m: &mut Module, row: &Row, callee: FuncId) -> FuncId {
    let frame = frame(m, row, callee);
    let (ptr, void, name) = (m.types.ptr(), m.types.void(), format!("__adj_tangent_{}", m.functions[callee].name));
    let c = match Code::new(m, &name, void, &tangent::parameters(ptr, frame.buffers)) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call::new(c, frame, callee);
    call.tangent(row);
    call.c.finish(None)
}

/// Where the reverse of a collective operation keeps its rooms from its beginning to its end.
#[derive(Clone, Copy)]
struct Rooms {
    frame: Operand,
    places: [usize; 2],
}

impl Code<'_> {
    fn keep(&mut self, rooms: Rooms, both: [Operand; 2]) {
        for (place, room) in rooms.places.into_iter().zip(both) {
            self.store(rooms.frame, place, room);
        }
    }

    fn kept(&mut self, rooms: Rooms) -> [Operand; 2] {
        rooms.places.map(|place| {
            let ptr = self.ptr;
            self.load(rooms.frame, place, ptr)
        })
    }

    /// Carries a collective operation out, or begins it where there is a place for its request.
    fn transposed(&mut self, request: Option<Operand>, name: &str, mut args: Vec<Operand>) {
        match request {
            None => drop(self.mpi(name, args)),
            Some(request) => {
                args.push(request);
                self.mpi(&format!("I{}", name.to_lowercase()), args);
            }
        }
    }
}

/// A call that is executed, or reversed.
struct Call<'m> {
    c: Code<'m>,
    /// How its frame is laid out.
    frame: Frame,
    /// The function of MPI.
    callee: FuncId,
    /// Where the frame is.
    at: Operand,
    /// What is sent and received is listed, to be reversed in order.
    listed: bool,
    /// What the gradient lists.
    lists: Lists,
    /// Where the request of a transposed collective operation goes that is only begun.
    request: Option<Operand>,
}

impl<'m> Call<'m> {
    fn new(c: Code<'m>, frame: Frame, callee: FuncId) -> Call<'m> {
        let at = c.param(0);
        Call { c, frame, callee, at, listed: true, lists: Lists::default(), request: None }
    }

    /// The tape, in a forward function.
    fn tape(&self) -> Operand {
        self.c.param(1)
    }

    /// The arguments, in a forward function.
    fn given(&self) -> Vec<Operand> {
        (0..self.frame.args.len()).map(|i| self.c.param(i + 2)).collect()
    }

    /// An argument, in a reverse function.
    fn arg(&mut self, index: usize) -> Operand {
        let ty: TypeId = self.frame.args[index];
        self.c.load(self.at, index, ty)
    }

    /// A number among the arguments, in 64 bits.
    fn count(&mut self, index: usize) -> Operand {
        let count = self.arg(index);
        self.c.widened(count)
    }

    /// The shadow of a buffer.
    fn shadow(&mut self, buffer: usize) -> Spot {
        let (place, layout, ptr) = (self.frame.shadow(buffer), self.frame.layout(buffer), self.c.ptr);
        Spot { at: self.c.load(self.at, place, ptr), layout: Some(self.c.load(self.at, layout, ptr)) }
    }

    /// The reverse of a collective operation up to the messages.
    fn begin_back(&mut self, kind: Kind) {
        match kind {
            Kind::Barrier => {
                let (comm, request) = (self.arg(0), self.request);
                self.c.transposed(request, "Barrier", vec![comm]);
            }
            Kind::Bcast => self.broadcast_begin(),
            Kind::Gather => self.gather_begin(),
            Kind::Scatter => self.scatter_begin(),
            Kind::Allgather => self.gather_all_begin(),
            Kind::Alltoall => self.all_to_all_begin(),
            Kind::Reduce => self.reduce_begin(),
            Kind::Allreduce => self.reduce_all_begin(),
            _ => {}
        }
    }

    /// And what follows; of those that are never only begun, all.
    fn finish_back(&mut self, kind: Kind) {
        match kind {
            Kind::Bcast => self.broadcast_finish(),
            Kind::Gather => self.gather_finish(),
            Kind::Scatter => self.scatter_finish(),
            Kind::Allgather => self.gather_all_finish(),
            Kind::Alltoall => self.all_to_all_finish(),
            Kind::Reduce => self.reduce_finish(),
            Kind::Allreduce => self.reduce_all_finish(),
            Kind::Alltoallv => self.all_to_all_list_back(),
            Kind::Gatherv => self.gather_list_back(),
            Kind::Scatterv => self.scatter_list_back(),
            Kind::Allgatherv => self.gather_list_all_back(),
            Kind::ReduceScatterBlock => self.reduce_parts_back(),
            Kind::ReduceScatter => self.reduce_list_back(),
            Kind::Scan => self.scan_back(false),
            Kind::Exscan => self.scan_back(true),
            _ => {}
        }
    }

    /// The size of the floats of a type among the arguments, in a reverse function; 0 where it has none.
    fn bytes(&mut self, index: usize) -> Operand {
        let ty = self.arg(index);
        self.c.bytes_of(ty)
    }

    /// Places for the rooms of a reverse.
    fn rooms(&self) -> Rooms {
        Rooms { frame: self.at, places: [5, 6].map(|place| self.frame.more(place)) }
    }

    /// The function is called.
    fn as_it_is(&mut self) -> Operand {
        let args = self.given();
        self.called(args)
    }

    fn called(&mut self, args: Vec<Operand>) -> Operand {
        let callee = self.callee;
        self.c.call(callee, args)
    }
}
