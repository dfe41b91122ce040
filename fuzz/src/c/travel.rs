//! Ways in which a number or a pointer travels as something else, as data: bits that are changed and changed back, kept
//! in words, bytes, vectors, files or text in between; and active numbers stored through a pointer that may lead to
//! constant memory.
//!
//! Each way is the identity: what comes back is what left, bit for bit (text of 15 places to half a unit of the last
//! one). So a program without the way has the same derivative, and whatever a reducer puts in its place is valid. Steps
//! and places combine freely.

use super::moved::Moved;
use super::stepped::{self, Decided, Rounded};
use crate::c::ways::{Kept, Shape, Step, VarId, named};

/// A way.
#[derive(Clone, PartialEq, Debug)]
pub enum Travel {
    /// As a word of bits.
    Bits(Bits),
    /// A number as text.
    Text(Text),
    /// Numbers under keys of the same order, sorted, and each put back to where it came from.
    Sorted(Sort),
    /// Pointers whose links or tags are made of the bits of others.
    Linked(Link),
    /// Active numbers are stored through a pointer that may lead to constant memory.
    Constant(Constant),
    /// Memory is moved as bytes.
    Moved(Box<Moved>),
    /// A number is rounded by the adding of a large constant.
    Rounded(Rounded),
    /// An integer comes from many decisions on a number.
    Decided(Decided),
}

/// What travels as a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A `double`.
    Double,
    /// A `float`.
    Single,
    /// A pointer to a `double`.
    Pointer,
}

/// A word of bits.
#[derive(Clone, PartialEq, Debug)]
pub struct Bits {
    /// What it is made of.
    pub what: What,
    /// Where that is written.
    pub shape: Shape,
    /// What is done to it, and undone in the opposite order.
    pub steps: Vec<Step>,
    /// Where it is in between.
    pub kept: Kept,
}

/// A number as text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Text {
    /// It is a `float`.
    pub single: bool,
    /// How it is written.
    pub written: Written,
    /// Where the text is in between.
    pub carried: Carried,
    /// How it is read.
    pub read: Read,
}

/// How a number is written as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Written {
    /// All its digits.
    General,
    /// With an exponent.
    Scientific,
    /// With 15 places.
    Fixed,
    /// In hexadecimal digits.
    Hexadecimal,
}

/// Where text is between.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Carried {
    /// In an array.
    Array,
    /// Copied to the heap.
    Heap,
    /// Copied character by character, in a static array.
    Static,
    /// In a file.
    File,
    /// In a file, as a line.
    Line,
    /// In a stream in memory.
    Stream,
    /// In the environment.
    Environment,
    /// In a pipe.
    Pipe,
}

/// How text is read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Read {
    /// `sscanf`
    Scan,
    /// `strtod` or `strtof`
    Convert,
    /// `atof`
    Atof,
    /// Digit by digit; text with an exponent or in hexadecimal digits is converted.
    ByHand,
}

/// How keys are sorted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// By `qsort`, structures of a key and an index.
    Records,
    /// By insertion, keys and indices apart.
    Insertion,
    /// By the bytes of the keys, one after the other.
    Radix,
}

/// How pointers are linked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Link {
    /// Each node holds the combination of the addresses of both neighbours.
    Xor,
    /// A tag in the lowest bits, as an integer.
    Tag,
    /// A tag in the lowest byte of the pointer in memory.
    TagByte,
    /// The distance from another object, in bytes.
    Distance,
    /// Two pointers in a vector of words.
    Vector,
    /// A structure with a pointer, copied through words.
    Words,
    /// Two pointers change places by three combinations of their bits.
    Exchange,
    /// As text.
    Printed,
    /// In a file.
    File,
}

/// An active number is stored through a pointer that may lead to the memory of a plan, which the call marks constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Constant {
    /// The plan.
    pub plan: VarId,
    /// What chooses the memory.
    pub by: Chosen,
    /// What is stored there is read again through the same pointer.
    pub read: bool,
}

/// What chooses between constant memory and other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Chosen {
    /// A condition.
    Condition,
    /// A number in the plan.
    Plan,
    /// Each trip of a loop another one.
    Trip,
    /// A table of pointers.
    Table,
    /// A field of a structure.
    Field,
    /// Two calls of one function.
    Writer,
    /// Two buffers that change places.
    Swap,
    /// A pointer that is kept in bytes.
    Bytes,
    /// Nothing: it is always constant memory.
    Nothing,
}

