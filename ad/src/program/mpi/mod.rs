//! Functions of MPI by the roles of their arguments: one table, which the analyses and the synthesis read.
//!
//! Names and arguments are those of the MPI standard 4.0 (chapters 3 and 6). Handles of types are recognised as three
//! implementations print them: the `mpi.h` that ships with the project (kind times 256, and size), MPICH and its kin
//! (integers from 0x4c000000 on) and Open MPI (addresses of variables named `ompi_mpi_…`).

mod handles;

pub use handles::*;

use crate::base::names::variable;
use ir::{Call, CastOp, ConstExpr, ConstKind, FuncId, Function, Module, Operand};

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Sends, and returns when the buffer may be used again.
    Send,
    /// Receives.
    Recv,
    /// Sends and receives.
    Exchange,
    /// Sends what is in a buffer, and receives into it.
    Replace,
    /// Begins to send.
    Isend,
    /// Begins to receive.
    Irecv,
    /// Waits for a request.
    Wait,
    /// Waits for some requests.
    Waitall,
    /// Waits for one of some requests.
    Waitany,
    /// Is a request complete?
    Test,
    /// Are all of some requests complete?
    Testall,
    /// Waits for some of some requests, and tells which.
    Waitsome,
    /// Is one of some requests complete, and which?
    Testany,
    /// Which of some requests are complete?
    Testsome,
    /// Makes a request that sends whenever it is started.
    SendInit,
    /// Makes one that receives.
    RecvInit,
    /// Starts such a request.
    Start,
    /// Starts some of them.
    Startall,
    /// Frees a request.
    RequestFree,
    /// Waits for all ranks.
    Barrier,
    /// From one to all.
    Bcast,
    /// From all to one.
    Gather,
    /// A part from one to each.
    Scatter,
    /// From all to all.
    Allgather,
    /// A part from each to each.
    Alltoall,
    /// [`Kind::Alltoall`] with a number and a place for each rank, on both sides.
    Alltoallv,
    /// [`Kind::Gather`] with a number and a place for each rank.
    Gatherv,
    /// [`Kind::Scatter`] with a number and a place for each rank.
    Scatterv,
    /// [`Kind::Allgather`] with a number and a place for each rank.
    Allgatherv,
    /// A reduction of what all have, for one.
    Reduce,
    /// The same for all.
    Allreduce,
    /// The same, a part for each.
    ReduceScatterBlock,
    /// The same, with the size of each part.
    ReduceScatter,
    /// Of the ranks up to one's own.
    Scan,
    /// Of the ranks before one's own.
    Exscan,
    /// Makes a communicator, and leaves it where that argument says.
    Make(usize),
    /// Frees one.
    Free,
    /// Moves data in a way that has no derivative here: says so, and what to do instead.
    Refused(&'static str),
}

/// How many elements a buffer has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// As many as an argument says.
    Whole(usize),
    /// That many for each rank.
    Each(usize),
    /// A list of numbers stands in an argument, and in the next one where each part begins.
    Listed(usize),
    /// A list of numbers of elements, one behind the other.
    Summed(usize),
}

/// Who reads the arguments of a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// All ranks.
    All,
    /// The root, which is that argument, of the communicator in another one.
    Root(usize, usize),
}

/// A buffer of data, by the positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its address.
    pub at: usize,
    /// How many elements it has.
    pub count: Count,
    /// Their type.
    pub ty: usize,
    /// For whom it is there.
    pub whose: Whose,
    /// Others get what is in it.
    pub sent: bool,
    /// It gets what others send.
    pub received: bool,
}

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its name, without `MPI_`.
    pub name: &'static str,
    /// What it does.
    pub kind: Kind,
    /// Its buffers.
    pub buffers: &'static [Buffer],
    /// Other pointers through which it writes: a status, a request.
    pub writes: &'static [usize],
    /// Where a collective operation that is only begun leaves its request.
    pub request: Option<usize>,
}

