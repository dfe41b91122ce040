//! How likely each construct is. Numbers are percents unless they are called weights.

use serde::{Deserialize, Serialize};

/// The odds of the generator of C. `Odds::default()` is what campaigns use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Odds {
    /// Functions besides the differentiated one, at most.
    pub helpers: i64,
    /// Statements of a body, at most.
    pub statements: i64,
    /// Depth of expressions, at most.
    pub expression: u32,
    /// Depth of loops and branches within each other, at most.
    pub nesting: u32,
    /// Trips of one loop, at most.
    pub trips: i64,
    /// Statements that one run may execute, as the bounds of its loops tell.
    pub cost: u64,
    /// Cells of an array, at most.
    pub cells: i64,
    /// A cell is `float` rather than `double`.
    pub single: u32,
    /// A cell is `long double`.
    pub extended: u32,
    /// Programs that use structures at all.
    pub structures: u32,
    /// Of structures, those with more than 128 members.
    pub long_structures: u32,
    /// A function calls itself.
    pub recursion: u32,
    /// The optimiser may not inline a function.
    pub noinline: u32,
    /// The differentiated function returns nothing.
    pub void: u32,
    /// An argument that could be active is constant.
    pub constant: u32,
    /// A duplicated pointer is `enzyme_dupnoneed`.
    pub no_need: u32,
    /// Shadows start with numbers, not with zeros.
    pub seeded_shadows: u32,
    /// A function has an array of its own that outlives its calls.
    pub global: u32,
    /// A call goes through a pointer.
    pub through: u32,
    /// The gradient is called twice, on what the first call left.
    pub twice: u32,
    /// Two arguments are passed as one structure by value.
    pub packed: u32,
    /// A pointer may point to constant or to duplicated memory, as it happens.
    pub mixed_activity: u32,
    /// In place of a shape that users write, a pointer or a number travels as something else.
    pub travel: u32,
    /// The differentiated function has a plan: a structure with scratch memory, which the call marks constant.
    pub plan: u32,
    /// Weights of ways to travel.
    pub travels: TravelOdds,
    /// Odds of parallel constructs.
    pub parallel: ParallelOdds,
    /// Weights of modes.
    pub mode: ModeOdds,
    /// Weights of statements.
    pub stmt: StmtOdds,
    /// Weights of expressions.
    pub float: FloatOdds,
}

/// Weights of ways to travel.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TravelOdds {
    /// The shapes around a pointer or a number that travels.
    pub idiom: u32,
    /// A word of bits, in memory.
    pub bits: u32,
    /// A word of bits, in files, text and whatever else the library keeps.
    pub library: u32,
    /// A number as text.
    pub text: u32,
    /// Numbers sorted by keys.
    pub sort: u32,
    /// Pointers made of the bits of others.
    pub link: u32,
    /// Pointers as text and in files.
    pub pointer_library: u32,
    /// An active number stored through a pointer that may lead to constant memory; where there is a plan.
    pub constant: u32,
    /// Such a number is read again (percent).
    pub read_again: u32,
    /// Of words, those that are made of a pointer (percent).
    pub pointer: u32,
    /// Memory that is moved as bytes.
    pub moved: u32,
    /// Of such memory, records of more than 512 bytes (percent).
    pub long: u32,
    /// Of such memory, a header before the records (percent).
    pub header: u32,
    /// Of such memory, records of another kind behind the others (percent).
    pub two_kinds: u32,
    /// A number rounded by the adding of a large constant.
    pub rounded: u32,
    /// An integer from many decisions on a number.
    pub decided: u32,
}

impl Default for TravelOdds {
    fn default() -> TravelOdds {
        TravelOdds {
            idiom: 25,
            bits: 40,
            library: 4,
            text: 4,
            sort: 8,
            link: 16,
            pointer_library: 1,
            constant: 60,
            read_again: 15,
            pointer: 40,
            moved: 30,
            long: 40,
            header: 35,
            two_kinds: 20,
            rounded: 12,
            decided: 8,
        }
    }
}

/// Weights of parallel constructs; regions themselves are statements.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ParallelOdds {
    /// A phase is a loop that is shared out.
    pub repeat: u32,
    /// Sections.
    pub sections: u32,
    /// Tasks.
    pub tasks: u32,
    /// What one thread executes.
    pub once: u32,
    /// What all execute, where threads have copies.
    pub all: u32,
    /// A region has several phases (percent).
    pub phases: u32,
    /// No barrier between two phases (percent).
    pub nowait: u32,
    /// A loop has two counters (percent).
    pub collapse: u32,
    /// A loop is shared out by a schedule.
    pub schedules: u32,
    /// By a schedule, in vectors.
    pub simd: u32,
    /// By the numbers of threads.
    pub strided: u32,
    /// With a task for each iteration.
    pub task_each: u32,
    /// As a loop of tasks.
    pub task_loop: u32,
    /// A variable is reduced.
    pub reduction: u32,
    /// It is private.
    pub private: u32,
    /// It is private, and the last one is kept.
    pub last: u32,
    /// It is copied for each thread.
    pub first: u32,
    /// It is updated in one piece.
    pub atomic: u32,
    /// It is updated where others are excluded.
    pub guarded: u32,
    /// It is updated in the order of iterations.
    pub ordered: u32,
    /// A function has an array of each thread's own (percent).
    pub thread: u32,
}

