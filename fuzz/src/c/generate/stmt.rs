//! Statements.

use super::{Around, DEPTH, Generator};
use crate::c::apart;
use crate::c::ast::idiom::Idiom;
use crate::c::ast::{
    Address, Arg, Field, Float, Form, Home, Int, Kind, Loop, Place, Pun, Stmt, Storage, Update, Via, Width,
};
use crate::c::rules;
use crate::c::ways::VarId;

/// What a statement can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Draw {
    Assign,
    SetInt,
    SetPointer,
    Branch,
    Switch,
    Repeat,
    Jump,
    Leave,
    Block,
    Copy,
    Zero,
    CopyStruct,
    Pun,
    Call,
    RuleOut,
    Sweep,
    Idiom,
    Region,
    Team,
}

impl Generator<'_, '_, '_> {
    /// Appends a statement, or two.
    pub(super) fn stmt(&mut self, to: &mut Vec<Stmt>, around: Around) {
        let o = &self.odds.stmt;
        let deep = around.nesting >= self.odds.nesting;
        let outer = if deep { 0 } else { 1 };
        let serial = u32::from(self.teams == 0);
        let draw = self.choices.weighted(&[
            (o.assign, Draw::Assign),
            (o.set_int, Draw::SetInt),
            (o.set_pointer * serial, Draw::SetPointer),
            (o.branch * outer, Draw::Branch),
            (o.switch * outer, Draw::Switch),
            (o.repeat * outer, Draw::Repeat),
            (if around.loops > 0 && !around.in_switch { o.jump * 2 } else { 0 }, Draw::Jump),
            (o.leave * serial, Draw::Leave),
            (o.block * outer, Draw::Block),
            (o.copy, Draw::Copy),
            (o.zero, Draw::Zero),
            (o.copy_struct, Draw::CopyStruct),
            (o.pun, Draw::Pun),
            (o.call, Draw::Call),
            (o.rule_out, Draw::RuleOut),
            (o.sweep * outer, Draw::Sweep),
            (o.idiom * outer, Draw::Idiom),
            (o.region * outer, Draw::Region),
            (o.team * outer * serial, Draw::Team),
        ]);
        self.spend(around.weight);
        let made = match draw.unwrap_or(Draw::Assign) {
            Draw::Assign => None,
            Draw::SetInt => self.set_int(),
            Draw::SetPointer => self.set_pointer(),
            Draw::Branch => Some(self.branch(around)),
            Draw::Switch => Some(self.switch(around)),
            Draw::Repeat => self.repeat(around),
            Draw::Jump => {
                let jump = if self.choices.chance(50) { Stmt::Break } else { Stmt::Continue };
                Some(Stmt::If(self.cond(1), vec![jump], Vec::new()))
            }
            Draw::Leave => {
                let value = self.f.ret.map(|_| self.float(1));
                Some(Stmt::If(self.cond(1), vec![Stmt::Return(value)], Vec::new()))
            }
            Draw::Block => self.block(around),
            Draw::Copy => self.copy(),
            Draw::Zero => self.zero(),
            Draw::CopyStruct => self.copy_struct(),
            Draw::Pun => self.pun(),
            Draw::Call => {
                let calls = self.call(around);
                if !calls.is_empty() {
                    to.extend(calls);
                    return;
                }
                None
            }
            Draw::RuleOut => self.rule_out(),
            Draw::Sweep => self.sweep(around),
            Draw::Idiom => self.idiom(around),
            Draw::Region => match self.region(around) {
                Some(region) => return to.extend(region),
                None => None,
            },
            Draw::Team => self.team(around),
        };
        let made = made.or_else(|| self.assign());
        to.extend(made);
    }

    fn assign(&mut self) -> Option<Stmt> {
        let to = self.cell(true)?;
        let update = match self.choices.int(0, 9) {
            0..=4 => Update::Set,
            5..=7 => Update::Add,
            8 => Update::Sub,
            _ => Update::Mul,
        };
        let value = self.float(self.odds.expression);
        Some(Stmt::Assign(to, update, value))
    }

    pub(super) fn body(&mut self, around: Around, most: i64) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..self.choices.int(1, most) {
            if !self.affords(around.weight) {
                break;
            }
            self.stmt(&mut body, around);
        }
        body
    }

    fn set_int(&mut self) -> Option<Stmt> {
        let locals: Vec<VarId> = self
            .visible()
            .filter(|(_, var)| var.home == Home::Local && !var.readonly && matches!(var.kind, Kind::Int(..)))
            .map(|(v, _)| v)
            .collect();
        if let Some(v) = self.choices.pick(&locals) {
            return Some(Stmt::SetInt(v, self.int(2)));
        }
        let fields: Vec<(VarId, usize)> = self
            .visible()
            .filter(|(_, var)| !var.readonly)
            .filter_map(|(v, var)| {
                let Kind::Structs(s, _) = var.kind else { return None };
                let field = self.program.structs[s].fields.iter().position(|f| *f == Field::Int)?;
                Some((v, field))
            })
            .collect();
        let (v, field) = self.choices.pick(&fields)?;
        Some(Stmt::SetField(v, self.index(), field, self.int(1)))
    }

    fn set_pointer(&mut self) -> Option<Stmt> {
        let all: Vec<VarId> =
            self.visible().filter(|(_, var)| matches!(var.kind, Kind::Pointer(..))).map(|(v, _)| v).collect();
        let v = self.choices.pick(&all)?;
        let Kind::Pointer(width, room) = self.f.vars[v].kind else { return None };
        let write = !self.f.vars[v].readonly;
        let first = self.f.vars[v].start as usize;
        let same = self.f.vars.get(first).is_some_and(|t| t.readonly);
        let to = self.address(width, room, write)?;
        // What a block owns does not outlive it: nothing outside may point there.
        let owned = |this: &Self, a: &Address| matches!(a, Address::Of(v, _) if this.f.vars[*v].home == Home::Scoped);
        let readonly = |this: &Self, a: &Address| matches!(a, Address::Of(v, _) if this.f.vars[*v].readonly);
        let parts: Vec<&Address> = match &to {
            Address::Select(_, a, b) => vec![a, b],
            of @ Address::Of(..) => vec![of],
        };
        if parts.iter().any(|a| owned(self, a)) {
            return None;
        }
        let mixes = parts.iter().any(|a| readonly(self, a) != same);
        (!mixes || self.choices.chance(self.odds.mixed_activity)).then_some(Stmt::SetPointer(v, to))
    }

    fn branch(&mut self, around: Around) -> Stmt {
        let cond = self.cond(2);
        let inner = Around { nesting: around.nesting + 1, ..around };
        let then = self.body(inner, 3);
        let other = if self.choices.chance(45) { self.body(inner, 2) } else { Vec::new() };
        Stmt::If(cond, then, other)
    }

    fn switch(&mut self, around: Around) -> Stmt {
        let on = self.int(2);
        let inner = Around { nesting: around.nesting + 1, in_switch: true, ..around };
        let count = self.choices.int(1, 3);
        let arms = (0..count).map(|_| (self.body(inner, 2), self.choices.chance(20))).collect();
        let default = self.body(inner, 1);
        Stmt::Switch(on, arms, default)
    }

    fn repeat(&mut self, around: Around) -> Option<Stmt> {
        let most = self.choices.int(1, self.odds.trips) as u64;
        if !self.affords(around.weight * most * 2) {
            return None;
        }
        let form = self.choices.weighted(&[(5, Form::Up), (2, Form::Down), (1, Form::While), (1, Form::DoWhile)])?;
        let trips = self.choices.chance(40).then(|| self.int(1));
        let cond = match form {
            Form::Up | Form::Down => None,
            Form::While | Form::DoWhile => self.choices.chance(60).then(|| self.cond(1)),
        };
        let counter = self.add(Kind::Int(0, most as i64 - 1), Home::Scoped, true);
        self.scope.push(counter);
        let weight = around.weight * most;
        let inner = Around { nesting: around.nesting + 1, loops: around.loops + 1, weight, in_switch: false };
        let body = self.body(inner, 3);
        self.scope.pop();
        Some(Stmt::Loop(Loop { form, counter, trips, cond, body }))
    }

    /// `for (i …) a[i] = …a[i - 1]…`
    fn sweep(&mut self, around: Around) -> Option<Stmt> {
        let all: Vec<(VarId, usize)> = self
            .visible()
            .filter_map(|(v, var)| match var.kind {
                Kind::Array(_, n) | Kind::Pointer(_, n) if !var.readonly && n > 1 => Some((v, n)),
                _ => None,
            })
            .collect();
        let (v, n) = self.choices.pick(&all)?;
        let weight = around.weight * n as u64;
        if !self.affords(weight) {
            return None;
        }
        let form = if self.choices.chance(70) { Form::Up } else { Form::Down };
        let counter = self.add(Kind::Int(0, n as i64 - 1), Home::Scoped, true);
        self.scope.push(counter);
        let i = || Int::Var(counter);
        let neighbour = if self.choices.chance(50) {
            Int::Add(Box::new(i()), Box::new(Int::Const(1)))
        } else {
            Int::Sub(Box::new(i()), Box::new(Int::Const(1)))
        };
        let at = |at: Int| Box::new(Float::Get(Place::Elem(v, at)));
        let (own, next, other) = (at(i()), at(neighbour), Box::new(self.float(1)));
        let value = match self.choices.int(0, 3) {
            0 => Float::Mul(own, Box::new(Float::Add(next, other))),
            1 => Float::Sub(Box::new(Float::Mul(next, other)), own),
            2 => Float::Div(next, Box::new(Float::Mul(own, other)), 0.75),
            _ => Float::Add(own, Box::new(Float::Mul(next, other))),
        };
        let mut body = vec![Stmt::Assign(Place::Elem(v, i()), Update::Set, value)];
        let inner = Around { nesting: around.nesting + 1, loops: around.loops + 1, weight, in_switch: false };
        if self.choices.chance(35) && self.affords(weight * 2) {
            self.stmt(&mut body, inner);
        }
        self.scope.pop();
        self.spend(weight);
        Some(Stmt::Loop(Loop { form, counter, trips: None, cond: None, body }))
    }

    fn block(&mut self, around: Around) -> Option<Stmt> {
        let (width, cells) = (self.width(), self.choices.int(1, self.odds.cells) as usize);
        let storage = self.choices.weighted(&[(3, Storage::Stack), (3, Storage::Malloc), (2, Storage::Calloc)])?;
        let start = if storage != Storage::Calloc && self.choices.chance(75) { Some(self.float(1)) } else { None };
        let var = self.add(Kind::Array(width, cells), Home::Scoped, false);
        self.spend(around.weight * cells as u64);
        self.scope.push(var);
        let body = self.body(Around { nesting: around.nesting + 1, ..around }, 4);
        self.scope.pop();
        Some(Stmt::Block { var, storage, start, body })
    }

    fn array(&mut self, write: bool) -> Option<(VarId, Width, usize)> {
        let all: Vec<(VarId, Width, usize)> = self
            .visible()
            .filter_map(|(v, var)| match var.kind {
                Kind::Array(w, n) if !(write && var.readonly) => Some((v, w, n)),
                _ => None,
            })
            .collect();
        self.choices.pick(&all)
    }

    fn copy(&mut self) -> Option<Stmt> {
        let (to, width, len) = self.array(true)?;
        let (from, other, room) = self.array(false)?;
        let count = self.choices.int(1, len.min(room) as i64) as usize;
        // Only arrays that this call has made itself are surely distinct: what outlives calls may be what it is given.
        let home = |v: VarId| self.f.vars[v].home;
        let met = [home(to), home(from)].contains(&Home::Param) && [home(to), home(from)].iter().all(may_be_given);
        let distinct = to != from && (!met || self.index == 0);
        let via = if distinct && self.choices.chance(70) { Via::Memcpy } else { Via::Memmove };
        (width == other).then(|| Stmt::Copy {
            to: Address::Of(to, self.index()),
            from: Address::Of(from, self.index()),
            width,
            count,
            via,
        })
    }

    fn zero(&mut self) -> Option<Stmt> {
        let (to, width, len) = self.array(true)?;
        let count = self.choices.int(1, len as i64) as usize;
        Some(Stmt::Zero(Address::Of(to, self.index()), width, count))
    }

    fn copy_struct(&mut self) -> Option<Stmt> {
        let all: Vec<(VarId, usize, bool)> = self
            .visible()
            .filter_map(|(v, var)| match var.kind {
                Kind::Structs(s, _) => Some((v, s, var.readonly)),
                _ => None,
            })
            .collect();
        let writable: Vec<(VarId, usize, bool)> = all.iter().filter(|(_, _, readonly)| !readonly).copied().collect();
        let (to, s, _) = self.choices.pick(&writable)?;
        let same: Vec<VarId> = all.iter().filter(|(_, t, _)| *t == s).map(|(v, ..)| *v).collect();
        let from = self.choices.pick(&same)?;
        let via = self.choices.weighted(&[(5, Via::Assign), (4, Via::Memmove), (2, Via::Buffer), (1, Via::Bytes)])?;
        Some(Stmt::CopyStruct(to, self.index(), from, self.index(), via))
    }

    fn pun(&mut self) -> Option<Stmt> {
        let to = self.cell(true)?;
        let (width, value) = (self.width(), self.float(1));
        let pun = self.choices.weighted(&[(2, Pun::Union), (2, Pun::Bits), (1, Pun::Bytes)])?;
        Some(Stmt::Pun(to, width, value, pun))
    }

    fn rule_out(&mut self) -> Option<Stmt> {
        let all: Vec<usize> = (0..rules::all().len()).filter(|i| !rules::all()[*i].is_expression()).collect();
        let index = self.choices.pick(&all)?;
        let rule = &rules::all()[index];
        let args = rule.domain.iter().map(|_| self.float(1)).collect();
        let width = self.width().min(Width::F64);
        let to = (0..rule.results()).map(|_| self.cell(true)).collect::<Option<Vec<Place>>>()?;
        Some(Stmt::RuleOut(index, width, args, to))
    }

    fn idiom(&mut self, around: Around) -> Option<Stmt> {
        if !self.affords(around.weight * 12) {
            return None;
        }
        self.spend(around.weight * 12);
        if self.teams == 0 && self.choices.chance(self.odds.travel) {
            return self.travels();
        }
        let mut all = Idiom::ALL.to_vec();
        all.retain(|(idiom, _)| self.teams == 0 || !idiom.outlives());
        let (idiom, _) = self.choices.pick(&all)?;
        self.idiom_of(idiom)
    }

    pub(super) fn idiom_of(&mut self, idiom: Idiom) -> Option<Stmt> {
        let to = self.cell(true)?;
        let args = vec![self.float(1), self.float(1)];
        Some(Stmt::Idiom(idiom, to, args, self.int(1)))
    }

    /// A call of a later function, or of itself; with arrays for its arguments where there are none.
    fn call(&mut self, around: Around) -> Vec<Stmt> {
        let callable = |i: &usize| self.teams == 0 || apart::callable(self.program, *i);
        let mut all: Vec<usize> = (self.index + 1..self.program.functions.len())
            .filter(|i| self.affords(self.costs[*i] * around.weight) && callable(i))
            .collect();
        if self.teams == 0 && self.has_base && around.loops == 0 && self.recursions < 2 {
            all.push(self.index);
        }
        match self.choices.pick(&all) {
            Some(callee) => self.call_of(callee, around),
            None => Vec::new(),
        }
    }

    pub(super) fn call_of(&mut self, callee: usize, around: Around) -> Vec<Stmt> {
        let own = callee == self.index;
        if own {
            self.recursions += 1;
        } else {
            self.spend(self.costs[callee] * around.weight);
        }
        let function = if own { self.f.clone() } else { self.program.functions[callee].clone() };
        let (mut args, mut blocks) = (Vec::new(), Vec::new());
        for (_, param) in function.params() {
            args.push(match param.kind {
                Kind::Float(_) => Arg::Float(self.float(1)),
                Kind::Int(..) => Arg::Int(self.int(1)),
                Kind::Array(width, room) | Kind::Pointer(width, room) => {
                    match self.address(width, room, !param.readonly) {
                        Some(address) => Arg::Address(address),
                        None if self.teams > 0 => {
                            // An array of the caller's would be one for all threads.
                            let v = self.add(Kind::Array(width, room), Home::Scoped, false);
                            blocks.push(v);
                            Arg::Address(Address::Of(v, Int::Const(0)))
                        }
                        None => {
                            let v = self.add(Kind::Array(width, room), Home::Local, false);
                            Arg::Address(Address::Of(v, Int::Const(0)))
                        }
                    }
                }
                Kind::Ints(len, low, high) => {
                    let kind = Kind::Ints(len, low, high);
                    let known = self.visible().find(|(_, var)| var.kind == kind).map(|(v, _)| v);
                    Arg::Ints(known.unwrap_or_else(|| self.add(kind, Home::Local, true)))
                }
                Kind::Plan => {
                    let known = self.visible().find(|(_, var)| var.kind == Kind::Plan).map(|(v, _)| v);
                    Arg::Plan(known.unwrap_or_else(|| self.add(Kind::Plan, Home::Local, false)))
                }
                Kind::Structs(s, len) => {
                    let kind = Kind::Structs(s, len);
                    let known =
                        self.visible().find(|(_, v)| v.kind == kind && (param.readonly || !v.readonly)).map(|(v, _)| v);
                    if known.is_none() && self.teams > 0 && !param.readonly {
                        return Vec::new();
                    }
                    // What is added within a region is one for all its threads: only read.
                    let team = self.teams > 0;
                    Arg::Structs(known.unwrap_or_else(|| self.add(kind, Home::Local, team)))
                }
            });
        }
        let to = if function.ret.is_some() && self.choices.chance(85) { self.cell(true) } else { None };
        let depth = self.choices.int(1, DEPTH);
        let through = !own && self.choices.chance(self.odds.through);
        let call = Stmt::Call { callee, to, depth, args, through };
        vec![blocks.into_iter().fold(call, |inner, var| Stmt::Block {
            var,
            storage: Storage::Stack,
            start: None,
            body: vec![inner],
        })]
    }
}

/// May memory of this home be behind a parameter?
fn may_be_given(home: &Home) -> bool {
    matches!(home, Home::Param | Home::Global)
}