impl Row {
    /// The operation of a call that reduces.
    pub fn operation(&self, m: &Module, call: &Call) -> Option<Operation> {
        self.reduces().then(|| Operation::of(m, call.args[4]))
    }

    /// Does it reduce?
    pub fn reduces(&self) -> bool {
        let parts = matches!(self.kind, Kind::ReduceScatterBlock | Kind::ReduceScatter);
        parts || matches!(self.kind, Kind::Reduce | Kind::Allreduce | Kind::Scan | Kind::Exscan)
    }

    /// Do all ranks of a communicator take part? It is that argument.
    pub fn collective(&self) -> Option<usize> {
        Some(match self.kind {
            Kind::Barrier => 0,
            Kind::Bcast => 4,
            Kind::Allreduce | Kind::ReduceScatterBlock | Kind::ReduceScatter | Kind::Scan | Kind::Exscan => 5,
            Kind::Allgather | Kind::Alltoall | Kind::Reduce => 6,
            Kind::Gather | Kind::Scatter | Kind::Allgatherv => 7,
            Kind::Gatherv | Kind::Scatterv | Kind::Alltoallv => 8,
            _ => return None,
        })
    }

    /// May something arrive in its buffers when it has returned?
    pub fn receives_later(&self) -> bool {
        matches!(self.kind, Kind::Irecv | Kind::RecvInit) || self.request.is_some()
    }

    /// Does another call complete what it begins?
    pub fn begins(&self) -> bool {
        let made = matches!(self.kind, Kind::SendInit | Kind::RecvInit);
        made || matches!(self.kind, Kind::Isend | Kind::Irecv) || self.request.is_some()
    }

    /// Are the floats in all messages of a call followed: by their types, or by what a run looks up?
    pub fn follows_floats(&self, m: &Module, call: &Call) -> bool {
        let followed = |buffer: &Buffer| match Datatype::of(m, call.args[buffer.ty]) {
            Datatype::Float(_) | Datatype::WithIndex(_) | Datatype::Unknown => true,
            Datatype::Integer | Datatype::Other => false,
        };
        let in_place = |buffer: &Buffer| is_in_place(m, call.args[buffer.at]);
        !matches!(self.kind, Kind::Refused(_)) && self.buffers.iter().all(|buffer| followed(buffer) || in_place(buffer))
    }

    /// May what was begun before arrive while it is executed?
    pub fn completes(&self) -> bool {
        let waits = matches!(self.kind, Kind::Wait | Kind::Waitall | Kind::Waitany | Kind::Waitsome);
        let asks = matches!(self.kind, Kind::Test | Kind::Testall | Kind::Testany | Kind::Testsome);
        waits || asks || matches!(self.kind, Kind::Refused(_))
    }

    /// May a message of a call consist of floats, or is it none, so that the reverse has something to do? What is
    /// begun is noted in any case, for what waits for it does not tell its type.
    pub fn acts(&self, m: &Module, call: &Call) -> bool {
        let float = |buffer: &Buffer| {
            Datatype::of(m, call.args[buffer.ty]).may_be_float() && !is_in_place(m, call.args[buffer.at])
        };
        self.begins() || self.buffers.is_empty() || self.buffers.iter().any(float)
    }
}

const fn sent(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { at, count: Count::Whole(count), ty, whose: Whose::All, sent: true, received: false }
}

const fn received(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { sent: false, received: true, ..sent(at, count, ty) }
}

const fn both(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { received: true, ..sent(at, count, ty) }
}

/// A buffer with that many elements for each rank.
const fn each(buffer: Buffer) -> Buffer {
    let Count::Whole(count) = buffer.count else { return buffer };
    Buffer { count: Count::Each(count), ..buffer }
}

/// A buffer with a number and a place for each rank.
const fn listed(buffer: Buffer) -> Buffer {
    let Count::Whole(count) = buffer.count else { return buffer };
    Buffer { count: Count::Listed(count), ..buffer }
}

