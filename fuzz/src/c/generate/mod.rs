//! Draws a program. Whatever is drawn is well formed: only what is in scope is mentioned, only what may be written is.

mod expr;
mod moved;
mod parallel;
mod stmt;
mod travel;

use super::ast::{Activity, Field, Float, Function, Home, Int, Kind, Mode, Program, Struct, Var, Width};
use super::odds::Odds;
use crate::c::ways::VarId;
use crate::choices::Choices;
use std::collections::BTreeSet;

/// Depth of recursion that calls ask for, at most.
const DEPTH: i64 = 3;

/// Draws a program.
pub fn program(choices: &mut Choices<'_>, odds: &Odds) -> Program {
    let structs = if choices.chance(odds.structures) { structures(choices, odds) } else { Vec::new() };
    let helpers = choices.int(0, odds.helpers) as usize;
    let mut program = Program {
        structs,
        functions: Vec::new(),
        mode: mode(choices, odds),
        activities: Vec::new(),
        seeded_shadows: choices.chance(odds.seeded_shadows),
        twice: choices.chance(odds.twice),
        packed: false,
    };
    // A function calls later ones only, so the last is made first.
    let blank = Function { vars: Vec::new(), ret: None, body: Vec::new(), result: None, noinline: false, base: None };
    program.functions = vec![blank; helpers + 1];
    let mut costs = vec![0; helpers + 1];
    let planned = choices.chance(odds.plan);
    for index in (0..=helpers).rev() {
        let share = if index == 0 { odds.cost } else { odds.cost / 6 };
        let mut generator = Generator::new(choices, odds, &program, &costs, index, share);
        generator.planned = planned && (index == 0 || generator.choices.chance(40));
        let (function, cost) = generator.function();
        program.functions[index] = function;
        costs[index] = cost;
    }
    program.activities = activities(choices, odds, &program.functions[0]);
    program.packed = choices.chance(odds.packed);
    program
}

fn width(choices: &mut Choices<'_>, odds: &Odds) -> Width {
    match choices.chance(odds.single) {
        true => Width::F32,
        false if choices.chance(odds.extended) => Width::F80,
        false => Width::F64,
    }
}

fn mode(choices: &mut Choices<'_>, odds: &Odds) -> Mode {
    let o = &odds.mode;
    let nested = |outer, inner| (o.nested, Mode::Nested { outer, inner });
    let all = [
        (o.reverse, Mode::Reverse),
        (o.forward, Mode::Forward(1)),
        (o.vector, Mode::Forward(2)),
        (o.vector / 2, Mode::Forward(3)),
        (o.split, Mode::Split),
        nested(true, true),
        nested(true, false),
        nested(false, true),
        nested(false, false),
    ];
    choices.weighted(&all).unwrap_or(Mode::Reverse)
}

fn structures(choices: &mut Choices<'_>, odds: &Odds) -> Vec<Struct> {
    let count = choices.int(1, 2);
    let width = |choices: &mut Choices<'_>| width(choices, odds);
    let field = |choices: &mut Choices<'_>| match choices.int(0, 5) {
        0..=2 => Field::Float(width(choices)),
        3 => Field::Int,
        _ => Field::Array(width(choices), choices.int(1, 3) as usize),
    };
    let one = |choices: &mut Choices<'_>| {
        let more = choices.int(0, 3);
        let first = Field::Float(width(choices));
        let mut fields: Vec<Field> = (0..more).map(|_| field(choices)).collect();
        let at = choices.index(fields.len() + 1);
        fields.insert(at, first);
        if choices.chance(odds.long_structures) {
            let at = choices.index(fields.len() + 1);
            fields.insert(at, Field::Array(width(choices), choices.int(130, 200) as usize));
        }
        Struct { fields }
    };
    (0..count).map(|_| one(choices)).collect()
}

