//! Rows of BLAS and LAPACK: what the adjoint and the tangent of a routine are, as calls of routines of the same kind.
//!
//! The derivative of a product of matrices is made of products of matrices (Giles, "Collected matrix derivative results
//! for forward and reverse mode algorithmic differentiation", 2008). So a row ([`Routine`]) is text in a small language
//! whose statements are calls: who reads a row lowers each statement to a call of the routine in the spelling of the
//! primal (CBLAS or Fortran), and decides at run time what depends on flags.
//!
//! **Operands** ([`Routine::params`]) stand in the order of the call. The name tells the kind:
//!
//! | name | operand |
//! |---|---|
//! | `t`, `ta`, `tb` | flag: transposed |
//! | `uplo`, `side`, `diag` | flags: lower triangle, right side, unit diagonal |
//! | `part`, `type` | a letter: which part of a matrix; how it is stored (LAPACK's `lascl`) |
//! | `m`, `n`, `k`, `kl`, `ku` | counts |
//! | `alpha`, `beta`, `from`, `to`, `c`, `s` | scalars; `r` is the result |
//! | `A(m,k\|k,m@ta)` | a matrix of m × k, or where the flag `ta` is set of k × m; its leading dimension follows |
//! | `A(type,n)` | a matrix with as many rows as that storage has |
//! | `x(n)` | a vector of n elements; its increment follows |
//! | `P<n>` | a triangle of order n packed by columns (by rows where matrices are): nothing follows |
//! | `info` | where LAPACK says how it went, always the last; statements leave it out |
//!
//! **Terms** are executed one after the other; a [`Term`] only if the operand that it is of is active, and its
//! condition holds. In its steps `X'` is the adjoint (or tangent) of an operand and `X0`, `X1` what the memory held
//! before and after the call; `!t` is the other value of a flag, `#x` the number of rows or elements of `x`.
//! `new W m n` makes a matrix, `+= dot …` (`-= dot …`) adds what a routine returns to the adjoint of the term's operand
//! (to the tangent of the result). `none trdot …` refuses to go on, at run time, unless that is zero. A number may be a
//! product: `-to'*x/from`. `call` is the primal. Where there are two outputs, a condition `y'` says that `y` is active,
//! too.
//!
//! Where `alpha` is zero and not active, the product is not computed, and its operands are not read: no term applies
//! but those of the output and of `beta`.

pub use crate::table::blas::{KERNELS, ROUTINES};
pub use crate::table::lapack::ROUTINES as LAPACK;

/// A routine of BLAS or LAPACK that has a row, or a kernel of the library that the rows use besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routine {
    /// The name without the letter of its format.
    pub name: &'static str,
    /// What it does.
    pub formula: &'static str,
    /// Its operands.
    pub params: &'static str,
    /// The operands that it changes; `r` if it returns a number.
    pub output: &'static str,
    /// The counts and increments that must be positive for it to do anything.
    pub nonempty: &'static str,
    /// What the reverse does.
    pub adjoints: &'static [Term],
    /// What the forward mode does.
    pub tangents: &'static [Term],
}

/// A part of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The operand that must be active; empty for the primal.
    pub of: &'static str,
    /// Flags (`!t`: not set), numbers that are not zero (`info`, `!info`), and `y'`, `!y'`: the operand is active, or
    /// not.
    pub when: &'static str,
    /// Statements.
    pub steps: &'static [&'static str],
}

/// What kind of operand a parameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Transposed?
    Transposed,
    /// The lower triangle?
    Lower,
    /// On the right side?
    Right,
    /// With a diagonal of ones?
    Unit,
    /// A letter: the upper triangle, the lower one, or all.
    Part,
    /// A letter: how the matrix is stored.
    Storage,
    /// A number of rows, columns or elements.
    Count,
    /// A number.
    Scalar,
    /// A matrix or a vector, followed by its leading dimension or increment.
    Data(Shape),
    /// A packed triangle of this order.
    Packed(&'static str),
    /// Where it is said how it went.
    Info,
}

