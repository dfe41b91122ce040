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
//! | `tangent` | all of these in forward mode |
//! | `point` | messages from one rank to one other |
//! | `communicators` | communicators that are made and freed |
//! | `collective` | broadcasts, gathers, scatters |
//! | `lists` | those with a number and a place for each rank |
//! | `requests` | messages that are begun by one call and completed by another |
//! | `reduction` | sums, products, extremes, scans |

mod code;
mod collective;
mod communicators;
mod floats;
mod library;
mod lists;
mod point;
mod reduction;
mod requests;
mod tangent;

use crate::program::mpi::{Kind, Row};
use code::{Code, Frame};
use ir::{FuncId, Module, Operand, TypeId};

/// The frame of a call of a function.
fn frame(m: &Module, row: &Row, callee: FuncId) -> Frame {
    Frame { args: m.functions[callee].params.iter().map(|p| p.ty).collect(), buffers: row.buffers.len() }
}

/// Bytes of the frame of a call.
pub(crate) fn frame_size(m: &Module, row: &Row, callee: FuncId) -> u64 {
    frame(m, row, callee).bytes()
}

/// `i32 @__adj_MPI_F(ptr frame, ptr tape, arguments…, shadows of its buffers…)`: the forward function. A shadow is
/// null where the buffer is constant.
///
/// In forward mode (`alone`) nothing is reversed, and no list is kept of what was sent.
pub(crate) fn forward(m: &mut Module, row: &Row, callee: FuncId, alone: bool) -> FuncId {
    let frame = frame(m, row, callee);
    let prefix = if alone { "__adj_primal" } else { "__adj" };
    let (ptr, i32t, name) = (m.types.ptr(), m.types.int(32), format!("{prefix}_{}", m.functions[callee].name));
    let mut params = vec![ptr, ptr];
    params.extend(&frame.args);
    params.extend(vec![ptr; frame.buffers]);
    let c = match Code::new(m, &name, i32t, &params) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call { listed: !alone, ..Call::new(c, frame, callee) };
    for place in 0..call.frame.args.len() + call.frame.buffers {
        let value = call.c.param(place + 2);
        call.c.store(call.at, place, value);
    }
    let result = match row.kind {
        Kind::Barrier => call.as_it_is(),
        Kind::Send => {
            let shadow = call.frame.shadow(0);
            call.list(0, requests::SENT, [shadow, 1, 2, 3, 4, 5]);
            call.as_it_is()
        }
        Kind::Recv => call.receive(),
        Kind::Exchange => call.exchange(),
        Kind::Make(out) => call.make_communicator(out),
        Kind::Free => call.free_communicator(),
        Kind::Isend => call.begin(requests::SENT),
        Kind::Irecv => call.begin(requests::RECEIVED),
        Kind::Wait => call.complete((None, 0, None, None, 1)),
        Kind::Waitall => call.complete((Some(0), 1, None, None, 2)),
        Kind::Waitany => call.complete((Some(0), 1, Some(2), None, 3)),
        Kind::Test => call.complete((None, 0, None, Some(1), 2)),
        Kind::Testall => call.complete((Some(0), 1, None, Some(2), 3)),
        Kind::Replace => call.replace(),
        Kind::Bcast | Kind::Gather | Kind::Scatter | Kind::Allgather | Kind::Alltoall => call.as_it_is(),
        Kind::Gatherv => call.keep_lists(4, 8),
        Kind::Scatterv => call.keep_lists(1, 8),
        Kind::Allgatherv => call.keep_lists(4, 7),
        Kind::Reduce => call.reduce(6, false),
        Kind::Allreduce => call.reduce(5, false),
        Kind::ReduceScatterBlock => call.reduce(5, true),
        Kind::Scan | Kind::Exscan => call.scan(),
        Kind::Refused => call.as_it_is(),
    };
    call.c.finish(Some(result))
}

/// `void @__adj_reverse_MPI_F(ptr frame)`: the reverse function.
pub(crate) fn reverse(m: &mut Module, row: &Row, callee: FuncId) -> FuncId {
    let frame = frame(m, row, callee);
    let (ptr, void, name) = (m.types.ptr(), m.types.void(), format!("__adj_reverse_{}", m.functions[callee].name));
    let c = match Code::new(m, &name, void, &[ptr]) {
        Ok(c) => c,
        Err(id) => return id,
    };
    let mut call = Call::new(c, frame, callee);
    match row.kind {
        Kind::Send => call.send_back(),
        Kind::Recv => call.receive_back(),
        Kind::Exchange => call.exchange_back(),
        Kind::Replace => call.replace_back(),
        Kind::Barrier => {
            let comm = call.arg(0);
            call.c.mpi("Barrier", vec![comm]);
        }
        Kind::Make(_) => call.make_communicator_back(),
        Kind::Free => {}
        Kind::Isend | Kind::Irecv => call.end_back(),
        Kind::Wait | Kind::Waitall | Kind::Waitany | Kind::Test | Kind::Testall => call.complete_back(),
        Kind::Bcast => call.broadcast_back(),
        Kind::Gather => call.gather_back(),
        Kind::Scatter => call.scatter_back(),
        Kind::Allgather => call.gather_all_back(),
        Kind::Alltoall => call.all_to_all_back(),
        Kind::Gatherv => call.gather_list_back(),
        Kind::Scatterv => call.scatter_list_back(),
        Kind::Allgatherv => call.gather_list_all_back(),
        Kind::Reduce => call.reduce_back(),
        Kind::Allreduce => call.reduce_all_back(),
        Kind::ReduceScatterBlock => call.reduce_parts_back(),
        Kind::Scan => call.scan_back(false),
        Kind::Exscan => call.scan_back(true),
        Kind::Refused => {}
    }
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
    call.tangent(row.kind, row.name);
    call.c.finish(None)
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
}

impl<'m> Call<'m> {
    fn new(c: Code<'m>, frame: Frame, callee: FuncId) -> Call<'m> {
        let at = c.param(0);
        Call { c, frame, callee, at, listed: true }
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
    fn shadow(&mut self, buffer: usize) -> Operand {
        let (place, ptr) = (self.frame.shadow(buffer), self.c.ptr);
        self.c.load(self.at, place, ptr)
    }

    /// The size of the floats of a type among the arguments, in a reverse function; 0 where it has none.
    fn bytes(&mut self, index: usize) -> Operand {
        let ty = self.arg(index);
        self.c.bytes_of(ty)
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