/// A buffer that the root alone has.
const fn at_root(root: usize, buffer: Buffer) -> Buffer {
    Buffer { whose: Whose::Root(root, root + 1), ..buffer }
}

const fn row(name: &'static str, kind: Kind, buffers: &'static [Buffer], writes: &'static [usize]) -> Row {
    Row { name, kind, buffers, writes, request: None }
}

/// A collective operation that is begun, and whose request is its last argument.
const fn begun(name: &'static str, kind: Kind, buffers: &'static [Buffer], writes: &'static [usize; 1]) -> Row {
    Row { name, kind, buffers, writes, request: Some(writes[0]) }
}

const fn refused(name: &'static str, instead: &'static str, buffers: &'static [Buffer]) -> Row {
    row(name, Kind::Refused(instead), buffers, &[])
}

const FIRST: &[Buffer] = &[sent(0, 1, 2)];
const TAKEN: &[Buffer] = &[received(0, 1, 2)];
const SHARED: &[Buffer] = &[both(0, 1, 2)];
const REDUCED: &[Buffer] = &[sent(0, 2, 3), received(1, 2, 3)];
const REDUCED_PARTS: &[Buffer] = &[each(sent(0, 2, 3)), received(1, 2, 3)];
const REDUCED_LISTED: &[Buffer] =
    &[Buffer { count: Count::Summed(2), ..sent(0, 2, 3) }, Buffer { count: Count::Summed(2), ..received(1, 2, 3) }];
const GATHERED: &[Buffer] = &[sent(0, 1, 2), at_root(6, each(received(3, 4, 5)))];
const GATHERED_BY_ALL: &[Buffer] = &[sent(0, 1, 2), each(received(3, 4, 5))];
const GATHERED_LISTED: &[Buffer] = &[sent(0, 1, 2), at_root(7, listed(received(3, 4, 6)))];
const GATHERED_LISTED_BY_ALL: &[Buffer] = &[sent(0, 1, 2), listed(received(3, 4, 6))];
const SCATTERED: &[Buffer] = &[at_root(6, each(sent(0, 1, 2))), received(3, 4, 5)];
const SCATTERED_LISTED: &[Buffer] = &[at_root(7, listed(sent(0, 1, 3))), received(4, 5, 6)];
const EXCHANGED: &[Buffer] = &[each(sent(0, 1, 2)), each(received(3, 4, 5))];
const EXCHANGED_LISTED: &[Buffer] = &[listed(sent(0, 1, 3)), listed(received(4, 5, 7))];

