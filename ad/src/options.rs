//! Options of differentiation: what makes gradients fast, each to be left out on its own, and the faults that can be
//! seeded on purpose.

/// Options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// A defect to plant in the gradients, to see that the oracle finds it.
    pub fault: Option<Fault>,
    /// What to go without.
    pub without: Without,
    /// What each call asks for.
    pub everywhere: Everywhere,
}

/// Options of calls that may be given for all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Everywhere {
    /// `enzyme_strong_zero`.
    pub strong_zero: bool,
    /// `enzyme_runtime_activity`.
    pub runtime_activity: bool,
}

/// Something that makes gradients fast and changes no answer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lever {
    /// Variables in memory become values before the analyses ([`crate::normalise::promote`]), as no optimisation before
    /// differentiation would have left them.
    Promotion,
    /// Functions that are called at few places are written out there ([`crate::normalise::inline`]): nothing of a call
    /// is kept then; and so are gradients in a native program ([`crate::optimise::inline_gradients`]).
    Inlining,
    /// What is stored is a minimum cut ([`crate::plan`]); else everything that is needed and not at hand.
    MinimumCut,
    /// A load of memory that is not overwritten is made again in the reverse pass; else its value is stored.
    Reload,
    /// A value that the program has stored to memory that is not overwritten is loaded from there
    /// ([`crate::analysis::reload`]); else it is stored once more.
    StoredValues,
    /// What is loaded of scratch memory is made again from what was stored there
    /// ([`crate::restructure::rematerialise`]); else it is stored once more.
    Scratch,
    /// The records of a loop whose length is known on entry are one array; else each is linked to the one before.
    Arrays,
    /// The records of an inner loop lie in the record of the iteration around it where that is always as long
    /// ([`crate::plan::nested_arrays`]).
    Nesting,
    /// Recurrences that are not active are run again from checkpoints ([`crate::plan::replay`]); else stored.
    Replay,
    /// Which way a branch took is told by its condition ([`crate::plan::branch_conditions`]); else the predecessor is
    /// recorded.
    Conditions,
    /// The reverse of a block goes past blocks in which nothing happens.
    Skips,
    /// LLVM is told that records of the tape overlap with nothing else ([`crate::base::alias_scopes`]).
    AliasScopes,
    /// A clear adjoint is -0.0, so that a sum of one term is no sum.
    NegativeZero,
    /// A native program keeps chunks of the tape from one gradient to the next ([`crate::runtime::chunk_pool`]).
    TapeReuse,
    /// Calls of libm in gradients of a native program set no `errno` ([`crate::optimise::errno`]).
    Errno,
    /// A load is not made again where nothing was written since ([`crate::rewrite::redundant_loads`]).
    MergeLoads,
    /// What a partial derivative calls and the program has called is not called again ([`crate::analysis::partials`]).
    SharedCalls,
    /// Shadow memory that has just been cleared is not read ([`crate::optimise::zero_loads`]).
    KnownClear,
    /// Where branches tell that places of shadow memory are not the same, each is read and written once in a block
    /// ([`crate::optimise::delay_stores`]).
    Cells,
    /// What neighbouring iterations add to one cell of shadow memory is added up first
    /// ([`crate::optimise::align_sums`]).
    Alignment,
    /// Iterations of a loop over summands are executed when they are reversed, one after the other on the same part of
    /// the tape ([`crate::restructure::joint`]).
    Joint,
    /// Iterations of a loop that writes the caller's memory are executed when they are reversed, if they turn out to be
    /// independent of each other where the loop is entered ([`crate::restructure::joint`]).
    Maps,
    /// What threads add to an adjoint, again and again, each gathers in memory of its own
    /// ([`crate::emit::gathered_add`]).
    Gathering,
    /// LLVM makes vectors of scalars in gradients of a native program only where that gains much
    /// (`llvm::pipeline::PACKING`).
    Packing,
}

impl Lever {
    /// Every lever with the name the command line knows it by.
    pub const ALL: [(Lever, &'static str); 24] = [
        (Lever::Promotion, "promotion"),
        (Lever::Inlining, "inlining"),
        (Lever::MinimumCut, "minimum-cut"),
        (Lever::Reload, "reload"),
        (Lever::StoredValues, "stored-values"),
        (Lever::Scratch, "scratch"),
        (Lever::Arrays, "arrays"),
        (Lever::Nesting, "nesting"),
        (Lever::Replay, "replay"),
        (Lever::Conditions, "conditions"),
        (Lever::Skips, "skips"),
        (Lever::AliasScopes, "alias-scopes"),
        (Lever::NegativeZero, "negative-zero"),
        (Lever::TapeReuse, "tape-reuse"),
        (Lever::Errno, "errno"),
        (Lever::MergeLoads, "merge-loads"),
        (Lever::SharedCalls, "shared-calls"),
        (Lever::KnownClear, "known-clear"),
        (Lever::Cells, "cells"),
        (Lever::Alignment, "alignment"),
        (Lever::Joint, "joint"),
        (Lever::Maps, "maps"),
        (Lever::Gathering, "gathering"),
        (Lever::Packing, "packing"),
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        Lever::ALL.iter().find(|(lever, _)| *lever == self).map_or("", |(_, name)| name)
    }

    /// The lever of that name.
    pub fn parse(name: &str) -> Option<Lever> {
        Lever::ALL.iter().find(|(_, n)| *n == name).map(|(lever, _)| *lever)
    }
}

/// Levers that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Without(u32);

impl Without {
    /// Goes without one more.
    pub fn and(self, lever: Lever) -> Without {
        Without(self.0 | 1 << lever as u8)
    }

    /// Is it left out?
    pub fn has(self, lever: Lever) -> bool {
        self.0 & (1 << lever as u8) != 0
    }
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
