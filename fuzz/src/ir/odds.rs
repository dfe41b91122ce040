//! How likely each construct of generated IR is. Numbers are percents unless they are called weights.

use serde::{Deserialize, Serialize};

/// The odds of the generator of IR. `Odds::default()` is what campaigns use.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Odds {
    /// Functions besides the first one, at most.
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
    /// A value that is there is used, where a new one could be computed.
    pub reuse: u32,
    /// An operand is a constant, where nothing is reused.
    pub constant: u32,
    /// A value is a vector.
    pub vector: u32,
    /// An integer has a width that no machine has.
    pub odd_width: u32,
    /// A number is neither `float` nor `double`; in programs that are differentiated, `float`.
    pub rare_format: u32,
    /// An operation carries flags that may make poison, and its result is used where they hold.
    pub guarded: u32,
    /// A function calls itself.
    pub recursion: u32,
    /// A call goes through a pointer.
    pub through: u32,
    /// The optimiser may not inline a function.
    pub noinline: u32,
    /// Of a differentiated program: forward mode.
    pub forward: u32,
    /// Of a differentiated program: the function returns nothing.
    pub void: u32,
    /// Of a differentiated program: a pointer is constant.
    pub inactive: u32,
    /// Of a differentiated program: it has memory that the call marks constant and that is written.
    pub scratch: u32,
    /// Of structures, those with more than 128 members.
    pub long: u32,
    /// What travels as something else, and how.
    pub travel: TravelOdds,
    /// Weights of statements.
    pub stmt: StmtOdds,
    /// Weights of operations on integers.
    pub int: IntOdds,
    /// Weights of operations on numbers.
    pub float: FloatOdds,
}

/// Weights of statements.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct StmtOdds {
    /// A value is computed and kept.
    pub define: u32,
    /// A store to a cell.
    pub store: u32,
    /// An array on the stack or the heap.
    pub allocate: u32,
    /// A pointer that is one of two, or that lay in memory.
    pub alias: u32,
    /// A branch whose ends meet in phis.
    pub branch: u32,
    /// `switch`
    pub switch: u32,
    /// A loop.
    pub repeat: u32,
    /// A cycle with two entries.
    pub irreducible: u32,
    /// `memcpy`, `memmove`, `memset`.
    pub copy: u32,
    /// A structure in memory: its fields, copies of the whole.
    pub record: u32,
    /// A first-class aggregate.
    pub aggregate: u32,
    /// A call.
    pub call: u32,
    /// A return, under a condition.
    pub leave: u32,
    /// A read, change and write at once.
    pub atomic: u32,
    /// Bytes read as something else.
    pub pun: u32,
    /// A masked load or store, a gather or a scatter.
    pub masked: u32,
    /// A number or a pointer that travels as something else.
    pub travel: u32,
    /// Numbers stored through a pointer that may lead to constant memory.
    pub constant_or_own: u32,
    /// Memory of so many bytes without a type, moved as a whole.
    pub bytes: u32,
    /// A number with steps: rounded by a sum, or made of decisions.
    pub stepped: u32,
}

/// What travels as something else, and how.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TravelOdds {
    /// A pointer, rather than a number.
    pub pointer: u32,
    /// Steps that change a word, at most.
    pub steps: i64,
    /// What was stored to memory that may be constant is read again.
    pub read_again: u32,
}

impl Default for TravelOdds {
    fn default() -> TravelOdds {
        TravelOdds { pointer: 45, steps: 2, read_again: 15 }
    }
}

impl Default for StmtOdds {
    fn default() -> StmtOdds {
        StmtOdds {
            define: 30,
            store: 26,
            allocate: 6,
            alias: 8,
            branch: 10,
            switch: 4,
            repeat: 14,
            irreducible: 3,
            copy: 6,
            record: 7,
            aggregate: 5,
            call: 12,
            leave: 3,
            atomic: 4,
            pun: 5,
            masked: 5,
            travel: 1,
            constant_or_own: 16,
            bytes: 2,
            stepped: 1,
        }
    }
}

/// Weights of operations on integers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct IntOdds {
    /// Arithmetic and logic.
    pub arithmetic: u32,
    /// Shifts.
    pub shift: u32,
    /// Division and remainder.
    pub division: u32,
    /// A conversion from another width.
    pub resize: u32,
    /// A conversion from a number.
    pub from_float: u32,
    /// An intrinsic of bits or of order.
    pub intrinsic: u32,
    /// Arithmetic that tells whether it overflows.
    pub overflow: u32,
    /// A comparison.
    pub compare: u32,
    /// A choice.
    pub select: u32,
    /// A load.
    pub load: u32,
    /// A lane of a vector, a reduction, a shuffle.
    pub lanes: u32,
    /// The same bits as another type.
    pub bitcast: u32,
    /// `freeze`
    pub freeze: u32,
    /// A distance between two addresses of one object.
    pub distance: u32,
}

impl Default for IntOdds {
    fn default() -> IntOdds {
        IntOdds {
            arithmetic: 30,
            shift: 12,
            division: 8,
            resize: 14,
            from_float: 4,
            intrinsic: 18,
            overflow: 5,
            compare: 10,
            select: 8,
            load: 20,
            lanes: 8,
            bitcast: 4,
            freeze: 2,
            distance: 2,
        }
    }
}

/// Weights of operations on numbers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct FloatOdds {
    /// Arithmetic.
    pub arithmetic: u32,
    /// `fneg`
    pub negate: u32,
    /// A load.
    pub load: u32,
    /// A conversion from an integer.
    pub from_int: u32,
    /// A conversion from another format.
    pub resize: u32,
    /// An intrinsic.
    pub intrinsic: u32,
    /// A function of the table.
    pub rule: u32,
    /// A choice.
    pub select: u32,
    /// A lane of a vector, a reduction, a shuffle.
    pub lanes: u32,
    /// Bits that become a number.
    pub bitcast: u32,
}

impl Default for FloatOdds {
    fn default() -> FloatOdds {
        FloatOdds {
            arithmetic: 40,
            negate: 4,
            load: 30,
            from_int: 6,
            resize: 5,
            intrinsic: 14,
            rule: 6,
            select: 7,
            lanes: 8,
            bitcast: 2,
        }
    }
}

impl Default for Odds {
    fn default() -> Odds {
        Odds {
            helpers: 2,
            statements: 7,
            expression: 3,
            nesting: 3,
            trips: 4,
            cost: 250,
            reuse: 45,
            constant: 20,
            vector: 22,
            odd_width: 22,
            rare_format: 10,
            guarded: 35,
            recursion: 25,
            through: 15,
            noinline: 40,
            forward: 25,
            void: 25,
            inactive: 15,
            scratch: 4,
            long: 4,
            travel: TravelOdds::default(),
            stmt: StmtOdds::default(),
            int: IntOdds::default(),
            float: FloatOdds::default(),
        }
    }
}

impl Odds {
    /// Small programs: some thirty instructions.
    pub fn small() -> Odds {
        Odds { helpers: 1, statements: 3, expression: 2, nesting: 2, trips: 3, cost: 40, ..Odds::default() }
    }

    /// Small programs, most of which have a number or a pointer that travels.
    pub fn travelling() -> Odds {
        // The file is part of the program, and a test reads it.
        Odds::from_json(include_str!("../../odds/travel-ir.json")).unwrap_or_default()
    }

    /// Odds from JSON; what is left out has its default.
    pub fn from_json(text: &str) -> Result<Odds, String> {
        serde_json::from_str(text).map_err(|e| e.to_string())
    }
}
