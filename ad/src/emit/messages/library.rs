//! Handles, constants and the layout of a status, as three implementations have them: our own `mpi.h`; MPICH 3 and 4,
//! whose binary interface others share (www.mpich.org/abi); Open MPI 4 and 5.

use crate::program::mpi::{self, Library};
use ir::{CastOp, ConstExpr, ConstKind, Global, Module, Operand, TypeId};

/// What stands in the header of the library.
#[derive(Clone, Copy)]
pub(super) struct Handles {
    pub library: Library,
}

/// `MPI_COMBINER_…`, of the types that are followed. (The numbers of our own header are those of MPICH.)
#[derive(Clone, Copy)]
pub(super) struct Combiners {
    pub named: i32,
    pub dup: i32,
    pub contiguous: i32,
    pub vector: i32,
    pub hvector: i32,
    pub indexed: i32,
    pub hindexed: i32,
    pub indexed_block: i32,
    pub structure: i32,
    pub subarray: i32,
    pub resized: i32,
    pub hindexed_block: i32,
}

impl Combiners {
    /// Those of types that are made of others.
    pub fn followed(self) -> [i32; 11] {
        [
            self.dup,
            self.contiguous,
            self.vector,
            self.hvector,
            self.indexed,
            self.hindexed,
            self.indexed_block,
            self.structure,
            self.subarray,
            self.resized,
            self.hindexed_block,
        ]
    }
}

/// Bytes of the largest status.
pub(super) const STATUS: u64 = 24;

impl Handles {
    pub fn of(m: &Module) -> Handles {
        Handles { library: Library::of(m) }
    }

    fn choose<T>(self, own: T, mpich: T, open_mpi: T) -> T {
        match self.library {
            Library::Own => own,
            Library::Mpich => mpich,
            Library::OpenMpi => open_mpi,
        }
    }

    /// Where the rank that has sent stands in a status.
    pub fn source(self) -> u64 {
        self.choose(0, 8, 0)
    }

    /// Where the tag stands.
    pub fn tag(self) -> u64 {
        self.choose(4, 12, 4)
    }

    /// `MPI_PROC_NULL`
    pub fn nobody(self) -> i32 {
        self.choose(-2, -1, -2)
    }

    /// The type of handles.
    pub fn ty(self, m: &mut Module) -> TypeId {
        match self.library {
            Library::Own | Library::Mpich => m.types.int(32),
            Library::OpenMpi => m.types.ptr(),
        }
    }

    /// Bytes of a status.
    pub fn status(self) -> u64 {
        self.choose(16, 20, STATUS)
    }

    /// `MPI_REQUEST_NULL`
    pub fn no_request(self, m: &mut Module) -> Operand {
        self.handle(m, (0, 0x2c00_0000, "ompi_request_null"))
    }

    /// `MPI_COMM_NULL`
    pub fn no_communicator(self, m: &mut Module) -> Operand {
        self.handle(m, (0, 0x0400_0000, "ompi_mpi_comm_null"))
    }

    /// `MPI_COMM_WORLD`
    pub fn world(self, m: &mut Module) -> Operand {
        self.handle(m, (1, 0x4400_0000, "ompi_mpi_comm_world"))
    }

    /// `MPI_IN_PLACE`
    pub fn in_place(self, m: &mut Module) -> Operand {
        address(m, self.choose(-1, -1, 1))
    }

