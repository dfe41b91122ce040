//! Memory that is moved as bytes, as data: records of mixed members, a header before them and records of another kind
//! behind them, written through one pointer, moved through buffers that nothing else looks into, and read again.
//!
//! What is read is what was written, but where only every so many words are moved; there the others are zero. Layouts,
//! places, ways to move and ways to clear combine freely.

use crate::c::ways::{Kept, Step, named};

/// A block of memory and its way.
#[derive(Clone, PartialEq, Debug)]
pub struct Moved {
    /// A record before all others; none where it is empty.
    pub head: Vec<Part>,
    /// A record, of which there are some.
    pub body: Vec<Part>,
    /// Records of another kind behind those, as many; none where it is empty.
    pub tail: Vec<Part>,
    /// How many there are.
    pub rows: Rows,
    /// Where they are written.
    pub room: Room,
    /// How that memory becomes zero before.
    pub zeroed: Zeroed,
    /// Where the pointers lead that they are written through.
    pub written: Seen,
    /// Where the bytes go, one place after the other.
    pub moves: Vec<Move>,
    /// Where the pointers lead that they are read through.
    pub read: Seen,
    /// How the memory becomes zero once it is read; it is read again then.
    pub cleared: Option<Zeroed>,
    /// Integers become numbers where they are read.
    pub counted: bool,
}

/// Members of one type in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What each of them is.
    pub member: Member,
    /// How many there are; more than one are an array.
    pub count: u32,
    /// Each so many is written; the others are zero. Pointers are all written.
    pub written: u32,
    /// Each so many is read.
    pub read: u32,
}

/// A member.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Member {
    /// A `double`.
    Number,
    /// A `float`.
    Single,
    /// A `long`.
    Long,
    /// An `int`.
    Int,
    /// An `unsigned char`.
    Byte,
    /// A pointer to a `double`.
    Pointer,
    /// A structure with an integer, numbers, and structures of another integer and a `float`.
    Nested,
}

/// How many records there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// So many.
    Fixed(u32),
    /// So many times a number from 1 to 4 that the run knows.
    Run(u32),
}

/// Where bytes are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Room {
    /// In a variable of their own type.
    Declared,
    /// In an array of characters.
    Bytes,
    /// On the heap.
    Heap,
    /// In one of several arrays of characters, at an index that the run knows.
    Slots,
    /// In one of several blocks of the heap behind a table of pointers.
    Table,
}

/// Where a pointer leads through which cells are seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Seen {
    /// To the first cell.
    Start,
    /// Behind the first one, or into the middle: some indices are negative.
    Middle,
    /// Behind the last one: all indices are negative.
    End,
}

/// How memory becomes zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Zeroed {
    /// By `memset`.
    Memset,
    /// By `calloc` where it is new, by `memset` otherwise.
    Calloc,
    /// Byte by byte.
    Bytes,
    /// Byte by byte, from the end.
    Downwards,
    /// Word by word.
    Words,
    /// By a copy of zeros.
    Copied,
    /// Record by record, by assignment.
    Records,
    /// What is behind the header by `memset`, the header byte by byte.
    Behind,
    /// By `memset` in a function that is not inlined.
    Outlined,
    /// Byte by byte in a function that is not inlined.
    OutlinedBytes,
}

/// One move.
#[derive(Clone, PartialEq, Debug)]
pub struct Move {
    /// The place that the bytes go to.
    pub to: Room,
    /// How they get there.
    pub how: How,
}

/// How bytes are moved.
#[derive(Clone, PartialEq, Debug)]
pub enum How {
    /// By `memcpy`.
    Memcpy,
    /// By `memmove`.
    Memmove,
    /// By assignment, where both have their own type; by `memcpy` otherwise.
    Assigned,
    /// Byte by byte.
    Bytes,
    /// Byte by byte, from the end.
    Downwards,
    /// By `memcpy` in a function that is not inlined.
    Outlined,
    /// Byte by byte in a function that is not inlined.
    OutlinedBytes,
    /// In two pieces.
    Pieces(Cut),
    /// Through a buffer where the second piece is before the first one.
    Turned(Cut),
    /// Through a buffer in which they are moved by some bytes.
    Shifted,
    /// Record by record.
    Records,
    /// Record by record, each the argument and the result of a function: small ones travel in words.
    Passed,
    /// Record by record, each a variable argument.
    Listed,
    /// Word by word.
    Words(Words),
}

/// Where a block is cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Cut {
    /// Behind the header.
    Head,
    /// Between two records.
    Record,
    /// After a third of the words.
    Word,
}

