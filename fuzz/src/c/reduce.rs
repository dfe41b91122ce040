//! Smaller programs from a program, by edits of its tree.
//!
//! The edits of a program are numbered in the order in which one walk meets them, large ones first;
//! [`crate::shrink`] is the search. The printer keeps every cut tree a valid program; what would bring a race into a
//! parallel one is passed over.

mod parallel;

use super::apart;
use super::ast::{
    Activity, Address, Arg, Cond, Field, Float, Function, Home, Int, Kind, Loop, Mode, Place, Program, Stmt, Storage,
    Update, Via, Width,
};
use crate::shrink::Shrink;

impl Shrink for Program {
    fn edit(&self, n: usize) -> Option<Program> {
        let mut result = self.clone();
        let mut editor = Editor { left: n, done: false };
        editor.program(&mut result);
        editor.done.then_some(result)
    }

    fn is_valid(&self) -> bool {
        apart::holds(self)
    }
}

struct Editor {
    left: usize,
    done: bool,
}

impl Editor {
    /// Is this the edit to carry out?
    fn here(&mut self) -> bool {
        if self.done {
            return false;
        }
        if self.left == 0 {
            self.done = true;
            return true;
        }
        self.left -= 1;
        false
    }

    fn program(&mut self, p: &mut Program) {
        for index in 0..p.functions.len() {
            let f = &mut p.functions[index];
            let mut body = std::mem::take(&mut f.body);
            self.stmts(&mut body, f);
            f.body = body;
            if let Some(result) = &mut f.result {
                self.float(result);
            }
            if let Some(base) = &mut f.base {
                self.float(base);
            }
            if f.base.is_some() && self.here() {
                f.base = None;
            }
            if f.noinline && self.here() {
                f.noinline = false;
            }
            for var in &mut p.functions[index].vars {
                if matches!(var.home, Home::Global | Home::Thread) && self.here() {
                    var.home = Home::Local;
                }
                self.var(&mut var.kind, var.home);
            }
            self.params(p, index);
        }
        for field in p.structs.iter_mut().flat_map(|it| &mut it.fields) {
            match field {
                Field::Array(_, n) if *n > 1 && self.here() => *n = 1,
                Field::Array(_, n) if *n > 2 && self.here() => *n = n.div_ceil(2),
                _ => {}
            }
        }
        if p.seeded_shadows && self.here() {
            p.seeded_shadows = false;
        }
        if p.packed && self.here() {
            p.packed = false;
        }
        if p.twice && self.here() {
            p.twice = false;
        }
        if p.mode != Mode::Reverse && self.here() {
            p.mode = Mode::Reverse;
        }
        match &mut p.mode {
            Mode::Forward(width) if *width > 1 && self.here() => *width = 1,
            Mode::Nested { outer: false, .. } if self.here() => p.mode = Mode::Forward(1),
            _ => {}
        }
        for activity in &mut p.activities {
            if *activity == Activity::DupNoNeed && self.here() {
                *activity = Activity::Dup;
            }
            if *activity == Activity::Out && self.here() {
                *activity = Activity::Const;
            }
        }
    }

    /// A parameter becomes a local with constant content; callers drop the argument.
    fn params(&mut self, p: &mut Program, index: usize) {
        let params: Vec<usize> = p.functions[index].params().map(|(v, _)| v).collect();
        for (position, v) in params.into_iter().enumerate() {
            if !self.here() {
                continue;
            }
            p.functions[index].vars[v].home = Home::Local;
            if index == 0 {
                p.activities.remove(position);
            }
            for f in &mut p.functions {
                drop_argument(&mut f.body, index, position);
            }
            return;
        }
    }

