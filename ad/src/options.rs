//! Options of differentiation, and the faults that can be seeded on purpose.

/// Options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// A defect to plant in the gradients, to see that the oracle finds it.
    pub fault: Option<Fault>,
}

/// A defect of synthesis, of a kind that AD tools have had (named after its family).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// The second operand of a product contributes nothing.
    DroppedTerm,
    /// A subtraction's second operand has the wrong sign.
    WrongSign,
    /// A store's shadow is not cleared when the store is reversed.
    StaleShadow,
    /// Shadow memory of a local allocation is not zeroed.
    UninitialisedShadow,
    /// The tape cell of a stored value is read without having been written.
    UnwrittenCache,
    /// A stored value is read from the wrong iteration: the last one's.
    WrongIteration,
    /// A load's adjoint is added twice.
    DoubleAdd,
    /// A phi passes nothing along its last edge.
    SkippedEdge,
    /// Memory that the differentiated code allocates is taken for constant.
    ActivityConstant,
    /// The shadow of an allocation is the allocation itself.
    SharedShadow,
    /// The derivative of a function from the table is taken at twice its value.
    WrongRule,
    /// A store of a primal value is followed by one of its double.
    PrimalCorruption,
    /// A copied block is taken for integers.
    WrongType,
    /// The tape is not freed.
    Leak,
}

impl Fault {
    /// Every fault with the name the command line knows it by.
    pub const ALL: [(Fault, &'static str); 14] = [
        (Fault::DroppedTerm, "dropped-term"),
        (Fault::WrongSign, "wrong-sign"),
        (Fault::StaleShadow, "stale-shadow"),
        (Fault::UninitialisedShadow, "uninitialised-shadow"),
        (Fault::UnwrittenCache, "unwritten-cache"),
        (Fault::WrongIteration, "wrong-iteration"),
        (Fault::DoubleAdd, "double-add"),
        (Fault::SkippedEdge, "skipped-edge"),
        (Fault::ActivityConstant, "activity-constant"),
        (Fault::SharedShadow, "shared-shadow"),
        (Fault::WrongRule, "wrong-rule"),
        (Fault::PrimalCorruption, "primal-corruption"),
        (Fault::WrongType, "wrong-type"),
        (Fault::Leak, "leak"),
    ];

    /// The fault of that name.
    pub fn parse(name: &str) -> Option<Fault> {
        Fault::ALL.iter().find(|(_, n)| *n == name).map(|(f, _)| *f)
    }
}
