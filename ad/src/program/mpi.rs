//! Functions of MPI by the roles of their arguments: one table, which the analyses and the synthesis read.
//!
//! Names and arguments are those of the MPI standard 4.0 (chapters 3 and 6). Handles of types are recognised as three
//! implementations print them: the `mpi.h` that ships with the project (kind times 256, and size), MPICH and its kin
//! (integers from 0x4c000000 on) and Open MPI (addresses of variables named `ompi_mpi_…`).

use crate::base::names::variable;
use ir::{Call, CastOp, ConstExpr, ConstKind, FloatKind, FuncId, Function, Module, Operand};

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
    /// Of the ranks up to one's own.
    Scan,
    /// Of the ranks before one's own.
    Exscan,
    /// Makes a communicator, and leaves it where that argument says.
    Make(usize),
    /// Frees one.
    Free,
    /// Reads or writes memory of other ranks in a way that has no derivative here.
    Refused,
}

/// A buffer of data, by the positions of arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buffer {
    /// Its address.
    pub at: usize,
    /// How many elements it has, where the call alone tells.
    pub count: Option<usize>,
    /// Their type.
    pub ty: usize,
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
}

impl Row {
    /// The operation of a call that reduces.
    pub fn operation(&self, m: &Module, call: &Call) -> Option<Operation> {
        let reduces =
            matches!(self.kind, Kind::Reduce | Kind::Allreduce | Kind::ReduceScatterBlock | Kind::Scan | Kind::Exscan);
        reduces.then(|| Operation::of(m, call.args[4]))
    }

    /// Do all messages of a call consist of floats?
    pub fn only_floats(&self, m: &Module, call: &Call) -> bool {
        let floats = |buffer: &Buffer| matches!(Datatype::of(m, call.args[buffer.ty]), Datatype::Float(_));
        let in_place = |buffer: &Buffer| is_in_place(m, call.args[buffer.at]);
        self.kind != Kind::Refused && self.buffers.iter().all(|buffer| floats(buffer) || in_place(buffer))
    }

    /// May what was begun before arrive while it is executed?
    pub fn completes(&self) -> bool {
        matches!(self.kind, Kind::Wait | Kind::Waitall | Kind::Waitany | Kind::Test | Kind::Testall | Kind::Refused)
    }

    /// May a message of a call consist of floats, or is it none, so that the reverse has something to do? What is
    /// begun is noted in any case, for what waits for it does not tell its type.
    pub fn acts(&self, m: &Module, call: &Call) -> bool {
        let float = |buffer: &Buffer| {
            Datatype::of(m, call.args[buffer.ty]).may_be_float() && !is_in_place(m, call.args[buffer.at])
        };
        let begins = matches!(self.kind, Kind::Isend | Kind::Irecv);
        begins || self.buffers.is_empty() || self.buffers.iter().any(float)
    }
}

const fn sent(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { at, count: Some(count), ty, sent: true, received: false }
}

const fn received(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { at, count: Some(count), ty, sent: false, received: true }
}

const fn both(at: usize, count: usize, ty: usize) -> Buffer {
    Buffer { at, count: Some(count), ty, sent: true, received: true }
}

const fn row(name: &'static str, kind: Kind, buffers: &'static [Buffer], writes: &'static [usize]) -> Row {
    Row { name, kind, buffers, writes }
}

/// A buffer of which the call alone does not tell how many elements it has.
const fn open(at: usize, ty: usize, sent: bool) -> Buffer {
    Buffer { at, count: None, ty, sent, received: !sent }
}

const FIRST: &[Buffer] = &[sent(0, 1, 2)];
const REDUCED: &[Buffer] = &[sent(0, 2, 3), received(1, 2, 3)];

