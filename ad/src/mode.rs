//! What can be asked of a differentiated call: activities of arguments, the mode, and options.

use ir::FuncId;

/// The activity of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activity {
    /// No derivative.
    Const,
    /// A pointer with a shadow; in forward mode also a float with its tangent.
    Dup,
    /// The same, but the primal result is not needed.
    DupNoNeed,
    /// A float by value, whose adjoint is returned.
    Out,
}

impl Activity {
    /// The marker's name.
    pub fn marker(self) -> &'static str {
        match self {
            Activity::Const => "enzyme_const",
            Activity::Dup => "enzyme_dup",
            Activity::DupNoNeed => "enzyme_dupnoneed",
            Activity::Out => "enzyme_out",
        }
    }

    /// Is it followed by a shadow?
    pub fn is_dup(self) -> bool {
        matches!(self, Activity::Dup | Activity::DupNoNeed)
    }
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Make the reverse-mode gradient and call it.
    Autodiff,
    /// Judge this function as the gradient.
    Check(FuncId),
    /// Make the forward-mode tangent and call it.
    Forward,
    /// Judge this function as the tangent.
    CheckTangent(FuncId),
}

impl Kind {
    /// Is it a call of the forward mode?
    pub fn is_forward(self) -> bool {
        matches!(self, Kind::Forward | Kind::CheckTangent(_))
    }

    /// The derivative that the program gives itself.
    pub fn given(self) -> Option<FuncId> {
        match self {
            Kind::Check(f) | Kind::CheckTangent(f) => Some(f),
            Kind::Autodiff | Kind::Forward => None,
        }
    }
}

/// In which direction derivatives go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// From the results to the inputs.
    #[default]
    Reverse,
    /// From the inputs to the results, along `width` directions at once.
    Forward {
        /// The number of directions.
        width: usize,
    },
}

impl Mode {
    /// Is it the direction from the inputs to the results?
    pub fn is_forward(self) -> bool {
        matches!(self, Mode::Forward { .. })
    }

    /// Shadows of each duplicated argument.
    pub fn width(self) -> usize {
        match self {
            Mode::Reverse => 1,
            Mode::Forward { width } => width,
        }
    }
}

/// What options among the arguments ask for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Style {
    /// `enzyme_primal_return`: the call returns the result of the primal, then the components or the tangents.
    pub primal_return: bool,
    /// `enzyme_const_return`: the result is constant, so that it has no seed, and no tangent.
    pub const_return: bool,
    /// `enzyme_strong_zero`: a zero adjoint or tangent stays zero whatever it is multiplied with.
    pub strong_zero: bool,
    /// `enzyme_runtime_activity`: a pointer that is its own shadow is constant.
    pub runtime_activity: bool,
    /// The function is executed more often than the program does.
    pub repeated: Option<Why>,
}

/// Why a function is executed again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Why {
    /// For other shadows.
    Width,
    /// From a snapshot.
    Step,
    /// For its tangents alone, after it has run.
    Tangents,
}