impl Written {
    /// Every one, with its name.
    pub const ALL: [(Written, &'static str); 4] = [
        (Written::General, "text: all digits"),
        (Written::Scientific, "text: with an exponent"),
        (Written::Fixed, "text: with places"),
        (Written::Hexadecimal, "text: hexadecimal"),
    ];
}

impl Carried {
    /// Every one, with its name.
    pub const ALL: [(Carried, &'static str); 8] = [
        (Carried::Array, "text: in an array"),
        (Carried::Heap, "text: on the heap"),
        (Carried::Static, "text: in a static array"),
        (Carried::File, "text: in a file"),
        (Carried::Line, "text: a line of a file"),
        (Carried::Stream, "text: in a stream in memory"),
        (Carried::Environment, "text: in the environment"),
        (Carried::Pipe, "text: in a pipe"),
    ];
}

impl Read {
    /// Every one, with its name.
    pub const ALL: [(Read, &'static str); 4] = [
        (Read::Scan, "text: read by sscanf"),
        (Read::Convert, "text: read by strtod"),
        (Read::Atof, "text: read by atof"),
        (Read::ByHand, "text: read by hand"),
    ];
}

impl Sort {
    /// Every one, with its name.
    pub const ALL: [(Sort, &'static str); 3] = [
        (Sort::Records, "keys sorted by qsort"),
        (Sort::Insertion, "keys sorted by insertion"),
        (Sort::Radix, "keys sorted by their bytes"),
    ];
}

impl Link {
    /// Every one that stays in memory, with its name.
    pub const MEMORY: [(Link, &'static str); 7] = [
        (Link::Xor, "pointers: xor list"),
        (Link::Tag, "pointers: tag in low bits"),
        (Link::TagByte, "pointers: tag in the low byte"),
        (Link::Distance, "pointers: distance between objects"),
        (Link::Vector, "pointers: in a vector"),
        (Link::Words, "pointers: structure through words"),
        (Link::Exchange, "pointers: exchanged by their bits"),
    ];

    /// Every one in the library, with its name.
    pub const LIBRARY: [(Link, &'static str); 2] =
        [(Link::Printed, "pointers: as text"), (Link::File, "pointers: in a file")];
}

impl Chosen {
    /// Every one, with its name.
    pub const ALL: [(Chosen, &'static str); 9] = [
        (Chosen::Condition, "constant or own: by a condition"),
        (Chosen::Plan, "constant or own: by a number of the plan"),
        (Chosen::Trip, "constant or own: by trip"),
        (Chosen::Table, "constant or own: by a table"),
        (Chosen::Field, "constant or own: by a field"),
        (Chosen::Writer, "constant or own: one writer"),
        (Chosen::Swap, "constant or own: swapped"),
        (Chosen::Bytes, "constant or own: pointer in bytes"),
        (Chosen::Nothing, "constant memory as scratch"),
    ];
}

impl Travel {
    /// Names of all constructs that there are.
    pub fn all_names() -> Vec<&'static str> {
        let mut all = vec!["number as a word", "single as a word", "pointer as a word"];
        all.extend(["word: in loops", "word: in functions", "constant memory read again"]);
        all.extend(Step::ALL.iter().map(|(_, name)| name));
        all.extend(Kept::MEMORY.iter().chain(&Kept::LIBRARY).map(|(_, name)| name));
        all.extend(Written::ALL.iter().map(|(_, name)| name));
        all.extend(Carried::ALL.iter().map(|(_, name)| name));
        all.extend(Read::ALL.iter().map(|(_, name)| name));
        all.extend(Sort::ALL.iter().map(|(_, name)| name));
        all.extend(Link::MEMORY.iter().chain(&Link::LIBRARY).map(|(_, name)| name));
        all.extend(Chosen::ALL.iter().map(|(_, name)| name));
        all.extend(Moved::all_names());
        all.extend(stepped::all_names());
        all
    }

    /// Names of the constructs that it has.
    pub fn names(&self) -> Vec<&'static str> {
        match self {
            Travel::Bits(it) => {
                let mut all = vec![match it.what {
                    What::Double => "number as a word",
                    What::Single => "single as a word",
                    What::Pointer => "pointer as a word",
                }];
                match it.shape {
                    Shape::Once => {}
                    Shape::Each => all.push("word: in loops"),
                    Shape::Outlined => all.push("word: in functions"),
                }
                all.extend(it.steps.iter().map(|step| step.name()));
                all.push(it.kept.name());
                all
            }
            Travel::Text(it) => {
                vec![named(&Written::ALL, &it.written), named(&Carried::ALL, &it.carried), named(&Read::ALL, &it.read)]
            }
            Travel::Sorted(it) => vec![named(&Sort::ALL, it)],
            Travel::Linked(it) => {
                let all: Vec<(Link, &str)> = Link::MEMORY.iter().chain(&Link::LIBRARY).copied().collect();
                vec![named(&all, it)]
            }
            Travel::Constant(it) => {
                let mut all = vec![named(&Chosen::ALL, &it.by)];
                if it.read {
                    all.push("constant memory read again");
                }
                all
            }
            Travel::Moved(it) => it.names(),
            Travel::Rounded(it) => it.names(),
            Travel::Decided(it) => it.names(),
        }
    }

    /// Simpler ones, for a reducer.
    pub fn simpler(&self) -> Vec<Travel> {
        let mut all = Vec::new();
        match self {
            Travel::Bits(it) => {
                let with = |change: &dyn Fn(&mut Bits)| {
                    let mut other = it.clone();
                    change(&mut other);
                    Travel::Bits(other)
                };
                if it.kept != Kept::Register {
                    all.push(with(&|b| b.kept = Kept::Register));
                }
                for at in 0..it.steps.len() {
                    all.push(with(&|b| _ = b.steps.remove(at)));
                }
                if it.shape != Shape::Once {
                    all.push(with(&|b| b.shape = Shape::Once));
                }
                if it.what == What::Single {
                    all.push(with(&|b| b.what = What::Double));
                }
            }
            Travel::Text(it) => {
                if it.carried != Carried::Array {
                    all.push(Travel::Text(Text { carried: Carried::Array, ..*it }));
                }
                if it.single {
                    all.push(Travel::Text(Text { single: false, ..*it }));
                }
                if it.read != Read::Atof {
                    all.push(Travel::Text(Text { read: Read::Atof, ..*it }));
                }
            }
            Travel::Constant(it) if it.read => all.push(Travel::Constant(Constant { read: false, ..*it })),
            Travel::Moved(it) => all.extend(it.simpler().into_iter().map(|it| Travel::Moved(Box::new(it)))),
            Travel::Rounded(it) => all.extend(it.simpler().into_iter().map(Travel::Rounded)),
            Travel::Decided(it) => all.extend(it.simpler().into_iter().map(Travel::Decided)),
            Travel::Constant(_) | Travel::Sorted(_) | Travel::Linked(_) => {}
        }
        all
    }
}