/// The table.
const ROWS: &[Row] = &[
    row("Send", Kind::Send, FIRST, &[]),
    row("Ssend", Kind::Send, FIRST, &[]),
    row("Bsend", Kind::Send, FIRST, &[]),
    row("Rsend", Kind::Send, FIRST, &[]),
    row("Recv", Kind::Recv, &[received(0, 1, 2)], &[6]),
    row("Sendrecv", Kind::Exchange, &[sent(0, 1, 2), received(5, 6, 7)], &[11]),
    row("Sendrecv_replace", Kind::Replace, &[both(0, 1, 2)], &[8]),
    row("Isend", Kind::Isend, FIRST, &[6]),
    row("Issend", Kind::Isend, FIRST, &[6]),
    row("Ibsend", Kind::Isend, FIRST, &[6]),
    row("Irsend", Kind::Isend, FIRST, &[6]),
    row("Irecv", Kind::Irecv, &[received(0, 1, 2)], &[6]),
    row("Wait", Kind::Wait, &[], &[0, 1]),
    row("Waitall", Kind::Waitall, &[], &[1, 2]),
    row("Waitany", Kind::Waitany, &[], &[1, 2, 3]),
    row("Test", Kind::Test, &[], &[0, 1, 2]),
    row("Testall", Kind::Testall, &[], &[1, 2, 3]),
    row("Comm_dup", Kind::Make(1), &[], &[1]),
    row("Comm_split", Kind::Make(3), &[], &[3]),
    row("Comm_create", Kind::Make(2), &[], &[2]),
    row("Cart_create", Kind::Make(5), &[], &[5]),
    row("Cart_sub", Kind::Make(2), &[], &[2]),
    row("Comm_free", Kind::Free, &[], &[0]),
    row("Barrier", Kind::Barrier, &[], &[]),
    row("Bcast", Kind::Bcast, &[both(0, 1, 2)], &[]),
    row("Gather", Kind::Gather, &[sent(0, 1, 2), open(3, 5, false)], &[]),
    row("Scatter", Kind::Scatter, &[open(0, 2, true), received(3, 4, 5)], &[]),
    row("Allgather", Kind::Allgather, &[sent(0, 1, 2), open(3, 5, false)], &[]),
    row("Alltoall", Kind::Alltoall, &[open(0, 2, true), open(3, 5, false)], &[]),
    row("Gatherv", Kind::Gatherv, &[sent(0, 1, 2), open(3, 6, false)], &[]),
    row("Scatterv", Kind::Scatterv, &[open(0, 3, true), received(4, 5, 6)], &[]),
    row("Allgatherv", Kind::Allgatherv, &[sent(0, 1, 2), open(3, 6, false)], &[]),
    row("Reduce", Kind::Reduce, REDUCED, &[]),
    row("Allreduce", Kind::Allreduce, REDUCED, &[]),
    row("Reduce_scatter_block", Kind::ReduceScatterBlock, &[open(0, 3, true), received(1, 2, 3)], &[]),
    row("Scan", Kind::Scan, REDUCED, &[]),
    row("Exscan", Kind::Exscan, REDUCED, &[]),
];