/// What is written cannot be constant: a constant argument's memory stays untouched.
fn activities(choices: &mut Choices<'_>, odds: &Odds, f: &Function) -> Vec<Activity> {
    let mut all = Vec::new();
    for (_, var) in f.params() {
        let constant = choices.chance(odds.constant);
        all.push(match var.kind {
            Kind::Float(_) if constant => Activity::Const,
            Kind::Float(_) => Activity::Out,
            Kind::Int(..) | Kind::Ints(..) | Kind::Plan => Activity::Const,
            _ if constant && var.readonly => Activity::Const,
            _ if !var.readonly && choices.chance(odds.no_need) => Activity::DupNoNeed,
            _ => Activity::Dup,
        });
    }
    // A gradient of nothing is not worth a run.
    if all.iter().all(|a| *a == Activity::Const) {
        for ((_, var), activity) in f.params().zip(&mut all) {
            *activity = match var.kind {
                Kind::Float(_) => Activity::Out,
                Kind::Array(..) | Kind::Structs(..) => Activity::Dup,
                _ => Activity::Const,
            };
        }
    }
    all
}

/// What surrounds the statement that is drawn.
#[derive(Clone, Copy)]
struct Around {
    /// Statements around it.
    nesting: u32,
    /// Loops around it.
    loops: u32,
    /// How often it may run.
    weight: u64,
    /// A `break` would leave a `switch`.
    in_switch: bool,
}

/// Draws one function.
struct Generator<'c, 'b, 'p> {
    choices: &'c mut Choices<'b>,
    odds: &'p Odds,
    program: &'p Program,
    costs: &'p [u64],
    index: usize,
    f: Function,
    /// Scoped variables that can be seen.
    scope: Vec<VarId>,
    cost: u64,
    limit: u64,
    /// Calls of itself so far.
    recursions: u32,
    has_base: bool,
    /// It is given a plan.
    planned: bool,
    /// Regions around the statement.
    teams: u32,
    /// Variables that cannot be seen where the statement stands.
    hidden: BTreeSet<VarId>,
    /// Arrays of which only the element at this index can be seen.
    own: Vec<(VarId, Int)>,
    /// What regions have made.
    made: BTreeSet<VarId>,
}