impl Default for ParallelOdds {
    fn default() -> ParallelOdds {
        ParallelOdds {
            repeat: 60,
            sections: 9,
            tasks: 12,
            once: 9,
            all: 10,
            phases: 40,
            nowait: 50,
            collapse: 18,
            schedules: 70,
            simd: 6,
            strided: 8,
            task_each: 8,
            task_loop: 5,
            reduction: 40,
            private: 10,
            last: 10,
            first: 6,
            atomic: 18,
            guarded: 16,
            ordered: 8,
            thread: 0,
        }
    }
}

/// Weights of modes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct ModeOdds {
    /// Reverse.
    pub reverse: u32,
    /// Forward along one direction.
    pub forward: u32,
    /// Forward along several.
    pub vector: u32,
    /// Reverse in two calls.
    pub split: u32,
    /// Each of the four nestings of reverse and forward mode.
    pub nested: u32,
}

impl Default for ModeOdds {
    fn default() -> ModeOdds {
        ModeOdds { reverse: 62, forward: 10, vector: 6, split: 10, nested: 3 }
    }
}

/// Weights of statements.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct StmtOdds {
    /// A store of a number.
    pub assign: u32,
    /// A store of an integer.
    pub set_int: u32,
    /// A pointer is set.
    pub set_pointer: u32,
    /// `if`
    pub branch: u32,
    /// `switch`
    pub switch: u32,
    /// A loop.
    pub repeat: u32,
    /// `break` or `continue`, under a condition.
    pub jump: u32,
    /// `return`, under a condition.
    pub leave: u32,
    /// A block with an array of its own.
    pub block: u32,
    /// `memcpy` or `memmove` of numbers.
    pub copy: u32,
    /// `memset`
    pub zero: u32,
    /// A structure is copied.
    pub copy_struct: u32,
    /// A number travels as bytes.
    pub pun: u32,
    /// A call.
    pub call: u32,
    /// A function of the table with results through pointers.
    pub rule_out: u32,
    /// A sweep over an array in place.
    pub sweep: u32,
    /// A shape that users write.
    pub idiom: u32,
    /// A parallel region.
    pub region: u32,
    /// A shape of threads.
    pub team: u32,
}

/// Weights of expressions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct FloatOdds {
    /// A cell.
    pub get: u32,
    /// A constant.
    pub constant: u32,
    /// `-a`
    pub neg: u32,
    /// `a + b`
    pub add: u32,
    /// `a - b`
    pub sub: u32,
    /// `a * b`
    pub mul: u32,
    /// `a / b`
    pub div: u32,
    /// A function of the table.
    pub rule: u32,
    /// A conversion.
    pub cast: u32,
    /// `c ? a : b`
    pub select: u32,
    /// An integer as a number.
    pub int: u32,
}

impl Default for Odds {
    fn default() -> Odds {
        Odds {
            helpers: 3,
            statements: 8,
            expression: 3,
            nesting: 3,
            trips: 4,
            cost: 400,
            cells: 5,
            single: 15,
            extended: 2,
            structures: 40,
            long_structures: 3,
            recursion: 25,
            noinline: 60,
            void: 25,
            constant: 20,
            no_need: 8,
            seeded_shadows: 60,
            global: 12,
            through: 12,
            twice: 10,
            packed: 30,
            mixed_activity: 3,
            travel: 8,
            plan: 4,
            travels: TravelOdds::default(),
            parallel: ParallelOdds::default(),
            mode: ModeOdds::default(),
            stmt: StmtOdds::default(),
            float: FloatOdds::default(),
        }
    }
}

impl Default for StmtOdds {
    fn default() -> StmtOdds {
        StmtOdds {
            assign: 40,
            set_int: 4,
            set_pointer: 6,
            branch: 9,
            switch: 3,
            repeat: 18,
            jump: 5,
            leave: 2,
            block: 6,
            copy: 4,
            zero: 2,
            copy_struct: 4,
            pun: 2,
            call: 18,
            rule_out: 2,
            sweep: 6,
            idiom: 9,
            region: 0,
            team: 0,
        }
    }
}

impl Default for FloatOdds {
    fn default() -> FloatOdds {
        FloatOdds {
            get: 40,
            constant: 8,
            neg: 4,
            add: 14,
            sub: 10,
            mul: 20,
            div: 5,
            rule: 14,
            cast: 3,
            select: 5,
            int: 3,
        }
    }
}

impl Odds {
    /// Small programs, most of which have a number or a pointer that travels.
    pub fn travelling() -> Odds {
        // The file is part of the program, and a test reads it.
        Odds::from_json(include_str!("../../odds/travel.json")).unwrap_or_default()
    }

    /// Small programs, nearly all of which have parallel regions.
    pub fn parallel() -> Odds {
        Odds::from_json(include_str!("../../odds/parallel.json")).unwrap_or_default()
    }

    /// Odds from JSON; what is left out has its default.
    pub fn from_json(text: &str) -> Result<Odds, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }
}
