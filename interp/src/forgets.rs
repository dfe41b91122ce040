//! Faults to plant in what rides along with an execution, to see that whoever relies on it notices.
//!
//! Each is a way in which a shadow could be forgotten, or an old one kept, if the engine or a machine had a mistake
//! there. A machine says by [`Machine::forgets`] which one it has; the engine and the machines ask at the place in
//! question, and only there. A planted execution takes the slow loop.

/// Where shadows are forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forgets {
    /// A load.
    Load,
    /// A load of a number as an integer.
    IntegerLoad,
    /// A load of several numbers as one integer.
    Parts,
    /// A store.
    Store,
    /// A store of several numbers as one integer.
    StoredParts,
    /// A store of a constant leaves the shadow that was there.
    StaleStore,
    /// A copy of memory.
    Copy,
    /// A copy of memory leaves the shadows that were there.
    StaleCopy,
    /// A fill of memory leaves the shadows that were there.
    StaleFill,
    /// Memory that is moved to grow.
    Realloc,
    /// A copy of memory by a function of the library.
    LibraryCopy,
    /// Sorting by the library.
    Sort,
    /// A structure that is passed by value.
    ByValue,
    /// A choice between values.
    Select,
    /// A value that depends on the edge.
    Phi,
    /// `freeze`.
    Freeze,
    /// An element taken out of a vector.
    Extract,
    /// An element put into a vector.
    Insert,
    /// Members of structures and shuffled elements.
    Members,
    /// A bit cast of one value.
    Bitcast,
    /// A bit cast of vectors.
    VectorCast,
    /// Shifts, masks and truncations that leave the bits of a number together.
    Halves,
    /// Conversions between formats.
    Convert,
    /// An argument.
    Argument,
    /// A result.
    Return,
    /// An argument of a variadic function.
    Variadic,
    /// An atomic load.
    AtomicLoad,
    /// An atomic store.
    AtomicStore,
    /// An atomic exchange.
    Exchange,
    /// A comparison with exchange.
    CompareExchange,
    /// An atomic sum forgets what was in memory.
    AtomicSum,
    /// A load under a mask.
    Masked,
    /// Operations with a rounding mode.
    Constrained,
    /// Sums.
    Sum,
    /// The second factor of a product.
    Factor,
    /// The divisor of a quotient.
    Divisor,
    /// Negation.
    Negation,
    /// The summand of a fused operation.
    Fused,
    /// Functions of the library of mathematics.
    Function,
    /// The same, called through a pointer.
    CalledFunction,
    /// All results of a function but the first.
    Outputs,
    /// Operations that select or jump: minimum, absolute value, remainder.
    Pieces,
    /// Whatever is computed.
    Everything,
    /// What integer operations make of bits.
    Bits,
    /// What intrinsics make of bits.
    BitIntrinsic,
    /// What is chosen by a condition.
    Condition,
    /// Conversions of integers to numbers.
    FromInteger,
    /// What a function of the library returns.
    LibraryResult,
    /// What a function of the library writes.
    LibraryWrites,
    /// The memory that a function of the library reads.
    LibraryReads,
    /// What streams, files and pipes keep.
    Kept,
    /// Comparisons of numbers.
    Comparison,
    /// Roundings to integers.
    Rounding,
}
