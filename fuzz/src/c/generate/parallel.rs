//! Parallel regions. Roles are drawn before bodies: what a role says decides what a body may mention and write, and
//! the rest of the generator draws the statements.

use super::{Around, Generator};
use crate::c::apart;
use crate::c::ast::parallel::{
    Copied, Guard, How, Once, Phase, Piece, Reduction, Region, Role, Schedule, Shared, Work,
};
use crate::c::ast::{Float, Home, Int, Kind, Place, Stmt, Update, Width};
use crate::c::print::integer;
use crate::c::teams::Team;
use crate::c::ways::VarId;
use std::collections::BTreeSet;

/// Iterations of a loop that is shared out, at most.
const ITERATIONS: i64 = 6;
/// Teams within teams.
const DEPTH: u32 = 2;

/// What a phase does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draw {
    Loop,
    Sections,
    Tasks,
    Once,
    All,
}

/// What variables are before a region, to be put back behind it.
struct Before {
    readonly: Vec<bool>,
    hidden: BTreeSet<VarId>,
    own: Vec<(VarId, Int)>,
}

impl Generator<'_, '_, '_> {
    /// A region, and often a statement that reads what it has made.
    pub(super) fn region(&mut self, around: Around) -> Option<Vec<Stmt>> {
        if self.teams >= DEPTH || !self.affords(around.weight * 12) {
            return None;
        }
        if self.teams == 0 {
            self.new_targets();
        }
        let mut targets: Vec<VarId> = self
            .visible()
            .filter(|(v, var)| {
                let kind = matches!(var.kind, Kind::Float(_) | Kind::Array(..));
                kind && !var.readonly && apart::is_single(&self.f, self.index, *v)
            })
            .map(|(v, _)| v)
            .collect();
        self.shuffle(&mut targets);
        let threads = self.choices.chance(30).then(|| self.choices.int(1, 4));
        let condition = self.choices.chance(10).then(|| self.cond(1));
        let before = self.before();
        self.teams += 1;
        let copies = self.copies(&mut targets, &before);
        let draws = self.draws(!copies.is_empty());
        let mut phases: Vec<Phase> = Vec::new();
        let mut made = Vec::new();
        for group in draws.split_inclusive(|(_, nowait)| !nowait) {
            let mut shares = vec![Vec::new(); group.len()];
            for (n, v) in targets.iter().take(group.len() * 3).enumerate() {
                shares[n % group.len()].push(*v);
            }
            for (n, (draw, nowait)) in group.iter().enumerate() {
                self.freeze(&before, &copies);
                let others = shares.iter().enumerate().filter(|(m, _)| *m != n).flat_map(|(_, all)| all).copied();
                self.hidden.extend(others.collect::<Vec<_>>());
                if *draw == Draw::Tasks {
                    self.hide_arrays(&copies);
                }
                let work = self.work(*draw, &shares[n], (&before, &copies), around);
                made.extend(work.iter().flat_map(|_| shares[n].clone()));
                phases.extend(work.map(|work| Phase { work, nowait: *nowait }));
            }
            // What could not be drawn may have been the last of its group.
            if let Some(last) = phases.last_mut() {
                last.nowait = false;
            }
            self.shuffle(&mut targets);
        }
        self.teams -= 1;
        self.restore(&before);
        let mut out = vec![Stmt::Region(Region { threads, condition, copies, phases })];
        made.retain(|v| self.visible().any(|(other, _)| other == *v));
        if self.teams == 0 {
            self.made.extend(&made);
        }
        if let (Some(v), true) = (self.choices.pick(&made), self.choices.chance(50))
            && let Some(to) = self.cell(true)
        {
            let from = if matches!(self.f.vars[v].kind, Kind::Array(..)) { self.elem(v) } else { Place::Var(v) };
            let value = Float::Mul(Box::new(Float::Get(from)), Box::new(self.float(1)));
            out.push(Stmt::Assign(to, Update::Add, value));
        }
        Some(out)
    }

    /// A result that depends on what regions have made.
    pub(super) fn with_made(&mut self, result: Float) -> Float {
        let mut made: Vec<VarId> = std::mem::take(&mut self.made).into_iter().collect();
        made.retain(|v| self.f.vars[*v].home != Home::Scoped);
        made.into_iter().fold(result, |sum, v| {
            let read = Box::new(Float::Get(self.place_of(v)));
            let factor = Box::new(Float::Const(self.choices.decimal(1.0)));
            Float::Add(Box::new(sum), Box::new(Float::Mul(read, factor)))
        })
    }

    /// A shape of threads.
    pub(super) fn team(&mut self, around: Around) -> Option<Stmt> {
        if self.teams > 0 || !self.affords(around.weight * 25) {
            return None;
        }
        self.spend(around.weight * 25);
        let (team, _) = self.choices.pick(&Team::ALL)?;
        let to = self.cell(true)?;
        let args = vec![self.float(1), self.float(1)];
        Some(Stmt::Team(team, to, args, self.int(1)))
    }

    fn shuffle<T>(&mut self, all: &mut [T]) {
        for n in (1..all.len()).rev() {
            let other = self.choices.index(n + 1);
            all.swap(n, other);
        }
    }

    /// Variables for what a region makes.
    fn new_targets(&mut self) {
        for _ in 0..self.choices.int(1, 2) {
            let (width, cells) = (self.width(), self.choices.int(2, ITERATIONS + 2) as usize);
            self.add(Kind::Array(width, cells), Home::Local, false);
        }
        if self.choices.chance(60) {
            let width = self.width();
            self.add(Kind::Float(width), Home::Local, false);
        }
    }

    fn before(&self) -> Before {
        let readonly = self.f.vars.iter().map(|var| var.readonly).collect();
        Before { readonly, hidden: self.hidden.clone(), own: self.own.clone() }
    }

    fn restore(&mut self, before: &Before) {
        for (var, readonly) in self.f.vars.iter_mut().zip(&before.readonly) {
            var.readonly = *readonly;
        }
        self.hidden.clone_from(&before.hidden);
        self.own.clone_from(&before.own);
    }

    /// What is declared outside can be read, and no more.
    fn freeze(&mut self, before: &Before, copies: &[(VarId, Copied)]) {
        self.hidden.clone_from(&before.hidden);
        self.hidden.extend(before.own.iter().map(|(v, _)| *v));
        self.own.clear();
        for v in 0..before.readonly.len() {
            self.f.vars[v].readonly = true;
            let copied = copies.iter().any(|(copy, _)| *copy == v);
            if self.f.vars[v].home == Home::Thread && !copied {
                self.hidden.insert(v);
            }
        }
    }

    /// A task would have a copy of an array of which each thread has one, and clang 19 takes it for aligned to 16
    /// bytes, which it is not.
    fn hide_arrays(&mut self, copies: &[(VarId, Copied)]) {
        let array = |v: &VarId| matches!(self.f.vars[*v].kind, Kind::Array(..));
        let arrays: Vec<VarId> = copies.iter().map(|(v, _)| *v).filter(array).collect();
        self.hidden.extend(arrays);
    }

    fn copies(&mut self, targets: &mut Vec<VarId>, before: &Before) -> Vec<(VarId, Copied)> {
        let mut copies = Vec::new();
        let threads: Vec<VarId> = self.visible().filter(|(_, var)| var.home == Home::Thread).map(|(v, _)| v).collect();
        if let Some(v) = self.choices.pick(&threads).filter(|_| self.teams == 1) {
            copies.push((v, Copied::In));
        }
        if self.choices.chance(30) {
            // A `float` is passed in a word whose other half nobody has set.
            let home = |v: VarId| {
                let var = &self.f.vars[v];
                // An array of a block may be a pointer.
                let own = var.home == Home::Local || var.home == Home::Scoped && matches!(var.kind, Kind::Float(_));
                own && var.kind != Kind::Float(Width::F32)
            };
            if let Some(at) = targets.iter().position(|v| home(*v)) {
                let v = targets.remove(at);
                self.freeze(before, &copies);
                self.hidden.insert(v);
                self.hidden.extend(copies.iter().map(|(v, _)| *v));
                let fresh = self.choices.chance(40);
                copies.push((v, if fresh { Copied::Fresh(self.float(1)) } else { Copied::First }));
            }
        }
        copies
    }

    /// What the phases are, and whether they have no barrier behind them.
    fn draws(&mut self, copies: bool) -> Vec<(Draw, bool)> {
        let o = &self.odds.parallel;
        let weights = [
            (o.repeat, Draw::Loop),
            (o.sections, Draw::Sections),
            (o.tasks, Draw::Tasks),
            (o.once, Draw::Once),
            (if copies { o.all } else { 0 }, Draw::All),
        ];
        let count = if self.choices.chance(o.phases) { self.choices.int(2, 3) } else { 1 };
        let mut draws: Vec<(Draw, bool)> =
            (0..count).map(|_| (self.choices.weighted(&weights).unwrap_or(Draw::Loop), false)).collect();
        // What all execute and what is then shared out go together.
        if copies && !draws.iter().any(|(draw, _)| *draw == Draw::All) {
            draws.insert(0, (Draw::All, false));
        }
        for n in 1..draws.len() {
            let loops = |draw: Draw| matches!(draw, Draw::Loop | Draw::Sections);
            let both = loops(draws[n - 1].0) && loops(draws[n].0);
            draws[n - 1].1 = both && self.choices.chance(self.odds.parallel.nowait);
        }
        draws
    }

    fn work(
        &mut self,
        draw: Draw,
        share: &[VarId],
        (before, copies): (&Before, &[(VarId, Copied)]),
        around: Around,
    ) -> Option<Work> {
        let inner = Around { nesting: around.nesting + 1, loops: 0, in_switch: false, ..around };
        let copied = |v: VarId| copies.iter().any(|(copy, _)| *copy == v);
        match draw {
            Draw::Loop => self.shared(share, copies, inner).map(Work::Loop),
            Draw::Sections => self.pieces(false, share, inner),
            Draw::Tasks => self.pieces(true, share, inner),
            Draw::Once => {
                for v in (0..before.readonly.len()).filter(|v| !copied(*v)) {
                    self.f.vars[v].readonly = before.readonly[v];
                }
                self.hidden.clone_from(&before.hidden);
                let threads = |(v, var): (VarId, &crate::c::ast::Var)| (var.home == Home::Thread).then_some(v);
                self.hidden.extend(self.f.vars.iter().enumerate().filter_map(threads).filter(|v| !copied(*v)));
                self.own.clear();
                self.hidden.extend(before.own.iter().map(|(v, _)| *v));
                let once = self.choices.weighted(&[(3, Once::Single), (2, Once::Master), (1, Once::Masked)])?;
                Some(Work::Once(once, self.body(inner, 3)))
            }
            Draw::All => {
                for (v, _) in copies {
                    self.f.vars[*v].readonly = false;
                }
                let mut body = self.body(inner, 2);
                let (v, _) = self.choices.pick(copies)?;
                let to = self.place_of(v);
                body.push(Stmt::Assign(to, Update::Mul, self.float(1)));
                Some(Work::All(body))
            }
        }
    }

    fn elem(&mut self, v: VarId) -> Place {
        Place::Elem(v, self.index())
    }

    fn place_of(&mut self, v: VarId) -> Place {
        if matches!(self.f.vars[v].kind, Kind::Array(..)) { self.elem(v) } else { Place::Var(v) }
    }

    fn pieces(&mut self, tasks: bool, share: &[VarId], around: Around) -> Option<Work> {
        let mut free = share.to_vec();
        let number = |this: &Self, v: &VarId| matches!(this.f.vars[*v].kind, Kind::Float(_));
        let chain = if tasks && self.choices.chance(50) { free.iter().position(|v| number(self, v)) } else { None };
        let chain = chain.map(|at| free.remove(at));
        let count = free.len().min(3).max(usize::from(chain.is_some()) * 2);
        if count == 0 {
            return None;
        }
        let mut pieces = Vec::new();
        let (hidden, own) = (self.hidden.clone(), free);
        for n in 0..count {
            let mine: Vec<VarId> = own.iter().skip(n).step_by(count).copied().collect();
            let writes = n == 0 || self.choices.chance(60);
            self.hidden.clone_from(&hidden);
            self.hidden.extend(own.iter().filter(|v| !mine.contains(v)));
            self.hidden.extend(chain);
            mine.iter().for_each(|v| self.f.vars[*v].readonly = false);
            let depends: Vec<(VarId, bool)> = chain.into_iter().map(|v| (v, writes)).collect();
            for (v, writes) in &depends {
                self.hidden.remove(v);
                self.f.vars[*v].readonly = !writes;
            }
            let mut body = if self.choices.chance(60) { self.body(around, 2) } else { Vec::new() };
            let written = mine.iter().copied().chain(depends.iter().filter(|(_, writes)| *writes).map(|(v, _)| *v));
            for v in written.collect::<Vec<_>>() {
                let to = self.place_of(v);
                let update = self.choices.pick(&[Update::Set, Update::Set, Update::Add, Update::Mul])?;
                body.push(Stmt::Assign(to, update, self.float(self.odds.expression)));
                self.spend(around.weight);
            }
            mine.iter().chain(&chain).for_each(|v| self.f.vars[*v].readonly = true);
            pieces.push(Piece { own: mine, depends, body });
        }
        self.hidden = hidden;
        Some(Work::Pieces(tasks, pieces))
    }

    fn how(&mut self) -> Option<How> {
        let o = &self.odds.parallel;
        let chunk = if self.choices.chance(50) { self.choices.int(1, 3) } else { 0 };
        let schedules = [
            (3, Schedule::None),
            (3, Schedule::Static(chunk)),
            (3, Schedule::Dynamic(chunk)),
            (2, Schedule::Guided(chunk)),
            (1, Schedule::Auto),
            (1, Schedule::Runtime),
        ];
        let schedule = self.choices.weighted(&schedules)?;
        let all = [
            (o.schedules, How::For(schedule)),
            (o.simd, How::Simd),
            (o.strided, How::Strided),
            (o.task_each, How::Tasks),
            (o.task_loop, How::TaskLoop),
        ];
        self.choices.weighted(&all)
    }

    fn shared(&mut self, share: &[VarId], copies: &[(VarId, Copied)], around: Around) -> Option<Shared> {
        let how = self.how()?;
        if matches!(how, How::Tasks | How::TaskLoop) {
            self.hide_arrays(copies);
        }
        let mut roles: Vec<(VarId, Role)> = Vec::new();
        let mut owned: Vec<(VarId, usize)> = Vec::new();
        for v in share {
            match self.f.vars[*v].kind {
                Kind::Array(_, n) if n > 1 && (owned.is_empty() || self.choices.chance(65)) => owned.push((*v, n)),
                _ => roles.extend(self.role(*v, how).map(|role| (*v, role))),
            }
        }
        let room = owned.iter().map(|(_, n)| *n as i64).min().unwrap_or(ITERATIONS);
        let trips = self.choices.int(2, room.clamp(2, ITERATIONS));
        let mut counters = vec![self.add(Kind::Int(0, trips - 1), Home::Scoped, true)];
        let mut iterations = trips;
        let collapse = matches!(how, How::For(_) | How::Simd) && self.choices.chance(self.odds.parallel.collapse);
        if collapse && room >= 4 {
            let inner = self.choices.int(2, room / 2).min(3);
            let outer = self.choices.int(2, room / inner);
            self.f.vars[counters[0]].kind = Kind::Int(0, outer - 1);
            counters.push(self.add(Kind::Int(0, inner - 1), Home::Scoped, true));
            iterations = outer * inner;
        }
        for (v, n) in owned {
            let index = self.own_index(&counters, iterations, n);
            roles.push((v, Role::Own(index)));
        }
        self.shuffle(&mut roles);
        let weight = around.weight * iterations as u64;
        if !self.affords(weight * 2) {
            return None;
        }
        let named: Vec<VarId> = roles.iter().map(|(v, _)| *v).collect();
        let firsts: Vec<VarId> = roles.iter().filter(|(_, role)| *role == Role::First).map(|(v, _)| *v).collect();
        self.hidden.extend(named.iter().filter(|v| !firsts.contains(v)));
        let trips = (counters.len() == 1 && self.choices.chance(25)).then(|| self.int(1));
        self.scope.extend(&counters);
        for (v, role) in &mut roles {
            if let Role::Private(start) | Role::Last(start) = role {
                self.hidden.extend(&firsts);
                *start = self.float(1);
                self.hidden.remove(v);
                self.f.vars[*v].readonly = false;
                // Of several such variables none starts with another.
                self.hidden.insert(*v);
            }
        }
        for (v, role) in &roles {
            match role {
                Role::Private(_) | Role::Last(_) | Role::First => drop(self.hidden.remove(v)),
                Role::Own(index) => self.own.push((*v, index.clone())),
                _ => {}
            }
        }
        let around = Around { weight, ..around };
        let teams = self.teams;
        if how == How::Simd {
            // A loop for vectors has no teams in it.
            self.teams = DEPTH;
        }
        let mut body = self.body(around, 2);
        self.teams = teams;
        self.updates(&roles, &mut body);
        self.spend(weight * roles.len() as u64);
        let count = self.scope.len() - counters.len();
        self.scope.truncate(count);
        Some(Shared { how, counters, trips, roles, body })
    }

    /// The stores that roles ask for, at any place of the body.
    fn updates(&mut self, roles: &[(VarId, Role)], body: &mut Vec<Stmt>) {
        let expression = self.odds.expression;
        let mut ordered = Vec::new();
        for (v, role) in roles {
            let value = self.float(expression);
            let made = match role {
                Role::Own(index) => {
                    let update = self.choices.pick(&[Update::Set, Update::Set, Update::Add, Update::Mul]);
                    Stmt::Assign(Place::Elem(*v, index.clone()), update.unwrap_or(Update::Set), value)
                }
                Role::Reduced(reduction) => Stmt::Assign(self.place_of(*v), reduction.update(), value),
                Role::Atomic(update) => Stmt::Atomic(self.place_of(*v), *update, value),
                Role::Guarded(guard, update) => {
                    Stmt::Guarded(*guard, vec![Stmt::Assign(self.place_of(*v), *update, value)])
                }
                Role::Ordered => {
                    let to = self.place_of(*v);
                    let own = Box::new(Float::Get(to.clone()));
                    let value = if self.choices.chance(70) { Float::Mul(own, Box::new(value)) } else { value };
                    ordered.push(Stmt::Assign(to, Update::Set, value));
                    continue;
                }
                Role::Private(_) | Role::Last(_) | Role::First => continue,
            };
            let own = matches!(role, Role::Own(_));
            let made =
                if !own && self.choices.chance(25) { Stmt::If(self.cond(1), vec![made], Vec::new()) } else { made };
            let at = self.choices.index(body.len() + 1);
            body.insert(at, made);
        }
        if !ordered.is_empty() {
            let at = self.choices.index(body.len() + 1);
            body.insert(at, Stmt::Guarded(Guard::Ordered, ordered));
        }
    }

    fn role(&mut self, v: VarId, how: How) -> Option<Role> {
        let number = matches!(self.f.vars[v].kind, Kind::Float(_));
        let local = number && matches!(self.f.vars[v].home, Home::Local | Home::Scoped);
        // A `float` is passed in a word whose other half nobody has set.
        let double = self.f.vars[v].kind == Kind::Float(Width::F64);
        let o = &self.odds.parallel;
        let worksharing = matches!(how, How::For(_) | How::Simd);
        let on = |condition: bool, weight: u32| if condition { weight } else { 0 };
        // clang 19 takes no copy of a static array.
        let reduced = worksharing && self.f.vars[v].home != Home::Global;
        let reductions = [
            (4, Reduction::Add),
            (1, Reduction::Sub),
            (3, Reduction::Mul),
            (on(number, 2), Reduction::Min),
            (on(number, 2), Reduction::Max),
            (on(number, 2), Reduction::Declared),
        ];
        let reduction = self.choices.weighted(&reductions)?;
        let guards = [(3, Guard::Critical), (3, Guard::Named), (3, Guard::Lock), (1, Guard::Mutex)];
        let guard = self.choices.weighted(&guards)?;
        let atomic = self.choices.weighted(&[(6, Update::Add), (2, Update::Sub), (3, Update::Mul)])?;
        let guarded =
            self.choices.weighted(&[(5, Update::Add), (4, Update::Mul), (2, Update::Min), (2, Update::Max)])?;
        // A loop for vectors may have none of what waits.
        let waits = how != How::Simd;
        let copies = local && how != How::Strided && (how != How::TaskLoop || self.choices.chance(15));
        let zero = || Float::Const(0.0);
        let draw = [
            (on(reduced, o.reduction), 0),
            (on(copies, o.private), 1),
            (on(local && worksharing, o.last), 2),
            (on(copies && double, o.first), 3),
            (on(waits, o.atomic), 4),
            (on(waits, o.guarded), 5),
            (on(matches!(how, How::For(_)), o.ordered), 6),
        ];
        Some(match self.choices.weighted(&draw)? {
            0 => Role::Reduced(reduction),
            1 => Role::Private(zero()),
            2 => Role::Last(zero()),
            3 => Role::First,
            4 => Role::Atomic(atomic),
            5 => Role::Guarded(guard, guarded),
            _ => Role::Ordered,
        })
    }

    /// An index that is another one in each iteration.
    fn own_index(&mut self, counters: &[VarId], iterations: i64, len: usize) -> Int {
        let len = len as i64;
        let var = |v: VarId| Box::new(Int::Var(v));
        let plain = match counters {
            [i, j] => {
                let Kind::Int(_, last) = self.f.vars[*j].kind else { return Int::Const(0) };
                Int::Add(Box::new(Int::Mul(var(*i), Box::new(Int::Const(last + 1)))), var(*j))
            }
            all => Int::Var(all[0]),
        };
        let boxed = Box::new(plain.clone());
        match self.choices.int(0, 11) {
            0 => Int::Sub(Box::new(Int::Const(iterations - 1)), boxed),
            1 => Int::Rem(Box::new(Int::Add(boxed, Box::new(Int::Const(self.choices.int(1, 3))))), iterations),
            2 if len > iterations => Int::Add(boxed, Box::new(Int::Const(self.choices.int(1, len - iterations)))),
            3 if 2 * iterations <= len => Int::Mul(boxed, Box::new(Int::Const(2))),
            4 | 5 => self.table(iterations, len).map_or(plain, |table| Int::Elem(table, boxed)),
            _ => plain,
        }
    }

    /// A table of distinct indices.
    fn table(&mut self, count: i64, len: i64) -> Option<VarId> {
        let first = self.choices.int(0, 1 << 20) as u64;
        let distinct = |seed: &u64| {
            let all: BTreeSet<i64> = (0..count as usize).map(|n| integer(*seed, n, 0, len - 1)).collect();
            all.len() == count as usize
        };
        let seed = (first..first + 20_000).find(distinct)?;
        let table = self.add(Kind::Ints(count as usize, 0, len - 1), Home::Local, true);
        self.f.vars[table].start = seed;
        Some(table)
    }
}