impl<'c, 'b, 'p> Generator<'c, 'b, 'p> {
    fn new(
        choices: &'c mut Choices<'b>,
        odds: &'p Odds,
        program: &'p Program,
        costs: &'p [u64],
        index: usize,
        limit: u64,
    ) -> Generator<'c, 'b, 'p> {
        let f = Function { vars: Vec::new(), ret: None, body: Vec::new(), result: None, noinline: false, base: None };
        let scope = Vec::new();
        let (recursions, has_base, planned) = (0, false, false);
        let (teams, hidden, own) = (0, BTreeSet::new(), Vec::new());
        Generator {
            choices,
            odds,
            program,
            costs,
            index,
            f,
            scope,
            cost: 0,
            limit,
            recursions,
            has_base,
            planned,
            teams,
            hidden,
            own,
            made: BTreeSet::new(),
        }
    }

    fn width(&mut self) -> Width {
        width(self.choices, self.odds)
    }

    fn add(&mut self, kind: Kind, home: Home, readonly: bool) -> VarId {
        let start = self.choices.int(0, i64::from(u32::MAX)) as u64;
        self.f.vars.push(Var { kind, home, readonly, start });
        self.f.vars.len() - 1
    }

    fn function(mut self) -> (Function, u64) {
        let main = self.index == 0;
        self.f.noinline = !main && self.choices.chance(self.odds.noinline);
        let void = self.choices.chance(self.odds.void);
        let width = self.width();
        self.f.ret = (!void).then_some(width);
        self.params(main);
        self.has_base = !main && self.choices.chance(self.odds.recursion);
        self.locals();
        let around = Around { nesting: 0, loops: 0, weight: 1, in_switch: false };
        let count = self.choices.int(2, self.odds.statements);
        let mut body = Vec::new();
        for _ in 0..count {
            self.stmt(&mut body, around);
        }
        if self.has_base {
            let expression = self.odds.expression.min(1);
            self.f.base = Some(self.float(expression));
            if self.recursions == 0 {
                let at = self.choices.index(body.len() + 1);
                let call = self.call_of(self.index, around);
                body.splice(at..at, call);
            }
            // Every level runs the body again.
            self.cost = self.cost.saturating_mul(if self.recursions > 1 { 1 << (DEPTH + 1) } else { DEPTH as u64 + 1 });
        }
        if void && !self.f.vars.iter().any(|v| v.home == Home::Param && writable_array(v)) {
            // A function without any result has no derivative.
            self.f.ret = Some(width);
        }
        self.f.body = body;
        let expression = self.odds.expression;
        let result = self.f.ret.map(|_| self.float(expression));
        self.f.result = result.map(|result| self.with_made(result));
        (self.f, self.cost + 1)
    }

    fn params(&mut self, main: bool) {
        let count = self.choices.int(1, 4);
        for position in 0..count {
            let draw = self.choices.int(0, 99);
            let readonly = self.choices.chance(45);
            let cells = self.choices.int(1, self.odds.cells) as usize;
            let structs = self.program.structs.len();
            let width = self.width();
            let kind = match draw {
                _ if position == 0 && main && structs == 0 => Kind::Array(width, cells.max(2)),
                0..=29 => Kind::Float(width),
                30..=41 => Kind::Int(1, self.odds.trips),
                42..=47 => Kind::Ints(cells, 0, 4),
                48..=69 if structs > 0 => Kind::Structs(self.choices.index(structs), self.choices.int(1, 3) as usize),
                _ => Kind::Array(width, cells),
            };
            self.add(kind, Home::Param, readonly && matches!(kind, Kind::Array(..) | Kind::Structs(..)));
        }
        if self.planned {
            self.add(Kind::Plan, Home::Param, false);
        }
    }

    fn locals(&mut self) {
        for _ in 0..self.choices.int(1, 3) {
            let width = self.width();
            self.add(Kind::Float(width), Home::Local, false);
        }
        if self.choices.chance(40) {
            let last = self.choices.int(1, 6);
            self.add(Kind::Int(0, last), Home::Local, false);
        }
        if self.choices.chance(45) {
            let (width, cells) = (self.width(), self.choices.int(1, self.odds.cells) as usize);
            self.add(Kind::Array(width, cells), Home::Local, false);
        }
        if !self.program.structs.is_empty() && self.choices.chance(60) {
            let kind = Kind::Structs(self.choices.index(self.program.structs.len()), self.choices.int(1, 2) as usize);
            self.add(kind, Home::Local, false);
        }
        if self.choices.chance(self.odds.global) {
            let (width, cells) = (self.width(), self.choices.int(1, self.odds.cells) as usize);
            self.add(Kind::Array(width, cells), Home::Global, false);
        }
        let thread = self.odds.parallel.thread;
        if thread > 0 && self.choices.chance(thread) {
            let (width, cells) = (self.width(), self.choices.int(1, 3) as usize);
            self.add(Kind::Array(width, cells), Home::Thread, false);
        }
        for _ in 0..self.choices.int(0, 2) {
            self.pointer_variable();
        }
    }

    /// A pointer variable with what it points to at first.
    fn pointer_variable(&mut self) {
        let readonly = self.choices.chance(40);
        let targets: Vec<VarId> = (0..self.f.vars.len())
            .filter(|v| matches!(self.f.vars[*v].kind, Kind::Array(..)) && (readonly || !self.f.vars[*v].readonly))
            .collect();
        let Some(target) = self.choices.pick(&targets) else { return };
        let Kind::Array(width, len) = self.f.vars[target].kind else { return };
        let room = self.choices.int(1, len as i64) as usize;
        let v = self.add(Kind::Pointer(width, room), Home::Local, readonly);
        self.f.vars[v].start = target as u64;
    }

    /// Variables that can be seen now.
    fn visible(&self) -> impl Iterator<Item = (VarId, &Var)> {
        let (scope, hidden, team) = (&self.scope, &self.hidden, self.teams > 0);
        let pointer = |var: &Var| matches!(var.kind, Kind::Pointer(..) | Kind::Plan);
        let seen = move |v: &VarId, var: &Var| !(hidden.contains(v) || team && pointer(var));
        let in_scope = move |v: &VarId, var: &Var| var.home != Home::Scoped || scope.contains(v);
        self.f.vars.iter().enumerate().filter(move |(v, var)| in_scope(v, var) && seen(v, var))
    }

    fn spend(&mut self, weight: u64) {
        self.cost += weight;
    }

    /// May so much more be executed?
    fn affords(&self, weight: u64) -> bool {
        self.cost + weight <= self.limit
    }
}

fn writable_array(v: &Var) -> bool {
    !v.readonly && matches!(v.kind, Kind::Array(..) | Kind::Structs(..))
}

/// A constant that is neither zero nor one.
fn decimal(choices: &mut Choices<'_>) -> Float {
    Float::Const(choices.decimal(1.5))
}
