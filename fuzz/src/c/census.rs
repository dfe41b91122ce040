//! What a program contains: the constructs, and the functions of the table that it calls.

use super::ast::parallel::{Copied, How, Once, Region, Role, Schedule, Shared, Work};
use super::ast::{
    Activity, Arg, Cond, Field, Float, Form, Home, Int, Kind, Place, Program, Pun, Stmt, Storage, Struct, Via, Width,
};
use super::rules;
use super::teams::Team;
use crate::c::ast::idiom::Idiom;
use std::collections::BTreeSet;

/// The constructs of a program by name; those of functions that nothing calls count too.
pub fn of(program: &Program) -> BTreeSet<String> {
    let mut it = Census::default();
    it.note(&format!("mode: {}", program.mode.name()));
    for activity in &program.activities {
        it.note(match activity {
            Activity::Const => "argument: enzyme_const",
            Activity::Dup => "argument: enzyme_dup",
            Activity::DupNoNeed => "argument: enzyme_dupnoneed",
            Activity::Out => "argument: enzyme_out",
        });
    }
    if program.packed_at().is_some() {
        it.note("arguments in a structure by value");
    }
    if program.twice {
        it.note("gradient called twice");
    }
    for f in &program.functions {
        for var in &f.vars {
            match (var.kind, var.home) {
                (_, Home::Global) => it.note("array that outlives calls"),
                (_, Home::Thread) => it.note("threadprivate array"),
                (Kind::Structs(s, _), _) if is_long(&program.structs[s]) => it.note("long structure"),
                (Kind::Structs(_, n), _) => it.note(if n > 1 { "array of structures" } else { "structure" }),
                (Kind::Plan, Home::Param) => it.note("plan"),
                (Kind::Pointer(..), Home::Local) => it.note("pointer variable"),
                _ => {}
            }
            if let Kind::Float(w) | Kind::Array(w, _) = var.kind {
                it.width(w);
            }
        }
        if f.base.is_some() {
            it.note("recursion");
        }
        f.result.iter().chain(&f.base).for_each(|e| it.float(e));
        it.stmts(&f.body);
    }
    it.found
}

/// Has it more than 512 bytes?
fn is_long(it: &Struct) -> bool {
    let cells = |field: &Field| match field {
        Field::Float(_) | Field::Int => 1,
        Field::Array(_, n) => *n,
    };
    it.fields.iter().map(cells).sum::<usize>() > 128
}

#[derive(Default)]
struct Census {
    found: BTreeSet<String>,
    /// Within a region.
    team: bool,
}

impl Census {
    fn note(&mut self, name: &str) {
        if !self.found.contains(name) {
            self.found.insert(name.to_owned());
        }
    }

    fn width(&mut self, width: Width) {
        match width {
            Width::F32 => self.note("float"),
            Width::F64 => {}
            Width::F80 => self.note("long double"),
        }
    }

    fn rule(&mut self, rule: usize) {
        if let Some(rule) = rules::all().get(rule) {
            self.note(&format!("rule: {}", rule.name(Width::F64)));
        }
    }

    fn stmts(&mut self, all: &[Stmt]) {
        all.iter().for_each(|it| self.stmt(it));
    }