/// Functions that move data between ranks, and whose derivative is not known here, with their buffers.
const REFUSED: &[Row] = &[
    row("Waitsome", Kind::Refused, &[], &[1, 2, 3, 4]),
    row("Testsome", Kind::Refused, &[], &[1, 2, 3, 4]),
    row("Testany", Kind::Refused, &[], &[1, 2, 3, 4]),
    row("Request_free", Kind::Refused, &[], &[0]),
    row("Cancel", Kind::Refused, &[], &[0]),
    row("Start", Kind::Refused, &[], &[0]),
    row("Startall", Kind::Refused, &[], &[1]),
    row("Reduce_scatter", Kind::Refused, &[open(0, 3, true), open(1, 3, false)], &[]),
    row("Reduce_local", Kind::Refused, REDUCED, &[]),
    row("Alltoallv", Kind::Refused, &[open(0, 3, true), open(4, 7, false)], &[]),
    row("Alltoallw", Kind::Refused, &[open(0, 3, true), open(4, 7, false)], &[]),
    row("Neighbor_allgather", Kind::Refused, &[sent(0, 1, 2), open(3, 5, false)], &[]),
    row("Neighbor_alltoall", Kind::Refused, &[open(0, 2, true), open(3, 5, false)], &[]),
    row("Neighbor_allgatherv", Kind::Refused, &[sent(0, 1, 2), open(3, 6, false)], &[]),
    row("Neighbor_alltoallv", Kind::Refused, &[open(0, 3, true), open(4, 7, false)], &[]),
    row("Iallgather", Kind::Refused, &[sent(0, 1, 2), open(3, 5, false)], &[]),
    row("Ialltoall", Kind::Refused, &[open(0, 2, true), open(3, 5, false)], &[]),
    row("Igather", Kind::Refused, &[sent(0, 1, 2), open(3, 5, false)], &[]),
    row("Iscatter", Kind::Refused, &[open(0, 2, true), received(3, 4, 5)], &[]),
    row("Ireduce", Kind::Refused, REDUCED, &[]),
    row("Iallreduce", Kind::Refused, REDUCED, &[]),
    row("Iscan", Kind::Refused, REDUCED, &[]),
    row("Iexscan", Kind::Refused, REDUCED, &[]),
    row("Ibcast", Kind::Refused, &[both(0, 1, 2)], &[]),
    row("Mrecv", Kind::Refused, &[received(0, 1, 2)], &[]),
    row("Imrecv", Kind::Refused, &[received(0, 1, 2)], &[]),
    row("Send_init", Kind::Refused, FIRST, &[]),
    row("Ssend_init", Kind::Refused, FIRST, &[]),
    row("Bsend_init", Kind::Refused, FIRST, &[]),
    row("Rsend_init", Kind::Refused, FIRST, &[]),
    row("Recv_init", Kind::Refused, &[received(0, 1, 2)], &[]),
    row("Pack", Kind::Refused, &[sent(0, 1, 2)], &[]),
    row("Unpack", Kind::Refused, &[received(3, 4, 5)], &[]),
    row("Put", Kind::Refused, FIRST, &[]),
    row("Rput", Kind::Refused, FIRST, &[]),
    row("Get", Kind::Refused, &[received(0, 1, 2)], &[]),
    row("Rget", Kind::Refused, &[received(0, 1, 2)], &[]),
    row("Accumulate", Kind::Refused, FIRST, &[]),
    row("Raccumulate", Kind::Refused, FIRST, &[]),
    row("Get_accumulate", Kind::Refused, &[sent(0, 1, 2), received(3, 4, 5)], &[]),
    row("Fetch_and_op", Kind::Refused, &[open(0, 2, true), open(1, 2, false)], &[]),
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
    "Get_count",
    "Probe",
    "Iprobe",
    "Dims_create",
    "Cart_coords",
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

/// What a handle of a type stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Datatype {
    /// Floats of a kind.
    Float(FloatKind),
    /// Integers, characters, truth values.
    Integer,
    /// Something else: bytes, pairs.
    Other,
    /// Only a run can tell.
    Unknown,
}

impl Datatype {
    /// May there be floats?
    pub fn may_be_float(self) -> bool {
        self != Datatype::Integer
    }

    /// The type that an operand names.
    pub fn of(m: &Module, operand: Operand) -> Datatype {
        let Operand::Const(constant) = operand else { return Datatype::Unknown };
        if let Some(global) = variable(m, constant) {
            return m.globals[global].name.strip_prefix("ompi_mpi_").map_or(Datatype::Unknown, of_open_mpi);
        }
        m.as_int(operand).map_or(Datatype::Unknown, |n| Datatype::of_number(n as u32))
    }

    /// The type of a number in the headers that have numbers.
    pub fn of_number(number: u32) -> Datatype {
        if INTEGERS_OF_MPICH.contains(&number) || INTEGERS.contains(&number) {
            return Datatype::Integer;
        }
        match number {
            FLOAT | FLOAT_OF_MPICH => Datatype::Float(FloatKind::Float),
            DOUBLE | DOUBLE_OF_MPICH => Datatype::Float(FloatKind::Double),
            _ => Datatype::Other,
        }
    }
}

/// `MPI_FLOAT` and `MPI_DOUBLE` of our own header.
pub const FLOAT: u32 = 13 << 8 | 4;
pub const DOUBLE: u32 = 14 << 8 | 8;
/// The same of MPICH.
pub const FLOAT_OF_MPICH: u32 = 0x4c00_040a;
pub const DOUBLE_OF_MPICH: u32 = 0x4c00_080b;