/// Bytes that are moved as words.
#[derive(Clone, PartialEq, Debug)]
pub struct Words {
    /// The distance of one word and the next.
    pub stride: u32,
    /// Only these words are moved; where there are pointers, all are.
    pub some: bool,
    /// They are put down in the opposite order, and turned again.
    pub reversed: bool,
    /// What is done to each word, and undone.
    pub steps: Vec<Step>,
    /// Where it is in between.
    pub kept: Kept,
}

impl Part {
    /// Bytes of one member, at least.
    fn bytes(self) -> u32 {
        let one = match self.member {
            Member::Byte => 1,
            Member::Single | Member::Int => 4,
            Member::Number | Member::Long | Member::Pointer => 8,
            Member::Nested => 56,
        };
        one * self.count
    }
}

impl Member {
    /// Every one, with its name.
    pub const ALL: [(Member, &'static str); 7] = [
        (Member::Number, "bytes of: numbers"),
        (Member::Single, "bytes of: singles"),
        (Member::Long, "bytes of: long integers"),
        (Member::Int, "bytes of: integers"),
        (Member::Byte, "bytes of: characters"),
        (Member::Pointer, "bytes of: pointers"),
        (Member::Nested, "bytes of: structures in structures"),
    ];
}

impl Room {
    /// Every one, with its name.
    pub const ALL: [(Room, &'static str); 5] = [
        (Room::Declared, "bytes in: their own type"),
        (Room::Bytes, "bytes in: characters"),
        (Room::Heap, "bytes in: the heap"),
        (Room::Slots, "bytes in: one of several arrays"),
        (Room::Table, "bytes in: one of several blocks"),
    ];
}

impl Seen {
    /// Every one, with its name.
    pub const ALL: [(Seen, &'static str); 3] = [
        (Seen::Start, "seen from the start"),
        (Seen::Middle, "seen from the middle"),
        (Seen::End, "seen from the end"),
    ];
}

impl Zeroed {
    /// Every one, with its name.
    pub const ALL: [(Zeroed, &'static str); 10] = [
        (Zeroed::Memset, "zeros: memset"),
        (Zeroed::Calloc, "zeros: calloc"),
        (Zeroed::Bytes, "zeros: byte by byte"),
        (Zeroed::Downwards, "zeros: byte by byte from the end"),
        (Zeroed::Words, "zeros: word by word"),
        (Zeroed::Copied, "zeros: copied"),
        (Zeroed::Records, "zeros: record by record"),
        (Zeroed::Behind, "zeros: behind the header"),
        (Zeroed::Outlined, "zeros: in a function"),
        (Zeroed::OutlinedBytes, "zeros: byte by byte in a function"),
    ];
}

impl How {
    /// The names of all.
    const NAMES: [&'static str; 16] = [
        "moved: memcpy",
        "moved: memmove",
        "moved: assigned",
        "moved: byte by byte",
        "moved: byte by byte from the end",
        "moved: in a function",
        "moved: byte by byte in a function",
        "moved: in pieces",
        "moved: turned",
        "moved: shifted",
        "moved: record by record",
        "moved: word by word",
        "moved: words reversed",
        "moved: some words",
        "moved: records passed",
        "moved: records as variable arguments",
    ];

    /// Every one that moves all bytes, with the parameters of an example.
    pub fn whole() -> Vec<How> {
        let reversed = Words { reversed: true, ..Words::each(1) };
        let mut all = vec![How::Memcpy, How::Memmove, How::Assigned, How::Bytes, How::Downwards, How::Outlined];
        all.extend([How::OutlinedBytes, How::Shifted, How::Records, How::Passed, How::Listed, How::Words(reversed)]);
        all.extend([Cut::Head, Cut::Record, Cut::Word].into_iter().flat_map(|at| [How::Pieces(at), How::Turned(at)]));
        all.extend([1, 3, 7].into_iter().map(|stride| How::Words(Words::each(stride))));
        all
    }

    /// Its name.
    fn name(&self) -> &'static str {
        let at = match self {
            How::Memcpy => 0,
            How::Memmove => 1,
            How::Assigned => 2,
            How::Bytes => 3,
            How::Downwards => 4,
            How::Outlined => 5,
            How::OutlinedBytes => 6,
            How::Pieces(_) => 7,
            How::Turned(_) => 8,
            How::Shifted => 9,
            How::Records => 10,
            How::Passed => 14,
            How::Listed => 15,
            How::Words(Words { some: true, .. }) => 13,
            How::Words(Words { reversed: true, .. }) => 12,
            How::Words(_) => 11,
        };
        How::NAMES[at]
    }
}

impl Words {
    /// All words, at a stride, as they are.
    pub const fn each(stride: u32) -> Words {
        Words { stride, some: false, reversed: false, steps: Vec::new(), kept: Kept::Register }
    }
}

/// Names of layouts.
const LAYOUTS: [&str; 6] = [
    "bytes of: a long record",
    "bytes of: a header before records",
    "bytes of: two kinds of records",
    "bytes of: as many records as the run tells",
    "bytes: some written",
    "bytes of: integers that become numbers",
];

/// The name of one of several.
impl Moved {
    /// Names of all constructs that there are.
    pub(super) fn all_names() -> Vec<&'static str> {
        let mut all = LAYOUTS.to_vec();
        all.extend(Member::ALL.iter().map(|(_, name)| name));
        all.extend(Room::ALL.iter().map(|(_, name)| name));
        all.extend(Seen::ALL.iter().map(|(_, name)| name));
        all.extend(Zeroed::ALL.iter().map(|(_, name)| name));
        all.extend(How::NAMES);
        all
    }