impl Kind {
    /// Is it memory with numbers?
    pub fn is_memory(self) -> bool {
        matches!(self, Kind::Data(_) | Kind::Packed(_))
    }

    /// Has it one of two values?
    pub fn is_flag(self) -> bool {
        matches!(self, Kind::Transposed | Kind::Lower | Kind::Right | Kind::Unit)
    }
}

/// The extent of a matrix or vector, by names of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows and, of a matrix, columns.
    pub plain: (&'static str, Option<&'static str>),
    /// The same where a flag is set.
    pub flagged: Option<(&'static str, (&'static str, Option<&'static str>))>,
}

impl Shape {
    /// Is it a matrix?
    pub fn is_matrix(self) -> bool {
        self.plain.1.is_some()
    }

    fn parse(text: &'static str) -> Shape {
        let pair = |text: &'static str| match text.split_once(',') {
            Some((rows, columns)) => (rows, Some(columns)),
            None => (text, None),
        };
        let (sizes, flag) = text.split_once('@').map_or((text, None), |(sizes, flag)| (sizes, Some(flag)));
        match (sizes.split_once('|'), flag) {
            (Some((plain, flagged)), Some(flag)) => Shape { plain: pair(plain), flagged: Some((flag, pair(flagged))) },
            _ => Shape { plain: pair(sizes), flagged: None },
        }
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Memory for a matrix or vector of these counts.
    New(&'static str, Vec<&'static str>),
    /// A call of a routine or kernel with these operands, the strides left out.
    Call(&'static Routine, Vec<&'static str>),
    /// The same; what it returns is added to the adjoint of the term's operand.
    Add(&'static Routine, Vec<&'static str>, Times),
    /// The same; where it returns anything but zero, the derivative is not defined.
    None(&'static Routine, Vec<&'static str>),
    /// The primal.
    Primal,
}

impl Step {
    /// The routine or kernel that it calls, if not the primal.
    pub fn callee(&self) -> Option<&'static Routine> {
        match self {
            Step::Call(callee, _) | Step::Add(callee, ..) | Step::None(callee, _) => Some(callee),
            Step::New(..) | Step::Primal => None,
        }
    }

    /// What it calls that with.
    pub fn tokens(&self) -> &[&'static str] {
        match self {
            Step::Call(_, tokens) | Step::Add(_, tokens, _) | Step::None(_, tokens) => tokens,
            Step::New(..) | Step::Primal => &[],
        }
    }
}

/// A factor of what is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// One.
    One,
    /// Minus one.
    MinusOne,
    /// One over the result of the primal.
    OverResult,
}

impl Routine {
    /// The operands with their kinds, strides left out.
    pub fn operands(&self) -> Vec<(&'static str, Kind)> {
        let operand = |text: &'static str| {
            if let Some((name, shape)) = text.split_once('(') {
                return (name, Kind::Data(Shape::parse(shape.trim_end_matches(')'))));
            }
            if let Some((name, order)) = text.split_once('<') {
                return (name, Kind::Packed(order.trim_end_matches('>')));
            }
            let kind = match text {
                "t" | "ta" | "tb" => Kind::Transposed,
                "uplo" => Kind::Lower,
                "side" => Kind::Right,
                "diag" => Kind::Unit,
                "part" => Kind::Part,
                "type" => Kind::Storage,
                "info" => Kind::Info,
                "alpha" | "beta" | "from" | "to" | "c" | "s" => Kind::Scalar,
                _ => Kind::Count,
            };
            (text, kind)
        };
        self.params.split_whitespace().map(operand).collect()
    }

    /// Does it take the layout of its matrices first, in CBLAS?
    pub fn has_layout(&self) -> bool {
        self.operands().iter().any(|(_, kind)| match kind {
            Kind::Data(shape) => shape.is_matrix(),
            Kind::Packed(_) => true,
            _ => false,
        })
    }

    /// The operands that it changes.
    pub fn outputs(&self) -> Vec<&'static str> {
        self.output.split_whitespace().collect()
    }

    /// Does it say how it went?
    pub fn has_info(&self) -> bool {
        self.params.ends_with("info")
    }

    /// Does it return a number?
    pub fn returns(&self) -> bool {
        self.output == "r"
    }
}