    fn var(&mut self, kind: &mut Kind, home: Home) {
        match kind {
            Kind::Int(_, last) if home == Home::Scoped && *last > 0 => {
                if self.here() {
                    *last = 0;
                } else if *last > 1 && self.here() {
                    *last -= 1;
                }
            }
            Kind::Float(w) | Kind::Array(w, _) | Kind::Pointer(w, _) if *w != Width::F64 && self.here() => {
                *w = Width::F64;
            }
            Kind::Array(_, n) | Kind::Pointer(_, n) if *n > 1 && self.here() => *n = 1,
            Kind::Array(_, n) | Kind::Pointer(_, n) if *n > 2 && self.here() => *n -= 1,
            Kind::Structs(_, n) if *n > 1 && self.here() => *n -= 1,
            _ => {}
        }
    }

    fn stmts(&mut self, all: &mut Vec<Stmt>, f: &mut Function) {
        let mut index = 0;
        while index < all.len() && !self.done {
            if self.here() {
                all.remove(index);
                return;
            }
            if let Some(inner) = self.unwrap(&all[index], f) {
                all.splice(index..=index, inner);
                return;
            }
            self.stmt(&mut all[index], f);
            index += 1;
        }
    }

    /// What a statement contains, in its place.
    fn unwrap(&mut self, it: &Stmt, f: &mut Function) -> Option<Vec<Stmt>> {
        match it {
            Stmt::If(_, a, b) => {
                if self.here() {
                    return Some(a.clone());
                }
                (!b.is_empty() && self.here()).then(|| b.clone())
            }
            Stmt::Switch(_, arms, default) => {
                for (arm, _) in arms {
                    if self.here() {
                        return Some(arm.clone());
                    }
                }
                self.here().then(|| default.clone())
            }
            Stmt::Loop(it) => self.here().then(|| {
                f.vars[it.counter].home = Home::Local;
                it.body.clone()
            }),
            Stmt::Block { var, body, .. } => self.here().then(|| {
                f.vars[*var].home = Home::Local;
                body.clone()
            }),
            Stmt::Region(region) => self.here().then(|| parallel::in_series(region)),
            Stmt::Guarded(_, body) => self.here().then(|| body.clone()),
            Stmt::Idiom(_, to, args, _) | Stmt::Travel(_, to, args, _) | Stmt::Team(_, to, args, _) => {
                let (first, second) = (args.first()?.clone(), args.last()?.clone());
                let product = Float::Mul(Box::new(first.clone()), Box::new(second.clone()));
                let assigned = [first, second, product].into_iter().find(|_| self.here());
                assigned.map(|value| vec![Stmt::Assign(to.clone(), Update::Set, value)])
            }
            Stmt::Pun(to, _, value, _) => {
                self.here().then(|| vec![Stmt::Assign(to.clone(), Update::Set, value.clone())])
            }
            _ => None,
        }
    }

