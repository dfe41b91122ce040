//! Are the threads of a program apart? An independent check of what the generator draws and the reducer cuts: no data
//! race, no deadlock, and no result that depends on who does something or when, but for rounding.
//!
//! A walk that knows what may be done with each variable at each place. Outside of regions that is everything. At the
//! start of a phase it is reading, for all that is declared outside, and what the phase's roles say: an element of its
//! own for each iteration (indices are evaluated for all iterations, and have to differ), updates that commute,
//! anything for a copy. What is declared within is free. Phases without a barrier between them see nothing of what the
//! others write.

use super::ast::parallel::{Copied, Guard, How, Phase, Piece, Region, Role, Shared, Work, commute};
use super::ast::{Address, Arg, Cond, Float, Function, Home, Int, Kind, Place, Program, Stmt, Update};
use super::print::integer;
use super::range;
use crate::c::ways::VarId;
use std::collections::BTreeSet;

/// What may be done with a variable.
#[derive(Clone, PartialEq, Debug)]
enum Right {
    Free,
    Read,
    /// Only the element at this index.
    Own(Int),
    /// Only such updates, under a guard or as an atomic.
    Update(Update, By),
    Hidden,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Reduction,
    Atomic,
    Guard(Guard),
}

/// Are all threads of the program apart?
pub fn holds(program: &Program) -> bool {
    program.functions.iter().enumerate().all(|(index, f)| {
        let rights = vec![Right::Free; f.vars.len()];
        let mut walk = Walk { program, f, index, rights, team: false, order: 0 };
        walk.stmts(&f.body) && f.result.iter().chain(&f.base).all(|e| walk.float(e))
    })
}

/// May several threads call a function at once? It must not have memory that outlives its calls.
pub fn callable(program: &Program, callee: usize) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![callee];
    while let Some(index) = work.pop() {
        let Some(f) = program.functions.get(index) else { return false };
        if !seen.insert(index) {
            continue;
        }
        let outlives = |home: Home| matches!(home, Home::Global | Home::Thread);
        if f.vars.iter().any(|var| outlives(var.home) || var.kind == Kind::Plan) || !f.body.iter().all(repeats) {
            return false;
        }
        super::ast::calls(&f.body, &mut work);
    }
    true
}

/// Is a statement without memory that outlives it?
fn repeats(it: &Stmt) -> bool {
    let stays = match it {
        Stmt::Travel(..) | Stmt::Team(..) => true,
        Stmt::Idiom(idiom, ..) => idiom.outlives(),
        _ => false,
    };
    !stays && it.parts().into_iter().flatten().all(repeats)
}

/// May a statement stand in a loop for vectors?
fn is_plain(it: &Stmt) -> bool {
    !matches!(it, Stmt::Region(_) | Stmt::Guarded(..) | Stmt::Atomic(..))
        && it.parts().into_iter().flatten().all(is_plain)
}

/// A variable that no other name of the function is for.
pub fn is_single(f: &Function, index: usize, v: VarId) -> bool {
    match f.vars[v].home {
        Home::Local | Home::Scoped => true,
        Home::Param | Home::Global => index == 0,
        Home::Thread => false,
    }
}

struct Walk<'p> {
    program: &'p Program,
    f: &'p Function,
    index: usize,
    rights: Vec<Right>,
    /// Within a region.
    team: bool,
    /// Sections in order that are left for an iteration.
    order: usize,
}