    /// `MPI_SUM`
    pub fn sum(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::SUM, mpi::SUM_OF_MPICH, "ompi_mpi_op_sum"))
    }

    /// `MPI_PROD`
    pub fn product(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::PROD, mpi::PROD_OF_MPICH, "ompi_mpi_op_prod"))
    }

    /// `MPI_MAX`
    pub fn max(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::MAX, mpi::MAX_OF_MPICH, "ompi_mpi_op_max"))
    }

    /// `MPI_MIN`
    pub fn min(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::MIN, mpi::MIN_OF_MPICH, "ompi_mpi_op_min"))
    }

    /// `MPI_INT`
    pub fn int(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::INT, mpi::INT_OF_MPICH, "ompi_mpi_int"))
    }

    /// `MPI_MAXLOC`
    pub fn max_with_index(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::MAXLOC, mpi::MAXLOC_OF_MPICH, "ompi_mpi_op_maxloc"))
    }

    /// `MPI_MINLOC`
    pub fn min_with_index(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::MINLOC, mpi::MINLOC_OF_MPICH, "ompi_mpi_op_minloc"))
    }

    /// `MPI_DOUBLE_INT`
    pub fn double_with_index(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::DOUBLE_INT, mpi::DOUBLE_INT_OF_MPICH, "ompi_mpi_double_int"))
    }

    /// `MPI_FLOAT_INT`
    pub fn float_with_index(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::FLOAT_INT, mpi::FLOAT_INT_OF_MPICH, "ompi_mpi_float_int"))
    }

    /// How `MPI_Type_get_envelope` tells how a type was made.
    pub fn combiners(self) -> Combiners {
        // Open MPI counts from zero.
        let numbered = |first: i32| Combiners {
            named: first,
            dup: first + 1,
            contiguous: first + 2,
            vector: first + 3,
            hvector: first + 5,
            indexed: first + 6,
            hindexed: first + 8,
            indexed_block: first + 9,
            structure: first + 11,
            subarray: first + 12,
            resized: first + 17,
            hindexed_block: first + 18,
        };
        numbered(self.choose(1, 1, 0))
    }

    /// `MPI_ORDER_C`
    pub fn order_of_c(self) -> i32 {
        self.choose(56, 56, 0)
    }

    /// `MPI_ANY_SOURCE`
    pub fn anybody(self) -> i32 {
        self.choose(-1, -2, -1)
    }

    /// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE`
    pub fn ignore(self, m: &mut Module) -> Operand {
        address(m, self.choose(0, 1, 0))
    }

    /// A type, an operation or a null handle: a number, or the address of a variable of the library.
    fn handle(self, m: &mut Module, (own, mpich, open_mpi): (u32, u32, &str)) -> Operand {
        match self.library {
            Library::Own => m.int(32, u128::from(own)),
            Library::Mpich => m.int(32, u128::from(mpich)),
            Library::OpenMpi => {
                let known = m.global(open_mpi);
                let global = known.unwrap_or_else(|| {
                    let byte = m.types.int(8);
                    m.globals.push(Global::new(open_mpi, byte, None))
                });
                m.global_address(global)
            }
        }
    }

    /// `MPI_DOUBLE`
    pub fn double(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::DOUBLE, mpi::DOUBLE_OF_MPICH, "ompi_mpi_double"))
    }

    /// `MPI_FLOAT`
    pub fn float(self, m: &mut Module) -> Operand {
        self.handle(m, (mpi::FLOAT, mpi::FLOAT_OF_MPICH, "ompi_mpi_float"))
    }

    /// The types of integers that a program can name: all, or those whose variables it mentions.
    pub fn integers(self, m: &mut Module) -> Vec<Operand> {
        match self.library {
            Library::Own => mpi::INTEGERS.iter().map(|n| m.int(32, u128::from(*n))).collect(),
            Library::Mpich => mpi::INTEGERS_OF_MPICH.iter().map(|n| m.int(32, u128::from(*n))).collect(),
            Library::OpenMpi => {
                let names = mpi::INTEGERS_OF_OPEN_MPI.iter().map(|(name, _)| format!("ompi_mpi_{name}"));
                let known: Vec<_> = names.filter_map(|name| m.global(&name)).collect();
                known.into_iter().map(|global| m.global_address(global)).collect()
            }
        }
    }
}

/// A number as an address.
fn address(m: &mut Module, number: i64) -> Operand {
    let ptr = m.types.ptr();
    if number == 0 {
        return m.zero(ptr);
    }
    let number = m.int(64, number as u64 as u128).constant();
    match number {
        Some(number) => m.constant(ptr, ConstKind::Expr(ConstExpr::Cast(CastOp::IntToPtr, number))),
        None => m.zero(ptr),
    }
}