/// The table.
const ROWS: &[Row] = &[
    row("Send", Kind::Send, FIRST, &[]),
    row("Ssend", Kind::Send, FIRST, &[]),
    row("Bsend", Kind::Send, FIRST, &[]),
    row("Rsend", Kind::Send, FIRST, &[]),
    row("Recv", Kind::Recv, TAKEN, &[6]),
    row("Sendrecv", Kind::Exchange, &[sent(0, 1, 2), received(5, 6, 7)], &[11]),
    row("Sendrecv_replace", Kind::Replace, SHARED, &[8]),
    row("Isend", Kind::Isend, FIRST, &[6]),
    row("Issend", Kind::Isend, FIRST, &[6]),
    row("Ibsend", Kind::Isend, FIRST, &[6]),
    row("Irsend", Kind::Isend, FIRST, &[6]),
    row("Irecv", Kind::Irecv, TAKEN, &[6]),
    row("Send_init", Kind::SendInit, FIRST, &[6]),
    row("Ssend_init", Kind::SendInit, FIRST, &[6]),
    row("Bsend_init", Kind::SendInit, FIRST, &[6]),
    row("Rsend_init", Kind::SendInit, FIRST, &[6]),
    row("Recv_init", Kind::RecvInit, TAKEN, &[6]),
    row("Start", Kind::Start, &[], &[0]),
    row("Startall", Kind::Startall, &[], &[1]),
    row("Request_free", Kind::RequestFree, &[], &[0]),
    row("Wait", Kind::Wait, &[], &[0, 1]),
    row("Waitall", Kind::Waitall, &[], &[1, 2]),
    row("Waitany", Kind::Waitany, &[], &[1, 2, 3]),
    row("Waitsome", Kind::Waitsome, &[], &[1, 2, 3, 4]),
    row("Test", Kind::Test, &[], &[0, 1, 2]),
    row("Testall", Kind::Testall, &[], &[1, 2, 3]),
    row("Testany", Kind::Testany, &[], &[1, 2, 3, 4]),
    row("Testsome", Kind::Testsome, &[], &[1, 2, 3, 4]),
    row("Comm_dup", Kind::Make(1), &[], &[1]),
    row("Comm_split", Kind::Make(3), &[], &[3]),
    row("Comm_create", Kind::Make(2), &[], &[2]),
    row("Cart_create", Kind::Make(5), &[], &[5]),
    row("Cart_sub", Kind::Make(2), &[], &[2]),
    row("Comm_free", Kind::Free, &[], &[0]),
    row("Barrier", Kind::Barrier, &[], &[]),
    row("Bcast", Kind::Bcast, SHARED, &[]),
    row("Gather", Kind::Gather, GATHERED, &[]),
    row("Scatter", Kind::Scatter, SCATTERED, &[]),
    row("Allgather", Kind::Allgather, GATHERED_BY_ALL, &[]),
    row("Alltoall", Kind::Alltoall, EXCHANGED, &[]),
    row("Alltoallv", Kind::Alltoallv, EXCHANGED_LISTED, &[]),
    row("Gatherv", Kind::Gatherv, GATHERED_LISTED, &[]),
    row("Scatterv", Kind::Scatterv, SCATTERED_LISTED, &[]),
    row("Allgatherv", Kind::Allgatherv, GATHERED_LISTED_BY_ALL, &[]),
    row("Reduce", Kind::Reduce, REDUCED, &[]),
    row("Allreduce", Kind::Allreduce, REDUCED, &[]),
    row("Reduce_scatter_block", Kind::ReduceScatterBlock, REDUCED_PARTS, &[]),
    row("Reduce_scatter", Kind::ReduceScatter, REDUCED_LISTED, &[]),
    row("Scan", Kind::Scan, REDUCED, &[]),
    row("Exscan", Kind::Exscan, REDUCED, &[]),
    begun("Ibarrier", Kind::Barrier, &[], &[1]),
    begun("Ibcast", Kind::Bcast, SHARED, &[5]),
    begun("Igather", Kind::Gather, GATHERED, &[8]),
    begun("Iscatter", Kind::Scatter, SCATTERED, &[8]),
    begun("Iallgather", Kind::Allgather, GATHERED_BY_ALL, &[7]),
    begun("Ialltoall", Kind::Alltoall, EXCHANGED, &[7]),
    begun("Ireduce", Kind::Reduce, REDUCED, &[7]),
    begun("Iallreduce", Kind::Allreduce, REDUCED, &[6]),
];

macro_rules! no_derivative {
    ($instead:literal) => {
        concat!("this function of MPI has no derivative here: ", $instead)
    };
}

const NOT_BEGUN: &str = no_derivative!("call the function that returns when all is done");
const CANCELLED: &str = no_derivative!("receive and ignore the message instead of cancelling it");
const NEIGHBOURS: &str = no_derivative!("send to the neighbours and receive from them one by one");
const EACH_ITS_TYPE: &str = no_derivative!("use MPI_Alltoallv");
const MATCHED: &str = no_derivative!("use MPI_Probe and MPI_Recv");
const PACKED: &str = no_derivative!("send the numbers themselves, as MPI_DOUBLE or MPI_FLOAT");
const LOCAL: &str = no_derivative!("write the loop out");
const LAID_OUT: &str =
    no_derivative!("make the type with MPI_Type_create_subarray or MPI_Type_vector, or send each part by itself");