    /// All parts.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.head.iter().chain(&self.body).chain(&self.tail)
    }

    /// Names of the constructs that it has.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let long = [&self.head, &self.body, &self.tail].iter().any(|r| r.iter().map(|p| p.bytes()).sum::<u32>() > 512);
        let some = self.parts().any(|p| p.written != p.read && p.count > 1);
        let (head, tail) = (!self.head.is_empty(), !self.tail.is_empty());
        let layout = [long, head, tail, matches!(self.rows, Rows::Run(_)), some, self.counted];
        let mut all: Vec<&str> =
            LAYOUTS.into_iter().zip(layout).filter(|(_, has)| *has).map(|(name, _)| name).collect();
        all.extend(self.parts().map(|part| named(&Member::ALL, &part.member)));
        all.push(named(&Room::ALL, &self.room));
        all.extend([&self.zeroed].into_iter().chain(&self.cleared).map(|it| named(&Zeroed::ALL, it)));
        all.extend([self.written, self.read].iter().map(|it| named(&Seen::ALL, it)));
        for it in &self.moves {
            all.extend([named(&Room::ALL, &it.to), it.how.name()]);
            if let How::Words(words) = &it.how {
                all.push(words.kept.name());
                all.extend(words.steps.iter().map(|step| step.name()));
            }
        }
        all
    }

    /// Simpler ones, for a reducer.
    pub(super) fn simpler(&self) -> Vec<Moved> {
        let mut all = Vec::new();
        let mut with = |change: &dyn Fn(&mut Moved)| {
            let mut other = self.clone();
            change(&mut other);
            if other != *self {
                all.push(other);
            }
        };
        with(&|m| m.moves.clear());
        with(&|m| m.head.clear());
        with(&|m| m.tail.clear());
        with(&|m| m.cleared = None);
        with(&|m| m.counted = false);
        with(&|m| m.rows = Rows::Fixed(1));
        with(&|m| m.rows = Rows::Fixed(2));
        with(&|m| m.rows = Rows::Run(1));
        for at in 0..self.moves.len() {
            with(&|m| _ = m.moves.remove(at));
            with(&|m| m.moves[at].how = How::Memcpy);
            with(&|m| m.moves[at].to = Room::Bytes);
            with(&|m| {
                if let How::Words(words) = &mut m.moves[at].how {
                    *words = Words::each(words.stride);
                }
            });
            with(&|m| {
                if let How::Words(words) = &mut m.moves[at].how {
                    words.steps.clear();
                }
            });
            with(&|m| {
                if let How::Words(words) = &mut m.moves[at].how {
                    words.kept = Kept::Register;
                }
            });
        }
        with(&|m| m.zeroed = Zeroed::Memset);
        with(&|m| m.cleared = m.cleared.map(|_| Zeroed::Memset));
        with(&|m| m.written = Seen::Start);
        with(&|m| m.read = Seen::Start);
        with(&|m| m.room = Room::Bytes);
        for record in [record_of_head, record_of_body, record_of_tail] {
            let parts = record(&mut self.clone()).len();
            for at in 0..parts {
                with(&|m| {
                    if record(m).len() > 1 {
                        record(m).remove(at);
                    }
                });
                with(&|m| record(m)[at].count = 1);
                with(&|m| record(m)[at].count = record(m)[at].count.div_ceil(2));
                with(&|m| (record(m)[at].written, record(m)[at].read) = (1, 1));
                with(&|m| {
                    if record(m)[at].member == Member::Nested {
                        record(m)[at].member = Member::Number;
                    }
                });
            }
        }
        all
    }
}

fn record_of_head(it: &mut Moved) -> &mut Vec<Part> {
    &mut it.head
}

fn record_of_body(it: &mut Moved) -> &mut Vec<Part> {
    &mut it.body
}

fn record_of_tail(it: &mut Moved) -> &mut Vec<Part> {
    &mut it.tail
}
