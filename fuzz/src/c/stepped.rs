//! Numbers with steps, as data: integers that a number is rounded to by the adding of a large constant, and integers
//! that many decisions on a number make. Both are constant in pieces: their slope is zero.

use crate::c::ways::{Shape, named};

/// A number rounded by the adding of a large constant, which is taken off again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounded {
    /// It is a `float`.
    pub single: bool,
    /// The constant is a power of two rather than one and a half; the number is positive then.
    pub plain: bool,
    /// The number is rounded to a multiple of two to the power of minus this, at most 8; of 1 where the constant is
    /// plain.
    pub places: u32,
    /// Where the sum is in between.
    pub between: Between,
    /// How the integer is taken from the sum.
    pub taken: Taken,
    /// What becomes of it.
    pub used: Used,
}

/// Where a sum is between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Between {
    /// In an expression.
    Nothing,
    /// In a variable.
    Variable,
    /// In an element of an array, at an index that the run knows.
    Element,
    /// In a field of a structure that is copied.
    Field,
    /// In volatile memory.
    Volatile,
    /// It is what a function returns.
    Returned,
    /// A function stores it through a pointer.
    Stored,
    /// It is carried around a loop.
    Carried,
    /// It is one of two.
    Chosen,
    /// It goes through bytes.
    Copied,
}

/// How an integer is taken from a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Taken {
    /// The constant is taken off.
    Difference,
    /// From the bits.
    Bits,
}

/// What becomes of an integer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Used {
    /// It is a factor.
    Factor,
    /// What is left of the number without it.
    Rest,
    /// It is the index of a table.
    Index,
}

/// An integer from many decisions on a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decided {
    /// How many; where they are put together as bits, at most 60.
    pub count: u32,
    /// Where that is written; never in loops over two.
    pub shape: Shape,
    /// How one decision is made.
    pub by: Decision,
    /// What they are put together to.
    pub made: Made,
    /// What becomes of it.
    pub used: Used,
}

/// One decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Decision {
    /// A comparison of numbers.
    Compared,
    /// The sign of a difference, by the function of the library.
    Sign,
    /// The sign of a difference, as a bit.
    SignBit,
    /// A branch.
    Branch,
}

/// What decisions are put together to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Made {
    /// A count.
    Count,
    /// The bits of an integer, which are counted.
    Mask,
    /// An array of characters, which are added up.
    Flags,
    /// The largest integer below, found by halving.
    Search,
    /// A number, by adding constants.
    Number,
}

impl Between {
    /// Every one, with its name.
    pub const ALL: [(Between, &'static str); 10] = [
        (Between::Nothing, "rounded sum: at once"),
        (Between::Variable, "rounded sum: in a variable"),
        (Between::Element, "rounded sum: in an array"),
        (Between::Field, "rounded sum: in a field"),
        (Between::Volatile, "rounded sum: volatile"),
        (Between::Returned, "rounded sum: returned"),
        (Between::Stored, "rounded sum: stored by a function"),
        (Between::Carried, "rounded sum: around a loop"),
        (Between::Chosen, "rounded sum: chosen"),
        (Between::Copied, "rounded sum: through bytes"),
    ];
}

impl Taken {
    /// Every one, with its name.
    pub const ALL: [(Taken, &'static str); 2] =
        [(Taken::Difference, "rounded: by a difference"), (Taken::Bits, "rounded: from the bits")];
}

impl Used {
    /// Every one, with its name.
    pub const ALL: [(Used, &'static str); 3] = [
        (Used::Factor, "integer as a factor"),
        (Used::Rest, "what an integer leaves"),
        (Used::Index, "integer as an index"),
    ];
}

impl Decision {
    /// Every one, with its name.
    pub const ALL: [(Decision, &'static str); 4] = [
        (Decision::Compared, "decided: by comparison"),
        (Decision::Sign, "decided: by sign"),
        (Decision::SignBit, "decided: by the bit of the sign"),
        (Decision::Branch, "decided: by branches"),
    ];
}

impl Made {
    /// Every one, with its name.
    pub const ALL: [(Made, &'static str); 5] = [
        (Made::Count, "decisions: counted"),
        (Made::Mask, "decisions: as bits"),
        (Made::Flags, "decisions: in an array"),
        (Made::Search, "decisions: search by halving"),
        (Made::Number, "decisions: a sum of numbers"),
    ];
}

/// The name of one of several.
/// Names of all constructs that there are.
pub(super) fn all_names() -> Vec<&'static str> {
    let mut all: Vec<&str> = Between::ALL.iter().map(|(_, name)| *name).collect();
    all.extend(Taken::ALL.iter().map(|(_, name)| name));
    all.extend(Used::ALL.iter().map(|(_, name)| name));
    all.extend(Decision::ALL.iter().map(|(_, name)| name));
    all.extend(Made::ALL.iter().map(|(_, name)| name));
    all
}

impl Rounded {
    /// Names of the constructs that it has.
    pub(super) fn names(&self) -> Vec<&'static str> {
        vec![named(&Between::ALL, &self.between), named(&Taken::ALL, &self.taken), named(&Used::ALL, &self.used)]
    }

    /// Simpler ones, for a reducer.
    pub(super) fn simpler(&self) -> Vec<Rounded> {
        let all = [
            Rounded { between: Between::Nothing, ..*self },
            Rounded { between: Between::Variable, ..*self },
            Rounded { taken: Taken::Difference, ..*self },
            Rounded { used: Used::Factor, ..*self },
            Rounded { single: false, ..*self },
            Rounded { plain: false, ..*self },
            Rounded { places: 0, ..*self },
        ];
        all.into_iter().filter(|other| other != self).collect()
    }
}

impl Decided {
    /// Names of the constructs that it has.
    pub(super) fn names(&self) -> Vec<&'static str> {
        vec![named(&Decision::ALL, &self.by), named(&Made::ALL, &self.made), named(&Used::ALL, &self.used)]
    }

    /// Simpler ones, for a reducer.
    pub(super) fn simpler(&self) -> Vec<Decided> {
        let all = [
            Decided { count: self.count.div_ceil(2), ..*self },
            Decided { shape: Shape::Once, ..*self },
            Decided { by: Decision::Compared, ..*self },
            Decided { made: Made::Count, ..*self },
            Decided { used: Used::Factor, ..*self },
        ];
        all.into_iter().filter(|other| other != self).collect()
    }
}
