//! Programs of C as data: a small typed language whose every value prints as a program without undefined behaviour.
//!
//! Three invariants hold of a running program, and the printer keeps them whatever the tree is, so that a reducer
//! may cut a tree anywhere:
//! - every floating-point cell stays below [`BOUND`] in size: what is stored is scaled by the bound of its expression;
//! - every integer stays in the range that its variable declares, and every index in its array: see [`super::range`];
//! - every loop has a largest trip count, every recursion a depth.

pub mod idiom;
pub mod parallel;

use self::idiom::Idiom;
use self::parallel::{Guard, Region};
use super::teams::Team;
use super::travel::Travel;
use crate::c::ways::VarId;

/// What no floating-point cell exceeds: stores establish half of it, accumulations may add the other half.
pub const BOUND: f64 = 3.0;

/// Formats of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Width {
    /// `float`
    F32,
    /// `double`
    F64,
    /// `long double`, the 80 bits of x87.
    F80,
}

impl Width {
    /// The type in C.
    pub fn c(self) -> &'static str {
        match self {
            Width::F32 => "float",
            Width::F64 => "double",
            Width::F80 => "long double",
        }
    }
}

/// A field of a structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// A number.
    Float(Width),
    /// An integer from 0 to 7.
    Int,
    /// An array of numbers.
    Array(Width, usize),
}

/// The largest value of an integer field.
pub const FIELD_INT: i64 = 7;

/// A structure type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struct {
    /// Its fields, in order.
    pub fields: Vec<Field>,
}

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A number.
    Float(Width),
    /// An integer in a range.
    Int(i64, i64),
    /// A pointer or array with this many cells.
    Array(Width, usize),
    /// A pointer variable to at least this many cells.
    Pointer(Width, usize),
    /// A constant array of this many integers, each in a range.
    Ints(usize, i64, i64),
    /// An array of structures of this type; as a local of length 1, one structure.
    Structs(usize, usize),
    /// A pointer to a plan: scratch memory, a table of numbers, an integer from 0 to 4. The differentiated call marks
    /// it constant.
    Plan,
}

/// Cells of the scratch memory of a plan.
pub const PLAN_WORK: usize = 4;
/// Numbers in the table of a plan.
pub const PLAN_TABLE: usize = 3;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// A parameter.
    Param,
    /// At the top of the function.
    Local,
    /// Before the function, for the whole run of the program.
    Global,
    /// Before the function, one for each thread.
    Thread,
    /// By the statement that introduces it: a loop counter, an array of a block.
    Scoped,
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    /// What it is.
    pub kind: Kind,
    /// Where it is declared.
    pub home: Home,
    /// Never written through.
    pub readonly: bool,
    /// The values it starts with.
    pub start: u64,
}

/// A floating-point cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// A variable.
    Var(VarId),
    /// An element of an array or behind a pointer.
    Elem(VarId, Int),
    /// A field of a structure (of an array of them), and an element of that field when it is an array.
    Field(VarId, Int, usize, Int),
}

/// An integer expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Int {
    /// A constant.
    Const(i64),
    /// A variable.
    Var(VarId),
    /// An element of a constant array.
    Elem(VarId, Box<Int>),
    /// An integer field of a structure.
    Field(VarId, Box<Int>, usize),
    /// A sum.
    Add(Box<Int>, Box<Int>),
    /// A difference.
    Sub(Box<Int>, Box<Int>),
    /// A product.
    Mul(Box<Int>, Box<Int>),
    /// A remainder by a positive constant.
    Rem(Box<Int>, i64),
    /// The integer part of a number times a constant.
    Of(Box<Float>, i64),
    /// One of two.
    Select(Box<Cond>, Box<Int>, Box<Int>),
}

/// A condition.
#[derive(Clone, PartialEq, Debug)]
pub enum Cond {
    /// Of numbers; the text is C's operator.
    Floats(&'static str, Box<Float>, Box<Float>),
    /// Of integers.
    Ints(&'static str, Box<Int>, Box<Int>),
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// Either.
    Or(Box<Cond>, Box<Cond>),
    /// Not.
    Not(Box<Cond>),
}

/// A floating-point expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Float {
    /// A constant.
    Const(f64),
    /// The content of a cell.
    Get(Place),
    /// Its negative.
    Neg(Box<Float>),
    /// A sum.
    Add(Box<Float>, Box<Float>),
    /// A difference.
    Sub(Box<Float>, Box<Float>),
    /// A product.
    Mul(Box<Float>, Box<Float>),
    /// `a / (c + b * b)` for a positive constant `c`.
    Div(Box<Float>, Box<Float>, f64),
    /// A function of the table (its index in [`super::rules`]); arguments are mapped into its domain.
    Rule(usize, Width, Vec<Float>, Vec<i64>),
    /// A conversion.
    Cast(Width, Box<Float>),
    /// One of two.
    Select(Box<Cond>, Box<Float>, Box<Float>),
    /// An integer as a number.
    Int(Box<Int>),
}

/// An address with room for some cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Address {
    /// `&v[at]`
    Of(VarId, Int),
    /// One of two.
    Select(Box<Cond>, Box<Address>, Box<Address>),
}