impl Walk<'_> {
    fn stmts(&mut self, all: &[Stmt]) -> bool {
        all.iter().all(|it| self.stmt(it))
    }

    fn stmt(&mut self, it: &Stmt) -> bool {
        match it {
            Stmt::Assign(to, update, value) => self.assign(to, *update, value),
            Stmt::SetInt(v, value) => self.rights[*v] == Right::Free && self.int(value),
            Stmt::SetField(v, at, _, value) => self.rights[*v] == Right::Free && self.int(at) && self.int(value),
            Stmt::SetPointer(_, to) => !self.team && self.address(to, false),
            Stmt::If(cond, a, b) => self.cond(cond) && self.apart(|w| w.stmts(a) && w.stmts(b)),
            Stmt::Switch(on, arms, default) => {
                let all = |w: &mut Self| arms.iter().all(|(arm, _)| w.stmts(arm)) && w.stmts(default);
                self.int(on) && self.apart(all)
            }
            Stmt::Loop(it) => {
                self.rights[it.counter] = Right::Read;
                let head = it.trips.iter().all(|t| self.int(t)) && it.cond.iter().all(|c| self.cond(c));
                head && self.apart(|w| w.stmts(&it.body))
            }
            Stmt::Break | Stmt::Continue => true,
            Stmt::Return(value) => !self.team && value.iter().all(|e| self.float(e)),
            Stmt::Block { var, start, body, .. } => {
                self.rights[*var] = Right::Free;
                start.iter().all(|e| self.float(e)) && self.apart(|w| w.stmts(body))
            }
            Stmt::Copy { to, from, .. } => self.address(to, true) && self.address(from, false),
            Stmt::Zero(to, ..) => self.address(to, true),
            Stmt::CopyStruct(to, i, from, j, _) => {
                self.rights[*to] == Right::Free && self.reads(*from) && self.int(i) && self.int(j)
            }
            Stmt::Pun(to, _, value, _) => self.float(value) && self.writes(to),
            Stmt::Call { callee, to, args, .. } => {
                let own = *callee == self.index;
                (!self.team || !own && callable(self.program, *callee))
                    && args.iter().enumerate().all(|(n, arg)| self.arg(*callee, n, arg))
                    && to.iter().all(|to| self.writes(to))
            }
            Stmt::RuleOut(_, _, args, to) => args.iter().all(|e| self.float(e)) && to.iter().all(|to| self.writes(to)),
            Stmt::Idiom(idiom, to, args, count) => {
                let apart = !self.team || !idiom.outlives();
                apart && args.iter().all(|e| self.float(e)) && self.int(count) && self.writes(to)
            }
            Stmt::Travel(_, to, args, count) | Stmt::Team(_, to, args, count) => {
                !self.team && args.iter().all(|e| self.float(e)) && self.int(count) && self.writes(to)
            }
            Stmt::Region(region) => self.region(region),
            Stmt::Atomic(to, update, value) => {
                let v = root(to);
                let known = matches!(self.rights[v], Right::Update(u, By::Atomic) if commute(u, *update));
                let free = self.rights[v] == Right::Free;
                let plain = !matches!(update, Update::Set | Update::Min | Update::Max);
                plain && (known || free) && self.indices(to) && self.float(value)
            }
            Stmt::Guarded(guard, body) => self.guarded(*guard, body),
        }
    }

    /// Within an inner statement there is no section in order: it might be executed twice.
    fn apart(&mut self, what: impl FnOnce(&mut Self) -> bool) -> bool {
        let left = std::mem::take(&mut self.order);
        let holds = what(self);
        self.order = left;
        holds
    }

    fn guarded(&mut self, guard: Guard, body: &[Stmt]) -> bool {
        if guard == Guard::Ordered {
            if self.team && self.order == 0 {
                return false;
            }
            self.order = self.order.saturating_sub(1);
        }
        body.iter().all(|it| match it {
            Stmt::Assign(to, update, value) => match &self.rights[root(to)] {
                Right::Update(_, By::Guard(own)) if *own == guard && guard == Guard::Ordered => {
                    let kept = std::mem::replace(&mut self.rights[root(to)], Right::Free);
                    let holds = self.indices(to) && self.float(value);
                    self.rights[root(to)] = kept;
                    holds
                }
                Right::Update(known, By::Guard(own)) if *own == guard => {
                    commute(*known, *update) && self.indices(to) && self.float(value)
                }
                _ => self.assign(to, *update, value),
            },
            _ => false,
        })
    }

    fn assign(&mut self, to: &Place, update: Update, value: &Float) -> bool {
        let reduced = matches!(self.rights[root(to)], Right::Update(u, By::Reduction) if commute(u, update));
        self.float(value) && (reduced && self.indices(to) || self.writes(to))
    }

    fn arg(&self, callee: usize, position: usize, arg: &Arg) -> bool {
        let param = self.program.functions.get(callee).and_then(|f| f.params().nth(position));
        let write = param.is_none_or(|(_, var)| !var.readonly);
        match arg {
            Arg::Float(e) => self.float(e),
            Arg::Int(e) => self.int(e),
            Arg::Address(a) => self.address(a, write),
            Arg::Structs(v) => {
                if write {
                    self.rights[*v] == Right::Free
                } else {
                    self.reads(*v)
                }
            }
            Arg::Ints(v) => self.reads(*v),
            Arg::Plan(_) => !self.team,
        }
    }

    fn reads(&self, v: VarId) -> bool {
        let pointer = matches!(self.f.vars[v].kind, Kind::Pointer(..) | Kind::Plan);
        matches!(self.rights[v], Right::Free | Right::Read) && !(self.team && pointer)
    }

    fn writes(&self, to: &Place) -> bool {
        let own = |at: &Int| matches!(&self.rights[root(to)], Right::Own(index) if index == at);
        let pointer = matches!(self.f.vars[root(to)].kind, Kind::Pointer(..));
        let free = self.rights[root(to)] == Right::Free && !(self.team && pointer);
        self.indices(to) && (free || matches!(to, Place::Elem(_, at) if own(at)))
    }

    fn indices(&self, place: &Place) -> bool {
        match place {
            Place::Var(_) => true,
            Place::Elem(_, at) => self.int(at),
            Place::Field(_, at, _, sub) => self.int(at) && self.int(sub),
        }
    }

    fn float(&self, e: &Float) -> bool {
        match e {
            Float::Const(_) => true,
            Float::Get(place) => {
                let own = matches!((place, &self.rights[root(place)]), (Place::Elem(_, at), Right::Own(i)) if at == i);
                (own || self.reads(root(place))) && self.indices(place)
            }
            Float::Neg(a) | Float::Cast(_, a) => self.float(a),
            Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) => {
                self.float(a) && self.float(b)
            }
            Float::Rule(_, _, args, _) => args.iter().all(|e| self.float(e)),
            Float::Select(c, a, b) => self.cond(c) && self.float(a) && self.float(b),
            Float::Int(i) => self.int(i),
        }
    }

    fn int(&self, e: &Int) -> bool {
        match e {
            Int::Const(_) => true,
            Int::Var(v) => self.reads(*v),
            Int::Elem(v, at) | Int::Field(v, at, _) => self.reads(*v) && self.int(at),
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) => self.int(a) && self.int(b),
            Int::Rem(a, _) => self.int(a),
            Int::Of(a, _) => self.float(a),
            Int::Select(c, a, b) => self.cond(c) && self.int(a) && self.int(b),
        }
    }

    fn cond(&self, c: &Cond) -> bool {
        match c {
            Cond::Floats(_, a, b) => self.float(a) && self.float(b),
            Cond::Ints(_, a, b) => self.int(a) && self.int(b),
            Cond::And(a, b) | Cond::Or(a, b) => self.cond(a) && self.cond(b),
            Cond::Not(a) => self.cond(a),
        }
    }

    fn address(&self, a: &Address, write: bool) -> bool {
        match a {
            Address::Of(v, at) => {
                let right = if write { self.rights[*v] == Right::Free } else { true };
                self.reads(*v) && right && self.int(at)
            }
            Address::Select(c, a, b) => self.cond(c) && self.address(a, write) && self.address(b, write),
        }
    }

    fn region(&mut self, region: &Region) -> bool {
        if !region.condition.iter().all(|c| self.cond(c)) {
            return false;
        }
        let outer = self.rights.clone();
        let team = std::mem::replace(&mut self.team, true);
        let order = std::mem::take(&mut self.order);
        let holds = self.phases(region, &outer);
        (self.rights, self.team, self.order) = (outer, team, order);
        holds
    }

    fn phases(&mut self, region: &Region, outer: &[Right]) -> bool {
        let copies: BTreeSet<VarId> = region.copies.iter().map(|(v, _)| *v).collect();
        let frozen: Vec<Right> = outer.iter().enumerate().map(|(v, right)| self.frozen(v, right, &copies)).collect();
        for (v, copied) in &region.copies {
            let home = self.f.vars[*v].home;
            let known = match copied {
                Copied::In => home == Home::Thread,
                // An array of a block may be a pointer.
                Copied::First | Copied::Fresh(_) => {
                    home == Home::Local || home == Home::Scoped && matches!(self.f.vars[*v].kind, Kind::Float(_))
                }
            };
            self.rights.clone_from(&frozen);
            if !known || !matches!(outer[*v], Right::Free | Right::Read) {
                return false;
            }
            if let Copied::Fresh(start) = copied
                && (outer[*v] != Right::Free || mentions(start, &copies) || !self.float(start))
            {
                return false;
            }
        }
        region.phases.split_inclusive(|phase| !phase.nowait).all(|group| {
            let written: Vec<BTreeSet<VarId>> = group.iter().map(written).collect();
            group.iter().enumerate().all(|(n, phase)| {
                self.rights.clone_from(&frozen);
                for v in written.iter().enumerate().filter(|(m, _)| *m != n).flat_map(|(_, all)| all) {
                    self.rights[*v] = Right::Hidden;
                }
                let single = |v: &VarId| outer[*v] == Right::Free && is_single(self.f, self.index, *v);
                let alone = group.len() == 1;
                (!matches!(phase.work, Work::Once(..)) || alone)
                    && written[n].iter().all(|v| single(v) && !copies.contains(v) && self.rights[*v] != Right::Hidden)
                    && self.work(phase, outer, &copies)
            })
        })
    }

    /// What is declared outside a region, seen from within.
    fn frozen(&self, v: VarId, right: &Right, copies: &BTreeSet<VarId>) -> Right {
        match right {
            _ if self.f.vars[v].home == Home::Thread && !copies.contains(&v) => Right::Hidden,
            Right::Free | Right::Read => Right::Read,
            Right::Own(_) | Right::Update(..) | Right::Hidden => Right::Hidden,
        }
    }

    fn work(&mut self, phase: &Phase, outer: &[Right], copies: &BTreeSet<VarId>) -> bool {
        match &phase.work {
            Work::All(body) => {
                copies.iter().for_each(|v| self.rights[*v] = Right::Free);
                self.stmts(body)
            }
            Work::Once(_, body) => {
                let kept = |v: VarId| copies.contains(&v) || self.f.vars[v].home == Home::Thread;
                for v in (0..outer.len()).filter(|v| outer[*v] == Right::Free && !kept(*v)) {
                    self.rights[v] = Right::Free;
                }
                self.stmts(body)
            }
            Work::Pieces(tasks, pieces) => pieces.iter().all(|piece| self.piece(*tasks, piece, pieces)),
            Work::Loop(shared) => self.shared(shared),
        }
    }

    fn piece(&mut self, tasks: bool, piece: &Piece, all: &[Piece]) -> bool {
        let before = self.rights.clone();
        for other in all {
            for v in other.own.iter().chain(other.depends.iter().map(|(v, _)| v)) {
                self.rights[*v] = Right::Hidden;
            }
        }
        let free = piece.own.iter().chain(piece.depends.iter().filter(|(_, writes)| *writes).map(|(v, _)| v));
        for v in free {
            self.rights[*v] = Right::Free;
        }
        for (v, _) in piece.depends.iter().filter(|(_, writes)| !writes) {
            self.rights[*v] = Right::Read;
        }
        let others = |v: &VarId| all.iter().filter(|p| p.own.contains(v)).count() == 1;
        let depends = |v: &VarId| all.iter().any(|p| p.depends.iter().any(|(d, _)| d == v));
        let apart = piece.own.iter().all(|v| others(v) && !depends(v)) && (tasks || piece.depends.is_empty());
        let holds = apart && self.stmts(&piece.body);
        self.rights = before;
        holds
    }

    fn shared(&mut self, it: &Shared) -> bool {
        if !it.trips.iter().all(|t| self.int(t)) || it.counters.is_empty() {
            return false;
        }
        it.counters.iter().for_each(|v| self.rights[*v] = Right::Read);
        let named: BTreeSet<VarId> = it.roles.iter().map(|(v, _)| *v).collect();
        if named.len() != it.roles.len() {
            return false;
        }
        for (v, role) in &it.roles {
            let var = &self.f.vars[*v];
            let number = matches!(var.kind, Kind::Float(_));
            let known = match role {
                Role::Own(index) => self.distinct(*v, index, &it.counters),
                Role::Private(start) | Role::Last(start) => {
                    number && matches!(var.home, Home::Local | Home::Scoped) && !mentions(start, &named)
                }
                Role::First => matches!(var.home, Home::Local | Home::Scoped) && self.reads(*v),
                _ => number || matches!(var.kind, Kind::Array(..)),
            };
            if !known {
                return false;
            }
        }
        if it.roles.iter().any(|(_, role)| matches!(role, Role::Private(e) | Role::Last(e) if !self.float(e))) {
            return false;
        }
        for (v, role) in &it.roles {
            self.rights[*v] = match role {
                Role::Own(index) => Right::Own(index.clone()),
                Role::Private(_) | Role::Last(_) => Right::Free,
                Role::First => Right::Read,
                Role::Reduced(reduction) => Right::Update(reduction.update(), By::Reduction),
                Role::Atomic(update) => Right::Update(*update, By::Atomic),
                Role::Guarded(guard, update) => Right::Update(*update, By::Guard(*guard)),
                Role::Ordered => Right::Update(Update::Set, By::Guard(Guard::Ordered)),
            };
        }
        if it.how == How::Simd && !it.body.iter().all(is_plain) {
            return false;
        }
        self.order = usize::from(it.roles.iter().any(|(_, role)| *role == Role::Ordered));
        self.stmts(&it.body)
    }

    /// Is the element at an index another one in each iteration? All iterations are tried.
    fn distinct(&self, v: VarId, index: &Int, counters: &[VarId]) -> bool {
        let Kind::Array(_, len) = self.f.vars[v].kind else { return false };
        let (low, high) = range::range(self.program, self.f, index);
        // The printer must have nothing to bring into the array.
        if len < 2 && counters.iter().any(|c| last(self.f, *c) > 0) || low < 0 || high >= len as i64 {
            return false;
        }
        let mut values = vec![0; counters.len()];
        let mut seen = BTreeSet::new();
        loop {
            let found =
                evaluate(self.f, self.index, index, &|v| counters.iter().position(|c| *c == v).map(|n| values[n]));
            if !found.is_some_and(|at| seen.insert(at)) {
                return false;
            }
            let Some(n) = (0..counters.len()).rev().find(|n| values[*n] < last(self.f, counters[*n])) else {
                return true;
            };
            values[n] += 1;
            values[n + 1..].iter_mut().for_each(|value| *value = 0);
        }
    }
}

