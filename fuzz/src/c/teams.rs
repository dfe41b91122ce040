//! Parallel shapes that users write, printed as blocks of their own around two numbers and a count from 1 to 4.

/// A parallel shape.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Team {
    /// Tasks that divide what they get.
    Divide,
    /// Threads of C with disjoint parts.
    Threads,
    /// Threads of C that add up under a mutex.
    Mutex,
    /// A place for each result, by an atomic counter.
    Slots,
    /// Numbers captured before and behind an atomic sum.
    Capture,
    /// A reduction of structures that the program declares.
    Pairs,
    /// A lock for each bin.
    Bins,
    /// A section in another.
    Nested,
    /// Two buffers that change places behind barriers.
    Buffers,
    /// A sum of each thread's own in a variable of threads.
    Own,
    /// A group of tasks that make tasks.
    Group,
    /// Tasks in a declared order.
    Chain,
    /// A loop for vectors, without threads.
    Simd,
    /// Parts by the number of the thread.
    Parts,
    /// A recurrence in order.
    Recurrence,
    /// A task with copies for each trip of a loop.
    Copies,
    /// Numbers read and written in one piece.
    Pieces,
    /// A team in a team.
    Inner,
    /// The place of the smallest number.
    Smallest,
    /// A task for each node of a list.
    Nodes,
    /// Sections that reduce.
    Sections,
    /// A product in one piece.
    Product,
}

impl Team {
    /// Every shape with its name.
    pub const ALL: [(Team, &'static str); 22] = [
        (Team::Divide, "tasks that divide"),
        (Team::Threads, "threads of C"),
        (Team::Mutex, "threads of C under a mutex"),
        (Team::Slots, "slots by an atomic counter"),
        (Team::Capture, "atomic capture of numbers"),
        (Team::Pairs, "declared reduction of structures"),
        (Team::Bins, "locks of bins"),
        (Team::Nested, "critical in critical"),
        (Team::Buffers, "buffers behind barriers"),
        (Team::Own, "threadprivate sum"),
        (Team::Group, "taskgroup"),
        (Team::Chain, "chain of tasks"),
        (Team::Simd, "simd without threads"),
        (Team::Parts, "parts by thread number"),
        (Team::Recurrence, "ordered recurrence"),
        (Team::Copies, "tasks with copies"),
        (Team::Pieces, "atomic read and write"),
        (Team::Inner, "team in a team"),
        (Team::Smallest, "place of the smallest"),
        (Team::Nodes, "tasks of a list"),
        (Team::Sections, "sections that reduce"),
        (Team::Product, "atomic product"),
    ];
}