const ONE_SIDED: &str =
    no_derivative!("send and receive, or keep one-sided communication out of what is differentiated");
const IN_FILES: &str = no_derivative!("read and write files outside of what is differentiated");

/// Functions that move data between ranks, and whose derivative is not known here, with their buffers.
const REFUSED: &[Row] = &[
    refused("Cancel", CANCELLED, &[]),
    refused("Reduce_local", LOCAL, REDUCED),
    refused("Alltoallw", EACH_ITS_TYPE, &[listed(sent(0, 1, 3)), listed(received(4, 5, 7))]),
    refused("Neighbor_allgather", NEIGHBOURS, GATHERED_BY_ALL),
    refused("Neighbor_alltoall", NEIGHBOURS, EXCHANGED),
    refused("Neighbor_allgatherv", NEIGHBOURS, GATHERED_LISTED_BY_ALL),
    refused("Neighbor_alltoallv", NEIGHBOURS, EXCHANGED_LISTED),
    refused("Igatherv", NOT_BEGUN, GATHERED_LISTED),
    refused("Iscatterv", NOT_BEGUN, SCATTERED_LISTED),
    refused("Iallgatherv", NOT_BEGUN, GATHERED_LISTED_BY_ALL),
    refused("Ialltoallv", NOT_BEGUN, EXCHANGED_LISTED),
    refused("Ireduce_scatter_block", NOT_BEGUN, REDUCED_PARTS),
    refused("Ireduce_scatter", NOT_BEGUN, REDUCED_LISTED),
    refused("Iscan", NOT_BEGUN, REDUCED),
    refused("Iexscan", NOT_BEGUN, REDUCED),
    refused("Mrecv", MATCHED, TAKEN),
    refused("Imrecv", MATCHED, TAKEN),
    refused("Pack", PACKED, FIRST),
    refused("Unpack", PACKED, &[received(3, 4, 5)]),
    refused("Type_create_darray", LAID_OUT, &[]),
    refused("Win_create", ONE_SIDED, &[]),
    refused("Win_allocate", ONE_SIDED, &[]),
    refused("Win_allocate_shared", ONE_SIDED, &[]),
    refused("Win_fence", ONE_SIDED, &[]),
    refused("Put", ONE_SIDED, FIRST),
    refused("Rput", ONE_SIDED, FIRST),
    refused("Get", ONE_SIDED, TAKEN),
    refused("Rget", ONE_SIDED, TAKEN),
    refused("Accumulate", ONE_SIDED, FIRST),
    refused("Raccumulate", ONE_SIDED, FIRST),
    refused("Get_accumulate", ONE_SIDED, &[sent(0, 1, 2), received(3, 4, 5)]),
    refused("Fetch_and_op", ONE_SIDED, &[sent(0, 2, 2), received(1, 2, 2)]),
    refused("File_read", IN_FILES, &[received(1, 2, 3)]),
    refused("File_read_all", IN_FILES, &[received(1, 2, 3)]),
    refused("File_read_at", IN_FILES, &[received(2, 3, 4)]),
    refused("File_read_at_all", IN_FILES, &[received(2, 3, 4)]),
    refused("File_write", IN_FILES, &[sent(1, 2, 3)]),
    refused("File_write_all", IN_FILES, &[sent(1, 2, 3)]),
    refused("File_write_at", IN_FILES, &[sent(2, 3, 4)]),
    refused("File_write_at_all", IN_FILES, &[sent(2, 3, 4)]),
];