fn last(f: &Function, counter: VarId) -> i64 {
    match f.vars[counter].kind {
        Kind::Int(_, last) => last,
        _ => 0,
    }
}

/// The value of an index, where it depends on counters and tables only.
pub fn evaluate(f: &Function, index: usize, e: &Int, counter: &dyn Fn(VarId) -> Option<i64>) -> Option<i64> {
    let of = |e: &Int| evaluate(f, index, e, counter);
    Some(match e {
        Int::Const(c) => *c,
        Int::Var(v) => counter(*v)?,
        Int::Add(a, b) => of(a)? + of(b)?,
        Int::Sub(a, b) => of(a)? - of(b)?,
        Int::Mul(a, b) => of(a)? * of(b)?,
        Int::Rem(a, m) => of(a)? % m,
        Int::Elem(v, at) => {
            // What a table of the caller contains, only the differentiated function knows.
            let Kind::Ints(len, low, high) = f.vars[*v].kind else { return None };
            let known = f.vars[*v].home == Home::Local || index == 0 && f.vars[*v].home == Home::Param;
            let at = of(at).filter(|at| known && (0..len as i64).contains(at))?;
            integer(f.vars[*v].start, at as usize, low, high)
        }
        Int::Of(..) | Int::Field(..) | Int::Select(..) => return None,
    })
}