/// Operations and `MPI_INT` of our own header.
pub const SUM: u32 = 1;
pub const PROD: u32 = 2;
pub const MAX: u32 = 3;
pub const MIN: u32 = 4;
pub const INT: u32 = 7 << 8 | 4;
/// The same of MPICH.
pub const SUM_OF_MPICH: u32 = 0x5800_0003;
pub const PROD_OF_MPICH: u32 = 0x5800_0004;
pub const MAX_OF_MPICH: u32 = 0x5800_0001;
pub const MIN_OF_MPICH: u32 = 0x5800_0002;
pub const INT_OF_MPICH: u32 = 0x4c00_0405;

/// The integers of our own header.
pub const INTEGERS: &[u32] = &[
    1 << 8 | 1,
    2 << 8 | 1,
    3 << 8 | 1,
    5 << 8 | 2,
    6 << 8 | 2,
    7 << 8 | 4,
    8 << 8 | 4,
    9 << 8 | 8,
    10 << 8 | 8,
    11 << 8 | 8,
    12 << 8 | 8,
    16 << 8 | 1,
    20 << 8 | 1,
    21 << 8 | 2,
    22 << 8 | 4,
    23 << 8 | 8,
    24 << 8 | 1,
    25 << 8 | 2,
    26 << 8 | 4,
    27 << 8 | 8,
    33 << 8 | 8,
];

/// The integers of MPICH: `MPI_CHAR` to `MPI_UNSIGNED_LONG_LONG`, those of a stated width, `MPI_C_BOOL` and `MPI_2INT`.
pub const INTEGERS_OF_MPICH: &[u32] = &[
    0x4c00_0101,
    0x4c00_0118,
    0x4c00_0102,
    0x4c00_040e,
    0x4c00_0203,
    0x4c00_0204,
    0x4c00_0405,
    0x4c00_0406,
    0x4c00_0807,
    0x4c00_0808,
    0x4c00_0809,
    0x4c00_0819,
    0x4c00_0137,
    0x4c00_0238,
    0x4c00_0439,
    0x4c00_083a,
    0x4c00_013b,
    0x4c00_023c,
    0x4c00_043d,
    0x4c00_083e,
    0x4c00_013f,
    0x4c00_0816,
];

/// The integers of Open MPI, behind `ompi_mpi_`.
pub const INTEGERS_OF_OPEN_MPI: &[&str] = &[
    "char",
    "signed_char",
    "unsigned_char",
    "wchar",
    "short",
    "unsigned_short",
    "int",
    "unsigned",
    "long",
    "unsigned_long",
    "long_long_int",
    "unsigned_long_long",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "c_bool",
    "2int",
];

fn of_open_mpi(name: &str) -> Datatype {
    match name {
        "float" => Datatype::Float(FloatKind::Float),
        "double" => Datatype::Float(FloatKind::Double),
        _ if INTEGERS_OF_OPEN_MPI.contains(&name) => Datatype::Integer,
        _ => Datatype::Other,
    }
}

/// An operation of reductions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A sum.
    Sum,
    /// A product, a maximum or a minimum: each term has a weight.
    Weighted,
    /// Another one.
    Other,
    /// Only a run can tell.
    Unknown,
}

impl Operation {
    /// The operation that an operand names.
    pub fn of(m: &Module, operand: Operand) -> Operation {
        let Operand::Const(constant) = operand else { return Operation::Unknown };
        if let Some(global) = variable(m, constant) {
            return match m.globals[global].name.strip_prefix("ompi_mpi_op_") {
                Some("sum") => Operation::Sum,
                Some("prod" | "max" | "min") => Operation::Weighted,
                Some(_) => Operation::Other,
                None => Operation::Unknown,
            };
        }
        match m.as_int(operand).map(|n| n as u32) {
            Some(SUM | SUM_OF_MPICH) => Operation::Sum,
            Some(PROD | MAX | MIN | PROD_OF_MPICH | MAX_OF_MPICH | MIN_OF_MPICH) => Operation::Weighted,
            Some(_) => Operation::Other,
            None => Operation::Unknown,
        }
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