/// Functions that move no data of the program: they ask, or make and free handles.
const INACTIVE: &[&str] = &[
    "Init",
    "Init_thread",
    "Initialized",
    "Finalized",
    "Abort",
    "Wtime",
    "Wtick",
    "Get_processor_name",
    "Comm_rank",
    "Comm_size",
    "Comm_set_errhandler",
    "Type_size",
    "Type_get_extent",
    "Type_contiguous",
    "Type_vector",
    "Type_create_hvector",
    "Type_indexed",
    "Type_create_hindexed",
    "Type_create_indexed_block",
    "Type_create_hindexed_block",
    "Type_create_struct",
    "Type_create_subarray",
    "Get_address",
    "Type_create_resized",
    "Type_dup",
    "Type_commit",
    "Type_free",
    "Buffer_attach",
    "Buffer_detach",
    "Get_count",
    "Get_elements",
    "Probe",
    "Iprobe",
    "Dims_create",
    "Cart_coords",
    "Cart_get",
    "Cart_rank",
    "Cart_shift",
];

/// The name without its prefix; `PMPI_…` are the same functions (MPI 4.0, 15.2).
fn plain(name: &str) -> Option<&str> {
    name.strip_prefix('P').unwrap_or(name).strip_prefix("MPI_")
}

/// The row of a function that moves data, if it is declared with as many arguments as the standard gives it.
pub fn lookup(func: &Function) -> Option<&'static Row> {
    let name = plain(&func.name).filter(|_| func.is_declaration())?;
    let row = ROWS.iter().chain(REFUSED).find(|row| row.name == name)?;
    let last = row.buffers.iter().map(|b| b.ty).chain(row.writes.iter().copied()).max();
    (last.is_none_or(|last| last < func.params.len())).then_some(row)
}

/// Does the function move no data of the program?
pub fn is_inactive(name: &str) -> bool {
    plain(name).is_some_and(|name| INACTIVE.contains(&name))
}

/// Does the function look whether a message has come, and from whom?
pub fn looks_for_messages(func: &Function) -> bool {
    func.is_declaration() && plain(&func.name).is_some_and(|name| ["Probe", "Iprobe"].contains(&name))
}

/// Is it `MPI_IN_PLACE` as one of the headers spells it: the address 1 or -1, at which there is no memory?
pub fn is_in_place(m: &Module, operand: Operand) -> bool {
    let Some(constant) = operand.constant() else { return false };
    match m.constants.get(constant).kind {
        ConstKind::Expr(ConstExpr::Cast(CastOp::IntToPtr, inner)) => {
            m.as_int(Operand::Const(inner)).is_some_and(|n| n == 1 || n as u64 == u64::MAX)
        }
        _ => false,
    }
}

/// Whose header a module was compiled with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Library {
    /// The one of the project.
    Own,
    /// MPICH, and what shares its binary interface.
    Mpich,
    /// Open MPI.
    OpenMpi,
}

impl Library {
    /// Told by the handles: addresses, numbers from 0x44000000 on, or small ones.
    pub fn of(m: &Module) -> Library {
        let ours = |f: FuncId| plain(&m.functions[f].name).is_some();
        let address =
            |f: &Function| lookup(f).and_then(|row| row.buffers.first().map(|b| m.types.is_ptr(f.params[b.ty].ty)));
        if m.functions.values().any(|f| address(f) == Some(true)) {
            return Library::OpenMpi;
        }
        for func in m.functions.values() {
            for (_, inst) in func.inst_order() {
                let Some(call) = func.insts[inst].kind.as_call() else { continue };
                if !m.as_function(call.callee).is_some_and(ours) {
                    continue;
                }
                for arg in &call.args {
                    let variable = arg.constant().and_then(|c| variable(m, c)).map(|g| &m.globals[g].name);
                    if variable.is_some_and(|name| name.starts_with("ompi_")) {
                        return Library::OpenMpi;
                    }
                    let of_mpich = |n: u128| (0x4400_0000..0x5900_0000).contains(&n);
                    if m.as_int(*arg).is_some_and(of_mpich) {
                        return Library::Mpich;
                    }
                }
            }
        }
        Library::Own
    }
}