/// How a value meets the cell it goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
    /// `*=`
    Mul,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Arg {
    /// A number.
    Float(Float),
    /// An integer; the parameter says in what range.
    Int(Int),
    /// An array of at least as many cells as the parameter has.
    Address(Address),
    /// Structures.
    Structs(VarId),
    /// A constant array of integers.
    Ints(VarId),
    /// A plan.
    Plan(VarId),
}

/// How bytes are taken over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Via {
    /// Assignment.
    Assign,
    /// `memcpy`
    Memcpy,
    /// `memmove`
    Memmove,
    /// `memcpy` to an array of characters and from there; of structures only.
    Buffer,
    /// Byte by byte; of structures only.
    Bytes,
}

/// What the memory of a block's array is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// The stack.
    Stack,
    /// `malloc`
    Malloc,
    /// `calloc`
    Calloc,
}

/// How a number travels as bytes of something else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pun {
    /// Into a union and out of it as the same type, after the union held something else.
    Union,
    /// Into an integer and back, by `memcpy`.
    Bits,
    /// Into an array of bytes and back.
    Bytes,
}

/// A loop's form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `for`, upwards.
    Up,
    /// `for`, downwards.
    Down,
    /// `while` with a condition.
    While,
    /// `do … while` with a condition.
    DoWhile,
}

/// A loop.
#[derive(Clone, PartialEq, Debug)]
pub struct Loop {
    /// Its form.
    pub form: Form,
    /// Its counter, which counts from 0; the kind's upper end is the last value it may take.
    pub counter: VarId,
    /// The number of trips, cut to what the counter's range allows; none for all of it.
    pub trips: Option<Int>,
    /// What else must hold to go on, for `while` loops.
    pub cond: Option<Cond>,
    /// The body.
    pub body: Vec<Stmt>,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Stmt {
    /// A store.
    Assign(Place, Update, Float),
    /// A store of an integer, brought into the variable's range.
    SetInt(VarId, Int),
    /// A store of an integer into a field.
    SetField(VarId, Int, usize, Int),
    /// A pointer is set.
    SetPointer(VarId, Address),
    /// A branch.
    If(Cond, Vec<Stmt>, Vec<Stmt>),
    /// A `switch`; each arm with whether it falls through, and the default.
    Switch(Int, Vec<(Vec<Stmt>, bool)>, Vec<Stmt>),
    /// A loop.
    Loop(Loop),
    /// Leaves the loop.
    Break,
    /// Next trip.
    Continue,
    /// Leaves the function.
    Return(Option<Float>),
    /// A block with an array of its own, set to this value or to zero.
    Block {
        /// The array.
        var: VarId,
        /// Its memory.
        storage: Storage,
        /// What its elements start with.
        start: Option<Float>,
        /// The statements.
        body: Vec<Stmt>,
    },
    /// Copies cells.
    Copy {
        /// To here.
        to: Address,
        /// From here.
        from: Address,
        /// The cells.
        width: Width,
        /// How many.
        count: usize,
        /// How: never by assignment.
        via: Via,
    },
    /// Sets cells to zero by `memset`.
    Zero(Address, Width, usize),
    /// Copies a structure: to variable and index, from variable and index.
    CopyStruct(VarId, Int, VarId, Int, Via),
    /// Stores a number that travelled as bytes.
    Pun(Place, Width, Float, Pun),
    /// Calls a function, with a depth when it recurses.
    Call {
        /// The function, by its place in [`Program::functions`].
        callee: usize,
        /// Where its result goes.
        to: Option<Place>,
        /// The depth of a recursive function; inside itself it is one less than the current one.
        depth: i64,
        /// The arguments.
        args: Vec<Arg>,
        /// The call goes through a pointer.
        through: bool,
    },
    /// A function of the table that stores results through pointers to numbers of one width.
    RuleOut(usize, Width, Vec<Float>, Vec<Place>),
    /// A shape around two numbers and a count; its result goes to the cell.
    Idiom(Idiom, Place, Vec<Float>, Int),
    /// A way to travel, around two numbers and a count; its result goes to the cell.
    Travel(Travel, Place, Vec<Float>, Int),
    /// A parallel region.
    Region(Region),
    /// An update in one piece.
    Atomic(Place, Update, Float),
    /// Stores where others are excluded.
    Guarded(Guard, Vec<Stmt>),
    /// A parallel shape around two numbers and a count; its result goes to the cell.
    Team(Team, Place, Vec<Float>, Int),
}

/// A function.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Parameters first.
    pub vars: Vec<Var>,
    /// What it returns.
    pub ret: Option<Width>,
    /// Its statements.
    pub body: Vec<Stmt>,
    /// Its result.
    pub result: Option<Float>,
    /// Keeps the optimiser from inlining it.
    pub noinline: bool,
    /// It calls itself: it has a depth, and this is what it returns at depth 0.
    pub base: Option<Float>,
}