    fn stmt(&mut self, it: &mut Stmt, f: &mut Function) {
        match it {
            Stmt::Assign(to, update, value) => {
                if *update != Update::Set && self.here() {
                    *update = Update::Set;
                }
                self.float(value);
                self.place(to);
            }
            Stmt::SetInt(_, value) => self.int(value),
            Stmt::SetField(_, at, _, value) => {
                self.int(at);
                self.int(value);
            }
            Stmt::SetPointer(_, to) => self.address(to),
            Stmt::If(cond, then, other) => {
                if !other.is_empty() && self.here() {
                    other.clear();
                }
                self.stmts(then, f);
                self.stmts(other, f);
                self.cond(cond);
            }
            Stmt::Switch(on, arms, default) => {
                for at in 0..arms.len() {
                    if self.here() {
                        arms.remove(at);
                        return;
                    }
                }
                for (body, falls) in arms {
                    if *falls && self.here() {
                        *falls = false;
                    }
                    self.stmts(body, f);
                }
                self.stmts(default, f);
                self.int(on);
            }
            Stmt::Loop(it) => self.repeat(it, f),
            Stmt::Break | Stmt::Continue => {}
            Stmt::Return(value) => {
                if let Some(value) = value {
                    self.float(value);
                }
            }
            Stmt::Block { storage, start, body, .. } => {
                if *storage != Storage::Stack && self.here() {
                    *storage = Storage::Stack;
                }
                if *storage == Storage::Malloc && self.here() {
                    *storage = Storage::Calloc;
                }
                if start.is_some() && self.here() {
                    *start = None;
                }
                if let Some(start) = start {
                    self.float(start);
                }
                self.stmts(body, f);
            }
            Stmt::Copy { to, from, count, .. } => {
                if *count > 1 && self.here() {
                    *count = 1;
                }
                self.address(to);
                self.address(from);
            }
            Stmt::Zero(to, _, count) => {
                if *count > 1 && self.here() {
                    *count = 1;
                }
                self.address(to);
            }
            Stmt::CopyStruct(_, i, _, j, via) => {
                if *via != Via::Assign && self.here() {
                    *via = Via::Assign;
                }
                self.int(i);
                self.int(j);
            }
            Stmt::Pun(to, _, value, _) => {
                self.float(value);
                self.place(to);
            }
            Stmt::Call { to, depth, args, through, .. } => {
                if *through && self.here() {
                    *through = false;
                }
                if to.is_some() && self.here() {
                    *to = None;
                }
                if *depth > 1 && self.here() {
                    *depth = 1;
                }
                for arg in args {
                    match arg {
                        Arg::Float(e) => self.float(e),
                        Arg::Int(e) => self.int(e),
                        Arg::Address(a) => self.address(a),
                        Arg::Structs(_) | Arg::Ints(_) | Arg::Plan(_) => {}
                    }
                }
                if let Some(to) = to {
                    self.place(to);
                }
            }
            Stmt::RuleOut(_, _, args, to) => {
                args.iter_mut().for_each(|e| self.float(e));
                to.iter_mut().for_each(|p| self.place(p));
            }
            Stmt::Travel(travel, to, args, count) => {
                if let Some(simpler) = travel.simpler().into_iter().find(|_| self.here()) {
                    *travel = simpler;
                }
                args.iter_mut().for_each(|e| self.float(e));
                self.place(to);
                self.int(count);
            }
            Stmt::Idiom(_, to, args, count) | Stmt::Team(_, to, args, count) => {
                args.iter_mut().for_each(|e| self.float(e));
                self.place(to);
                self.int(count);
            }
            Stmt::Region(region) => self.region(region, f),
            Stmt::Guarded(_, body) => self.stmts(body, f),
            Stmt::Atomic(to, _, value) => {
                self.float(value);
                self.place(to);
            }
        }
    }

    fn repeat(&mut self, it: &mut Loop, f: &mut Function) {
        if it.trips.is_some() && self.here() {
            it.trips = None;
        }
        if it.cond.is_some() && self.here() {
            it.cond = None;
        }
        if it.form != super::ast::Form::Up && self.here() {
            it.form = super::ast::Form::Up;
            it.cond = None;
        }
        self.stmts(&mut it.body, f);
        if let Some(trips) = &mut it.trips {
            self.int(trips);
        }
        if let Some(cond) = &mut it.cond {
            self.cond(cond);
        }
    }

