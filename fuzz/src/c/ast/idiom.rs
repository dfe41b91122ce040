//! Shapes that users write, and in which pointers and numbers travel.

/// A shape that users write, printed as a block of its own around two numbers and a count from 1 to 4.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Idiom {
    /// Nodes on the heap, pushed, then walked and freed.
    List,
    /// Pointers to pointers that change places.
    Pointers,
    /// An array that grows by `realloc`.
    Growth,
    /// A loop with two entries, by `goto`.
    Irreducible,
    /// `goto` out of a loop to where memory is freed.
    Cleanup,
    /// A table of function pointers.
    Table,
    /// Structures of `int`, `double` and `float`, copied through bytes.
    Mixed,
    /// An array of such structures, moved by one element.
    Records,
    /// A union whose tag says what it holds.
    Variant,
    /// A matrix, relaxed in place.
    Grid,
    /// An array whose length is known at run time.
    Length,
    /// Rows on the heap behind an array of pointers.
    Rows,
    /// Two buffers that change places.
    Buffers,
    /// A structure passed and returned by value.
    ByValue,
    /// Vectors of the compiler's extension.
    Vector,
    /// A function that calls itself, with an array in each frame.
    Recursive,
    /// Each number is made of neighbours in another array, then in the same one.
    Neighbours,
    /// Memory that is made on first use, and kept.
    Workspace,
    /// An array that a function makes for its caller.
    Given,
    /// Numbers that are infinite or none where they are not chosen, or where they are overwritten, and infinite ones of
    /// which finite ones are made.
    Unchosen,
    /// A function whose body another may replace at the link.
    Weak,
    /// A pointer kept in bytes, from which it is read before each use.
    PointerInBytes,
    /// A pointer copied byte by byte.
    PointerByByte,
    /// A pointer kept as an integer.
    PointerAsInteger,
    /// A pointer in a union with an integer and bytes.
    PointerInUnion,
    /// Slots that hold a number or refer to one, moved as a whole, and by the number whichever it is.
    Slots,
    /// The same with narrow numbers, in place.
    NarrowSlots,
    /// Memory for pointers, then for numbers, then for pointers.
    Scratch,
    /// Numbers kept with their bytes swapped.
    SwappedBytes,
    /// Numbers kept under a key.
    Keys,
    /// A number kept in two halves.
    Halves,
}

impl Idiom {
    /// Every idiom with its name.
    pub const ALL: [(Idiom, &'static str); 21] = [
        (Idiom::List, "linked list"),
        (Idiom::Pointers, "pointer to pointer"),
        (Idiom::Growth, "growth by realloc"),
        (Idiom::Irreducible, "irreducible goto"),
        (Idiom::Cleanup, "goto to a clean-up"),
        (Idiom::Table, "function pointers"),
        (Idiom::Mixed, "mixed structure through bytes"),
        (Idiom::Records, "array of mixed structures"),
        (Idiom::Variant, "tagged union"),
        (Idiom::Grid, "matrix in place"),
        (Idiom::Length, "length at run time"),
        (Idiom::Rows, "rows behind pointers"),
        (Idiom::Buffers, "swapped buffers"),
        (Idiom::ByValue, "structure by value"),
        (Idiom::Vector, "vectors"),
        (Idiom::Recursive, "recursion with arrays"),
        (Idiom::Neighbours, "neighbours in an array"),
        (Idiom::Workspace, "workspace made on first use"),
        (Idiom::Given, "array made for the caller"),
        (Idiom::Unchosen, "undefined where not chosen"),
        (Idiom::Weak, "weak function"),
    ];

    /// Has it memory that outlives it, so that several threads may not execute it at once?
    pub fn outlives(self) -> bool {
        self == Idiom::Workspace
    }

    /// Ways in which pointers and numbers travel as something else, with their names: many of them are refused.
    pub const TRAVELS: [(Idiom, &'static str); 10] = [
        (Idiom::PointerInBytes, "pointer in bytes"),
        (Idiom::PointerByByte, "pointer byte by byte"),
        (Idiom::PointerAsInteger, "pointer as an integer"),
        (Idiom::PointerInUnion, "pointer in a union"),
        (Idiom::Slots, "number or pointer in a slot"),
        (Idiom::NarrowSlots, "narrow number or pointer in a slot"),
        (Idiom::Scratch, "numbers over pointers"),
        (Idiom::SwappedBytes, "swapped bytes"),
        (Idiom::Keys, "words under a key"),
        (Idiom::Halves, "halves of a word"),
    ];
}