impl Function {
    /// The parameters.
    pub fn params(&self) -> impl Iterator<Item = (VarId, &Var)> {
        self.vars.iter().enumerate().filter(|(_, v)| v.home == Home::Param)
    }
}

/// The activity of an argument of the differentiated call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Activity {
    /// `enzyme_const`
    Const,
    /// `enzyme_dup`
    Dup,
    /// `enzyme_dupnoneed`
    DupNoNeed,
    /// `enzyme_out`
    Out,
}

impl Activity {
    /// The marker.
    pub fn c(self) -> &'static str {
        match self {
            Activity::Const => "enzyme_const",
            Activity::Dup => "enzyme_dup",
            Activity::DupNoNeed => "enzyme_dupnoneed",
            Activity::Out => "enzyme_out",
        }
    }
}

/// How the derivative is asked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// `__enzyme_autodiff`
    Reverse,
    /// `__enzyme_fwddiff` along so many directions.
    Forward(usize),
    /// `__enzyme_augmentfwd` and `__enzyme_reverse`
    Split,
    /// A derivative in reverse (`true`) or forward mode, of a function that computes one in reverse or forward mode.
    Nested {
        /// The mode of the outer derivative.
        outer: bool,
        /// The mode of the inner one.
        inner: bool,
    },
}

impl Mode {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Reverse => "reverse",
            Mode::Forward(1) => "forward",
            Mode::Forward(_) => "forward, several directions",
            Mode::Split => "split",
            Mode::Nested { outer: true, inner: true } => "reverse over reverse",
            Mode::Nested { outer: true, inner: false } => "reverse over forward",
            Mode::Nested { outer: false, inner: true } => "forward over reverse",
            Mode::Nested { outer: false, inner: false } => "forward over forward",
        }
    }
}

/// A program: structures, functions, and one differentiated call of the first function.
#[derive(Clone, PartialEq, Debug)]
pub struct Program {
    /// The structures.
    pub structs: Vec<Struct>,
    /// The functions; each calls only later ones, or itself.
    pub functions: Vec<Function>,
    /// How its derivative is asked for.
    pub mode: Mode,
    /// One for each parameter of the first function.
    pub activities: Vec<Activity>,
    /// Shadows start with numbers instead of zeros.
    pub seeded_shadows: bool,
    /// The gradient is called twice, on what the first call left.
    pub twice: bool,
    /// Two arguments of the differentiated call are passed as one structure by value, where two that may be stand side
    /// by side ([`Program::packed_at`]).
    pub packed: bool,
}

impl Program {
    /// The first of two parameters of the differentiated function that are passed as one structure: memory of one
    /// activity, memory and an integer, or numbers of one activity.
    pub fn packed_at(&self) -> Option<usize> {
        let params: Vec<Kind> = self.functions.first()?.params().map(|(_, var)| var.kind).collect();
        let memory = |kind: &Kind| matches!(kind, Kind::Array(..) | Kind::Pointer(..) | Kind::Structs(..));
        let number = |kind: &Kind| matches!(kind, Kind::Float(Width::F32 | Width::F64));
        let fit = |at: &usize| {
            let [a, b] = [at, &(at + 1)].map(|i| (params[*i], self.activities[*i]));
            let same = a.1 == b.1 && (memory(&a.0) && memory(&b.0) || number(&a.0) && number(&b.0));
            same || memory(&a.0) && matches!(b.0, Kind::Int(..))
        };
        let nested = matches!(self.mode, Mode::Nested { .. });
        (0..params.len().saturating_sub(1)).find(fit).filter(|_| self.packed && !nested)
    }
}

impl Stmt {
    /// The statements within it.
    pub fn parts(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::If(_, a, b) => vec![a, b],
            Stmt::Switch(_, arms, default) => {
                arms.iter().map(|(b, _)| b.as_slice()).chain([default.as_slice()]).collect()
            }
            Stmt::Loop(it) => vec![&it.body],
            Stmt::Block { body, .. } | Stmt::Guarded(_, body) => vec![body],
            Stmt::Region(region) => region.bodies(),
            _ => Vec::new(),
        }
    }
}

/// The functions that these statements call.
pub fn calls(body: &[Stmt], into: &mut Vec<usize>) {
    for it in body {
        if let Stmt::Call { callee, .. } = it {
            into.push(*callee);
        }
        for part in it.parts() {
            calls(part, into);
        }
    }
}