    fn float(&mut self, e: &mut Float) {
        if self.done {
            return;
        }
        if !matches!(e, Float::Const(_)) && self.here() {
            *e = Float::Const(0.5);
            return;
        }
        let children: Vec<Float> = match e {
            Float::Neg(a) | Float::Cast(_, a) => vec![(**a).clone()],
            Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) | Float::Select(_, a, b) => {
                vec![(**a).clone(), (**b).clone()]
            }
            Float::Rule(_, _, args, _) => args.clone(),
            Float::Const(_) | Float::Get(_) | Float::Int(_) => Vec::new(),
        };
        for child in children {
            if self.here() {
                *e = child;
                return;
            }
        }
        match e {
            Float::Const(_) => {}
            Float::Get(place) => self.place(place),
            Float::Neg(a) | Float::Cast(_, a) => self.float(a),
            Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) => {
                self.float(a);
                self.float(b);
            }
            Float::Rule(_, width, args, _) => {
                if *width == Width::F32 && self.here() {
                    *width = Width::F64;
                }
                args.iter_mut().for_each(|a| self.float(a));
            }
            Float::Select(c, a, b) => {
                self.float(a);
                self.float(b);
                self.cond(c);
            }
            Float::Int(i) => self.int(i),
        }
    }

    fn place(&mut self, place: &mut Place) {
        match place {
            Place::Var(_) => {}
            Place::Elem(_, at) => self.int(at),
            Place::Field(_, at, _, sub) => {
                self.int(at);
                self.int(sub);
            }
        }
    }

    fn int(&mut self, e: &mut Int) {
        if self.done || matches!(e, Int::Const(_)) {
            return;
        }
        if self.here() {
            *e = Int::Const(0);
            return;
        }
        if self.here() {
            *e = Int::Const(1);
            return;
        }
        let children: Vec<Int> = match e {
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) | Int::Select(_, a, b) => {
                vec![(**a).clone(), (**b).clone()]
            }
            Int::Rem(a, _) => vec![(**a).clone()],
            _ => Vec::new(),
        };
        for child in children {
            if self.here() {
                *e = child;
                return;
            }
        }
        match e {
            Int::Add(a, b) | Int::Sub(a, b) | Int::Mul(a, b) => {
                self.int(a);
                self.int(b);
            }
            Int::Select(c, a, b) => {
                self.int(a);
                self.int(b);
                self.cond(c);
            }
            Int::Rem(a, _) | Int::Elem(_, a) | Int::Field(_, a, _) => self.int(a),
            Int::Of(a, _) => self.float(a),
            Int::Const(_) | Int::Var(_) => {}
        }
    }

    fn cond(&mut self, c: &mut Cond) {
        if self.done {
            return;
        }
        let children: Vec<Cond> = match c {
            Cond::And(a, b) | Cond::Or(a, b) => vec![(**a).clone(), (**b).clone()],
            Cond::Not(a) => vec![(**a).clone()],
            Cond::Floats(..) | Cond::Ints(..) => Vec::new(),
        };
        for child in children {
            if self.here() {
                *c = child;
                return;
            }
        }
        match c {
            Cond::And(a, b) | Cond::Or(a, b) => {
                self.cond(a);
                self.cond(b);
            }
            Cond::Not(a) => self.cond(a),
            Cond::Floats(_, a, b) => {
                self.float(a);
                self.float(b);
            }
            Cond::Ints(_, a, b) => {
                self.int(a);
                self.int(b);
            }
        }
    }

    fn address(&mut self, a: &mut Address) {
        if let Address::Select(_, left, right) = a {
            let (left, right) = ((**left).clone(), (**right).clone());
            if self.here() {
                *a = left;
                return;
            }
            if self.here() {
                *a = right;
                return;
            }
        }
        match a {
            Address::Of(_, at) => self.int(at),
            Address::Select(c, left, right) => {
                self.address(left);
                self.address(right);
                self.cond(c);
            }
        }
    }
}

fn drop_argument(body: &mut [Stmt], of: usize, position: usize) {
    for it in body {
        match it {
            Stmt::Call { callee, args, .. } if *callee == of && position < args.len() => {
                args.remove(position);
            }
            Stmt::If(_, a, b) => {
                drop_argument(a, of, position);
                drop_argument(b, of, position);
            }
            Stmt::Switch(_, arms, default) => {
                arms.iter_mut().for_each(|(arm, _)| drop_argument(arm, of, position));
                drop_argument(default, of, position);
            }
            Stmt::Loop(it) => drop_argument(&mut it.body, of, position),
            Stmt::Region(region) => {
                parallel::bodies_mut(region).into_iter().for_each(|body| drop_argument(body, of, position));
            }
            Stmt::Block { body, .. } => drop_argument(body, of, position),
            _ => {}
        }
    }
}