/// The variable of a place.
pub fn root(place: &Place) -> VarId {
    match place {
        Place::Var(v) | Place::Elem(v, _) | Place::Field(v, ..) => *v,
    }
}

/// What a phase writes of what is declared outside, unless it is alone.
pub fn written(phase: &Phase) -> BTreeSet<VarId> {
    match &phase.work {
        Work::Loop(it) => {
            // A private variable counts: nobody else is to mention it.
            it.roles.iter().filter(|(_, role)| *role != Role::First).map(|(v, _)| *v).collect()
        }
        Work::Pieces(_, pieces) => {
            pieces.iter().flat_map(|p| p.own.iter().chain(p.depends.iter().map(|(v, _)| v))).copied().collect()
        }
        Work::Once(..) | Work::All(_) => BTreeSet::new(),
    }
}

/// Does an expression mention one of these variables?
fn mentions(e: &Float, of: &BTreeSet<VarId>) -> bool {
    let mut found = false;
    each_variable(e, &mut |v| found |= of.contains(&v));
    found
}

fn each_variable(e: &Float, seen: &mut dyn FnMut(VarId)) {
    match e {
        Float::Const(_) => {}
        Float::Get(place) => {
            seen(root(place));
            match place {
                Place::Var(_) => {}
                Place::Elem(_, at) => each_of_int(at, seen),
                Place::Field(_, at, _, sub) => {
                    each_of_int(at, seen);
                    each_of_int(sub, seen);
                }
            }
        }
        Float::Neg(a) | Float::Cast(_, a) => each_variable(a, seen),
        Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) => {
            each_variable(a, seen);
            each_variable(b, seen);
        }
        Float::Rule(_, _, args, _) => args.iter().for_each(|e| each_variable(e, seen)),
        Float::Select(c, a, b) => {
            each_of_cond(c, seen);
            each_variable(a, seen);
            each_variable(b, seen);
        }
        Float::Int(i) => each_of_int(i, seen),
    }
}

fn each_of_int(e: &Int, seen: &mut dyn FnMut(VarId)) {
    match e {
        Int::Const(_) => {}
        Int::Var(v) => seen(*v),
        Int::Elem(v, at) | Int::Field(v, at, _) => {
            seen(*v);
            each_of_int(at, seen);
        }
        Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) => {
            each_of_int(a, seen);
            each_of_int(b, seen);
        }
        Int::Rem(a, _) => each_of_int(a, seen),
        Int::Of(a, _) => each_variable(a, seen),
        Int::Select(c, a, b) => {
            each_of_cond(c, seen);
            each_of_int(a, seen);
            each_of_int(b, seen);
        }
    }
}

fn each_of_cond(c: &Cond, seen: &mut dyn FnMut(VarId)) {
    match c {
        Cond::Floats(_, a, b) => {
            each_variable(a, seen);
            each_variable(b, seen);
        }
        Cond::Ints(_, a, b) => {
            each_of_int(a, seen);
            each_of_int(b, seen);
        }
        Cond::And(a, b) | Cond::Or(a, b) => {
            each_of_cond(a, seen);
            each_of_cond(b, seen);
        }
        Cond::Not(a) => each_of_cond(a, seen),
    }
}
