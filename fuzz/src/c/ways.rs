//! Ways in which data leave the numbers, as far as several kinds of programs share them; and the variables they name.

/// A variable, by its place in [`crate::c::ast::Function::vars`].
pub type VarId = usize;

/// Where the code stands that makes a word and takes it apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Beside the use.
    Once,
    /// In loops over two of them.
    Each,
    /// In functions that are not inlined.
    Outlined,
}

/// A permutation of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Bytes swapped; by shifts and masks rather than the compiler's function.
    Swap(bool),
    /// Rotated by so many places; by shifts rather than the compiler's function.
    Rotate(u32, bool),
    /// All bits in the opposite order.
    Reverse,
    /// Combined with a key, that only the run knows.
    Key(u32),
    /// The complement.
    Complement,
    /// A constant is added.
    Add(u32),
    /// Multiplied by an odd number.
    Multiply,
    /// A key whose order as an integer is that of the numbers.
    Order,
    /// Gray's code.
    Gray,
}

/// Where a word is between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kept {
    /// In the variable.
    Register,
    /// In a field beside an integer; the structure is copied.
    Field,
    /// In a union with bytes, which are copied.
    Union,
    /// In volatile memory.
    Volatile,
    /// On the heap.
    Heap,
    /// In a static variable.
    Static,
    /// In a table, at an index that the run knows.
    Table,
    /// In an array that is moved by one.
    Ring,
    /// In two halves.
    Halves,
    /// In bytes, by shifts.
    Bytes,
    /// In bytes in the opposite order, read and written one by one where the word lies.
    Backwards,
    /// As bits of half a byte, each replaced by that of a table and of its inverse.
    Substituted,
    /// In an integer of twice the size.
    Wide,
    /// In a vector of two, which change places.
    Vector,
    /// In a vector of bytes, shuffled twice.
    ByteVector,
    /// As a pointer that leads nowhere.
    Address,
    /// In an atomic variable.
    Atomic,
    /// As a variable argument.
    Argument,
    /// As the bytes of a structure that is a variable argument.
    RawArgument,
    /// As hexadecimal digits, by hand.
    Digits,
    /// In a file.
    File,
    /// In a file, byte by byte.
    Characters,
    /// As text.
    Printed,
    /// As text in a stream in memory.
    Stream,
    /// As text in the environment.
    Environment,
    /// In a pipe.
    Pipe,
}

impl Step {
    /// Every step with its name, with the parameters of an example.
    pub const ALL: [(Step, &'static str); 11] = [
        (Step::Swap(false), "bits: bytes swapped"),
        (Step::Swap(true), "bits: bytes swapped by hand"),
        (Step::Rotate(13, false), "bits: rotated"),
        (Step::Rotate(13, true), "bits: rotated by hand"),
        (Step::Reverse, "bits: reversed"),
        (Step::Key(0x5bd1_e995), "bits: under a key"),
        (Step::Complement, "bits: complement"),
        (Step::Add(0x5bd1_e995), "bits: added to"),
        (Step::Multiply, "bits: multiplied"),
        (Step::Order, "bits: key of the same order"),
        (Step::Gray, "bits: gray code"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        let at = match self {
            Step::Swap(by_hand) => usize::from(by_hand),
            Step::Rotate(_, by_hand) => 2 + usize::from(by_hand),
            Step::Reverse => 4,
            Step::Key(_) => 5,
            Step::Complement => 6,
            Step::Add(_) => 7,
            Step::Multiply => 8,
            Step::Order => 9,
            Step::Gray => 10,
        };
        Step::ALL[at].1
    }
}

impl Kept {
    /// Every place of a word in memory, with its name.
    pub const MEMORY: [(Kept, &'static str); 20] = [
        (Kept::Register, "word: in a variable"),
        (Kept::Field, "word: in a field"),
        (Kept::Union, "word: in a union"),
        (Kept::Volatile, "word: volatile"),
        (Kept::Heap, "word: on the heap"),
        (Kept::Static, "word: static"),
        (Kept::Table, "word: in a table"),
        (Kept::Ring, "word: in an array that is moved"),
        (Kept::Halves, "word: in halves"),
        (Kept::Bytes, "word: in bytes by shifts"),
        (Kept::Backwards, "word: in bytes backwards"),
        (Kept::Substituted, "word: substituted by tables"),
        (Kept::Wide, "word: in a wide integer"),
        (Kept::Vector, "word: in a vector"),
        (Kept::ByteVector, "word: in a vector of bytes"),
        (Kept::Address, "word: as an address"),
        (Kept::Atomic, "word: atomic"),
        (Kept::Argument, "word: as a variable argument"),
        (Kept::RawArgument, "word: in bytes of a variable argument"),
        (Kept::Digits, "word: as digits by hand"),
    ];

    /// Every place of a word in the library, with its name.
    pub const LIBRARY: [(Kept, &'static str); 6] = [
        (Kept::File, "word: in a file"),
        (Kept::Characters, "word: in a file by characters"),
        (Kept::Printed, "word: as text"),
        (Kept::Stream, "word: in a stream in memory"),
        (Kept::Environment, "word: in the environment"),
        (Kept::Pipe, "word: in a pipe"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match named(&Kept::MEMORY, &self) {
            "" => named(&Kept::LIBRARY, &self),
            name => name,
        }
    }
}

/// The name of one of several.
pub(super) fn named<T: PartialEq>(all: &[(T, &'static str)], one: &T) -> &'static str {
    all.iter().find(|(known, _)| known == one).map_or("", |(_, name)| name)
}