impl Term {
    /// The statements.
    pub fn steps(&self) -> Vec<Step> {
        self.steps.iter().filter_map(|text| step(text)).collect()
    }
}

/// The row of a routine, or the kernel, of that name without the letter of its format.
pub fn routine(name: &str) -> Option<&'static Routine> {
    rows().chain(KERNELS).find(|r| r.name == name)
}

/// All rows.
pub fn rows() -> impl Iterator<Item = &'static Routine> {
    ROUTINES.iter().chain(LAPACK)
}

/// Is it a routine of LAPACK, which has no spelling in CBLAS?
pub fn is_lapack(routine: &Routine) -> bool {
    LAPACK.iter().any(|r| r.name == routine.name)
}

/// Is it a kernel of the library, not a routine of BLAS?
pub fn is_kernel(routine: &Routine) -> bool {
    KERNELS.iter().any(|k| k.name == routine.name)
}

/// What `text` says; nothing if it names no routine.
fn step(text: &'static str) -> Option<Step> {
    let mut words = text.split_whitespace();
    let mut first = words.next()?;
    match first {
        "call" => return Some(Step::Primal),
        "new" => return Some(Step::New(words.next()?, words.collect())),
        _ => {}
    }
    let prefix = first;
    if matches!(prefix, "+=" | "-=" | "none") {
        first = words.next()?;
    }
    let callee = routine(first)?;
    let mut operands: Vec<&'static str> = words.collect();
    let divided = operands.last() == Some(&"/r");
    operands.truncate(operands.len() - usize::from(divided));
    Some(match prefix {
        "none" => Step::None(callee, operands),
        "-=" => Step::Add(callee, operands, Times::MinusOne),
        "+=" if divided => Step::Add(callee, operands, Times::OverResult),
        "+=" => Step::Add(callee, operands, Times::One),
        _ => Step::Call(callee, operands),
    })
}

/// How a program spells a routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// CBLAS, with numbers by value; else Fortran, with everything by reference.
    pub cblas: bool,
    /// `d` or `s`.
    pub format: char,
}

impl Spelling {
    /// The routine, if it has a row, that a function of this name is, and how it is spelled.
    pub fn of(name: &str) -> Option<(&'static Routine, Spelling)> {
        let (cblas, rest) = match name.strip_prefix("cblas_") {
            Some(rest) => (true, rest),
            None => (false, name.strip_suffix('_')?),
        };
        let format = rest.chars().next().filter(|c| matches!(c, 'd' | 's'))?;
        let routine = rows().find(|r| r.name == &rest[1..] && !(cblas && is_lapack(r)))?;
        Some((routine, Spelling { cblas, format }))
    }

    /// The name of a routine or kernel in this spelling.
    pub fn name(self, routine: &Routine) -> String {
        let Spelling { cblas, format } = self;
        match (is_kernel(routine), cblas) {
            (true, _) => format!("__adj_{format}{}", routine.name),
            (false, true) => format!("cblas_{format}{}", routine.name),
            (false, false) => format!("{format}{}_", routine.name),
        }
    }
}

/// The routines and kernels that the derivative of a routine calls, and theirs: what must be there to differentiate as
/// often as one likes.
pub fn reached(routine: &'static Routine) -> Vec<&'static Routine> {
    let mut out: Vec<&'static Routine> = vec![routine];
    let mut next = 0;
    while let Some(routine) = out.get(next).copied() {
        next += 1;
        let terms = routine.adjoints.iter().chain(routine.tangents);
        for step in terms.flat_map(Term::steps) {
            if let Some(callee) = step.callee()
                && !out.contains(&callee)
            {
                out.push(callee);
            }
        }
    }
    out
}