    fn stmt(&mut self, it: &Stmt) {
        match it {
            Stmt::Assign(to, _, value) => {
                self.place(to);
                self.float(value);
            }
            Stmt::SetInt(_, value) | Stmt::SetField(_, _, _, value) => self.int(value),
            Stmt::SetPointer(..) => self.note("pointer set"),
            Stmt::If(cond, a, b) => {
                self.note("if");
                self.cond(cond);
                self.stmts(a);
                self.stmts(b);
            }
            Stmt::Switch(on, arms, default) => {
                self.note("switch");
                self.int(on);
                arms.iter().for_each(|(arm, _)| self.stmts(arm));
                self.stmts(default);
            }
            Stmt::Loop(it) => {
                self.note(match it.form {
                    Form::Up | Form::Down => "for",
                    Form::While | Form::DoWhile => "while",
                });
                it.cond.iter().for_each(|c| self.cond(c));
                self.stmts(&it.body);
            }
            Stmt::Break | Stmt::Continue => self.note("break or continue"),
            Stmt::Return(_) => self.note("early return"),
            Stmt::Block { storage, start, body, .. } => {
                self.note(match storage {
                    Storage::Stack => "array of a block",
                    Storage::Malloc | Storage::Calloc => "heap array",
                });
                start.iter().for_each(|e| self.float(e));
                self.stmts(body);
            }
            Stmt::Copy { .. } => self.note("memcpy or memmove"),
            Stmt::Zero(..) => self.note("memset"),
            Stmt::CopyStruct(.., via) => self.note(match via {
                Via::Assign | Via::Memcpy | Via::Memmove => "structure copied",
                Via::Buffer => "structure copied through characters",
                Via::Bytes => "structure copied byte by byte",
            }),
            Stmt::Pun(_, _, value, pun) => {
                self.note(match pun {
                    Pun::Union => "number through a union",
                    Pun::Bits => "number through an integer",
                    Pun::Bytes => "number through bytes",
                });
                self.float(value);
            }
            Stmt::Call { args, through, .. } => {
                self.note(if *through { "call through a pointer" } else { "call" });
                for arg in args {
                    match arg {
                        Arg::Float(e) => self.float(e),
                        Arg::Int(e) => self.int(e),
                        Arg::Address(_) | Arg::Structs(_) | Arg::Ints(_) | Arg::Plan(_) => {}
                    }
                }
            }
            Stmt::RuleOut(rule, _, args, _) => {
                self.rule(*rule);
                args.iter().for_each(|e| self.float(e));
            }
            Stmt::Travel(travel, _, args, _) => {
                travel.names().into_iter().for_each(|name| self.note(name));
                args.iter().for_each(|e| self.float(e));
            }
            Stmt::Region(region) => self.region(region),
            Stmt::Atomic(_, _, value) => self.float(value),
            Stmt::Guarded(_, body) => self.stmts(body),
            Stmt::Team(team, _, args, _) => {
                if let Some((_, name)) = Team::ALL.iter().find(|(known, _)| known == team) {
                    self.note(&format!("team: {name}"));
                }
                args.iter().for_each(|e| self.float(e));
            }
            Stmt::Idiom(idiom, _, args, _) => {
                if let Some((_, name)) = Idiom::ALL.iter().chain(&Idiom::TRAVELS).find(|(known, _)| known == idiom) {
                    self.note(name);
                }
                args.iter().for_each(|e| self.float(e));
            }
        }
    }

    fn region(&mut self, region: &Region) {
        self.note("region");
        if region.threads.is_some() {
            self.note("region: num_threads");
        }
        if region.condition.is_some() {
            self.note("region: if");
        }
        if region.phases.len() > 1 {
            self.note("region: phases");
        }
        for (_, copied) in &region.copies {
            self.note(match copied {
                Copied::Fresh(_) => "region: private",
                Copied::First => "region: firstprivate",
                Copied::In => "region: copyin",
            });
        }
        let nested = self.team;
        if nested {
            self.note("region in a region");
        }
        self.team = true;
        for phase in &region.phases {
            if phase.nowait {
                self.note("phase: nowait");
            }
            match &phase.work {
                Work::Loop(it) => {
                    self.shared(it);
                    self.stmts(&it.body);
                }
                Work::Pieces(tasks, pieces) => {
                    self.note(if *tasks { "phase: tasks" } else { "phase: sections" });
                    if pieces.iter().any(|piece| !piece.depends.is_empty()) {
                        self.note("tasks: depend");
                    }
                    pieces.iter().for_each(|piece| self.stmts(&piece.body));
                }
                Work::Once(once, body) => {
                    self.note(match once {
                        Once::Single => "phase: single",
                        Once::Master => "phase: master",
                        Once::Masked => "phase: masked",
                    });
                    self.stmts(body);
                }
                Work::All(body) => {
                    self.note("phase: all threads");
                    self.stmts(body);
                }
            }
        }
        self.team = nested;
    }

    fn shared(&mut self, it: &Shared) {
        self.note(match it.how {
            How::For(Schedule::None) => "for: no schedule",
            How::For(Schedule::Static(0)) => "for: static",
            How::For(Schedule::Static(_)) => "for: static, chunk",
            How::For(Schedule::Dynamic(_)) => "for: dynamic",
            How::For(Schedule::Guided(_)) => "for: guided",
            How::For(Schedule::Auto) => "for: auto",
            How::For(Schedule::Runtime) => "for: runtime",
            How::Simd => "for: simd",
            How::Strided => "loop by thread numbers",
            How::Tasks => "loop of tasks",
            How::TaskLoop => "taskloop",
        });
        if it.counters.len() > 1 {
            self.note("for: collapse");
        }
        for (_, role) in &it.roles {
            let name = match role {
                Role::Own(Int::Elem(..)) => "role: own element through a table".to_owned(),
                Role::Own(_) => "role: own element".to_owned(),
                Role::Private(_) => "role: private".to_owned(),
                Role::First => "role: firstprivate".to_owned(),
                Role::Last(_) => "role: lastprivate".to_owned(),
                Role::Reduced(reduction) => format!("role: reduction({})", reduction.c()),
                Role::Atomic(update) => format!("role: atomic {update:?}"),
                Role::Guarded(guard, _) => format!("role: under {guard:?}"),
                Role::Ordered => "role: ordered".to_owned(),
            };
            self.note(&name);
        }
    }

    fn place(&mut self, place: &Place) {
        match place {
            Place::Var(_) => {}
            Place::Elem(_, at) | Place::Field(_, at, _, _) => self.int(at),
        }
    }

    fn float(&mut self, e: &Float) {
        match e {
            Float::Const(_) => {}
            Float::Get(place) => self.place(place),
            Float::Neg(a) => self.float(a),
            Float::Cast(w, a) => {
                self.width(*w);
                self.float(a);
            }
            Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) => {
                self.float(a);
                self.float(b);
            }
            Float::Rule(rule, _, args, _) => {
                self.rule(*rule);
                args.iter().for_each(|e| self.float(e));
            }
            Float::Select(c, a, b) => {
                self.note("choice of numbers");
                self.cond(c);
                self.float(a);
                self.float(b);
            }
            Float::Int(i) => self.int(i),
        }
    }

    fn int(&mut self, e: &Int) {
        match e {
            Int::Of(a, _) => {
                self.note("integer from a number");
                self.float(a);
            }
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) => {
                self.int(a);
                self.int(b);
            }
            Int::Select(c, a, b) => {
                self.cond(c);
                self.int(a);
                self.int(b);
            }
            Int::Rem(a, _) | Int::Elem(_, a) | Int::Field(_, a, _) => self.int(a),
            Int::Const(_) | Int::Var(_) => {}
        }
    }

    fn cond(&mut self, c: &Cond) {
        match c {
            Cond::Floats(_, a, b) => {
                self.note("branch on numbers");
                self.float(a);
                self.float(b);
            }
            Cond::Ints(_, a, b) => {
                self.int(a);
                self.int(b);
            }
            Cond::And(a, b) | Cond::Or(a, b) => {
                self.cond(a);
                self.cond(b);
            }
            Cond::Not(a) => self.cond(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::c::ast::idiom::Idiom;
    use crate::c::odds::Odds;
    use crate::c::travel::Travel;
    use crate::check::TestCase;
    use std::collections::BTreeSet;

    #[test]
    fn programs_of_the_odds_for_ways_to_travel_have_all_of_them() {
        let odds = Odds::travelling();
        let all: BTreeSet<String> = (0..2000).flat_map(|n| super::of(&TestCase::from_seed(n, &odds).program)).collect();
        for name in Travel::all_names() {
            assert!(all.contains(name), "{name}");
        }
    }

    #[test]
    fn a_few_thousand_programs_contain_everything_that_there_is() {
        let all: BTreeSet<String> =
            (0..4000).flat_map(|n| super::of(&TestCase::from_seed(n, &Odds::default()).program)).collect();
        for (_, name) in Idiom::ALL.into_iter().chain(Idiom::TRAVELS) {
            assert!(all.contains(name), "{name}");
        }
        let modes = all.iter().filter(|name| name.starts_with("mode: ")).count();
        assert_eq!(modes, 8);
        let rules = all.iter().filter(|name| name.starts_with("rule: ")).count();
        assert_eq!(rules, 68, "functions with a region that can be called");
    }
}
