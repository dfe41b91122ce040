//! Statements.

use super::{Printer, constant};
use crate::c::ast::{
    Arg, BOUND, FIELD_INT, Float, Form, Int, Kind, Loop, Place, Pun, Stmt, Storage, Update, Via, Width,
};
use crate::c::rules::{self, Shape};

/// How many accumulations into one cell share the room between what a store establishes and the bound.
const SHARES: f64 = 8.0;

impl Printer<'_> {
    pub(super) fn stmts(&mut self, all: &[Stmt]) {
        for it in all {
            self.stmt(it);
        }
    }

    fn block(&mut self, head: &str, body: &[Stmt]) {
        self.line(&format!("{head} {{"));
        self.inner(body);
    }

    fn inner(&mut self, body: &[Stmt]) {
        self.depth += 1;
        self.stmts(body);
        self.depth -= 1;
    }

    pub(super) fn stmt(&mut self, it: &Stmt) {
        match it {
            Stmt::Assign(to, update, value) => self.assign(to, *update, value),
            Stmt::SetInt(v, value) => {
                let Kind::Int(low, high) = self.f.vars[*v].kind else { return };
                let value = self.within(value, low, high);
                let name = self.name(*v);
                self.line(&format!("{name} = {value};"));
            }
            Stmt::SetField(v, at, field, value) => {
                let to = self.int_field(*v, at, *field);
                let value = self.within(value, 0, FIELD_INT);
                self.line(&format!("{to} = {value};"));
            }
            Stmt::SetPointer(v, to) => {
                let Kind::Pointer(_, room) = self.f.vars[*v].kind else { return };
                let to = self.address(to, room);
                let name = self.name(*v);
                self.line(&format!("{name} = {to};"));
            }
            Stmt::If(cond, then, other) => {
                let cond = self.cond(cond);
                self.block(&format!("if ({cond})"), then);
                if !other.is_empty() {
                    self.block("} else", other);
                }
                self.line("}");
            }
            Stmt::Switch(on, arms, default) => {
                let on = self.below(on, arms.len() as i64 + 1);
                self.line(&format!("switch ({on}) {{"));
                for (index, (body, falls)) in arms.iter().enumerate() {
                    self.line(&format!("case {index}:"));
                    self.inner(body);
                    if !falls {
                        self.line("  break;");
                    }
                }
                self.line("default:");
                self.inner(default);
                self.line("  break;");
                self.line("}");
            }
            Stmt::Loop(it) => self.repeat(it),
            Stmt::Break | Stmt::Continue if self.loops == 0 => {}
            Stmt::Break => self.jump("break;"),
            Stmt::Continue => self.jump("continue;"),
            // Nobody leaves a region.
            Stmt::Return(_) if self.team => {}
            Stmt::Return(value) => self.leave(value.as_ref()),
            Stmt::Block { var, storage, start, body } => self.scope(*var, *storage, start.as_ref(), body),
            Stmt::Copy { to, from, width, count, via } => {
                let (to, from) = (self.address(to, *count), self.address(from, *count));
                let name = if *via == Via::Memcpy { "memcpy" } else { "memmove" };
                self.line(&format!("{name}({to}, {from}, {count} * sizeof({}));", width.c()));
            }
            Stmt::Zero(to, width, count) => {
                let to = self.address(to, *count);
                self.line(&format!("memset({to}, 0, {count} * sizeof({}));", width.c()));
            }
            Stmt::CopyStruct(to, i, from, j, via) => {
                let (to, from) = (self.whole(*to, i), self.whole(*from, j));
                match via {
                    Via::Assign => self.line(&format!("{to} = {from};")),
                    Via::Memcpy | Via::Memmove => self.line(&format!("memmove(&{to}, &{from}, sizeof {to});")),
                    Via::Buffer => self.set_apart(&[
                        format!("char buffer[sizeof {to}];"),
                        format!("memcpy(buffer, &{from}, sizeof buffer);"),
                        format!("memcpy(&{to}, buffer, sizeof buffer);"),
                    ]),
                    Via::Bytes => {
                        let head = format!("for (unsigned long c = 0; c < sizeof {to}; c++)");
                        self.line(&format!("{head} ((unsigned char *)&{to})[c] = ((unsigned char *)&{from})[c];"));
                    }
                }
            }
            Stmt::Pun(to, width, value, pun) => self.pun(to, *width, value, *pun),
            Stmt::Call { callee, to, depth, args, through } => self.call(*callee, to.as_ref(), *depth, args, *through),
            Stmt::RuleOut(rule, width, args, to) => self.rule_out(*rule, *width, args, to),
            Stmt::Idiom(idiom, to, args, count) => self.idiom(*idiom, to, args, count),
            Stmt::Travel(travel, to, args, count) => self.travel(travel, to, args, count),
            Stmt::Region(region) => self.region(region),
            Stmt::Atomic(to, update, value) => self.atomic(to, *update, value),
            Stmt::Guarded(guard, body) => self.guarded(*guard, body),
            Stmt::Team(team, to, args, count) => self.team_shape(*team, to, args, count),
        }
    }

    fn assign(&mut self, to: &Place, update: Update, value: &Float) {
        let width = self.place_width(to);
        let (op, limit) = match update {
            Update::Set => ("=", BOUND / 2.0),
            Update::Add => ("+=", BOUND / 2.0 / (SHARES * self.weight)),
            Update::Sub => ("-=", BOUND / 2.0 / (SHARES * self.weight)),
            Update::Mul => ("*=", 1.0),
            Update::Min | Update::Max => return self.extreme(to, update == Update::Min, value, width),
        };
        let value = self.bounded(value, width, limit);
        let to = self.place(to);
        self.line(&format!("{to} {op} {value};"));
    }

    /// Leaves the loop or the trip: blocks of the heap that belong to it are freed.
    fn jump(&mut self, word: &str) {
        let loops = self.loops;
        let own: Vec<_> = self.live.iter().filter(|(_, level)| *level >= loops).map(|(v, _)| *v).collect();
        self.after_freeing(&own, word);
    }

    fn after_freeing(&mut self, blocks: &[usize], text: &str) {
        for v in blocks.iter().rev() {
            let name = self.name(*v);
            self.line(&format!("free({name});"));
        }
        self.line(text);
    }

    /// Leaves the function.
    pub(super) fn leave(&mut self, value: Option<&Float>) {
        let own: Vec<_> = self.live.iter().map(|(v, _)| *v).collect();
        let Some(width) = self.f.ret else { return self.after_freeing(&own, "return;") };
        let half = Float::Const(0.5);
        let value = self.bounded(value.unwrap_or(&half), width, BOUND / 2.0);
        if own.is_empty() {
            return self.line(&format!("return {value};"));
        }
        self.line("{");
        self.depth += 1;
        self.line(&format!("{} result = {value};", width.c()));
        self.after_freeing(&own, "return result;");
        self.depth -= 1;
        self.line("}");
    }

    fn repeat(&mut self, it: &Loop) {
        let Kind::Int(_, last) = self.f.vars[it.counter].kind else { return };
        let most = last + 1;
        let trips = it.trips.as_ref().map_or_else(|| most.to_string(), |trips| self.within(trips, 0, most));
        let i = self.name(it.counter);
        let cond = it.cond.as_ref().map(|c| self.cond(c)).map_or(String::new(), |c| format!(" && ({c})"));
        let outer = self.weight;
        self.weight *= most.max(1) as f64;
        self.loops += 1;
        match it.form {
            Form::Up => self.block(&format!("for (int {i} = 0; {i} < {trips}{cond}; {i}++)"), &it.body),
            Form::Down => self.block(&format!("for (int {i} = {trips} - 1; {i} >= 0{cond}; {i}--)"), &it.body),
            Form::While | Form::DoWhile => {
                // The body counts first, so that `continue` does not skip it.
                self.line("{");
                self.depth += 1;
                self.line(&format!("int {i}n = 0;"));
                let check = format!("while ({i}n < {trips}{cond})");
                let first = it.form == Form::While;
                self.line(&if first { format!("{check} {{") } else { "do {".to_owned() });
                self.line(&format!("  int {i} = {i}n++;"));
                self.inner(&it.body);
                self.line(&if first { "}".to_owned() } else { format!("}} {check};") });
                self.depth -= 1;
            }
        }
        self.line("}");
        self.loops -= 1;
        self.weight = outer;
    }

    fn scope(&mut self, var: usize, storage: Storage, start: Option<&Float>, body: &[Stmt]) {
        let Kind::Array(width, len) = self.f.vars[var].kind else { return };
        let (name, c) = (self.name(var), width.c());
        self.line("{");
        self.depth += 1;
        let zeros = start.is_none();
        match storage {
            Storage::Stack if zeros => self.line(&format!("{c} {name}[{len}] = {{0}};")),
            Storage::Stack => self.line(&format!("{c} {name}[{len}];")),
            Storage::Calloc => self.line(&format!("{c} *{name} = calloc({len}, sizeof({c}));")),
            Storage::Malloc => {
                self.line(&format!("{c} *{name} = malloc({len} * sizeof({c}));"));
                if zeros {
                    self.line(&format!("memset({name}, 0, {len} * sizeof({c}));"));
                }
            }
        }
        if let Some(start) = start {
            let start = self.bounded(start, width, BOUND / 2.0);
            self.line(&format!("for (int z = 0; z < {len}; z++) {name}[z] = {start};"));
        }
        let heap = storage != Storage::Stack;
        if heap {
            self.live.push((var, self.loops));
        }
        self.stmts(body);
        if heap {
            self.live.pop();
            // Code after a jump is dead, and dead code may well free.
            self.line(&format!("free({name});"));
        }
        self.depth -= 1;
        self.line("}");
    }

    fn pun(&mut self, to: &Place, width: Width, value: &Float, pun: Pun) {
        let value = self.bounded(value, width, BOUND / 2.0);
        let to = self.place(to);
        let (c, bits, bytes) = match width {
            Width::F64 => ("double", "long", 8),
            Width::F32 => ("float", "int", 4),
            // Its bytes include some that are padding: no integer holds them.
            Width::F80 => ("long double", "long", 16),
        };
        let pun = if width == Width::F80 { Pun::Union } else { pun };
        match pun {
            Pun::Union => self.line(&format!(
                "{{ union {{ {bits} n; {c} d; float h[2]; }} u; u.n = 7; u.d = {value}; {to} = u.d; }}"
            )),
            Pun::Bits => self.line(&format!(
                "{{ {c} t = {value}; {bits} b; memcpy(&b, &t, sizeof b); memcpy(&t, &b, sizeof t); {to} = t; }}"
            )),
            Pun::Bytes => self.line(&format!(
                "{{ {c} t = {value}; char b[{bytes}]; memcpy(b, &t, {bytes}); t = 0; memcpy(&t, b, {bytes}); {to} = t; \
                 }}"
            )),
        }
    }

    fn call(&mut self, callee: usize, to: Option<&Place>, depth: i64, args: &[Arg], through: bool) {
        let Some(function) = self.program.functions.get(callee) else { return };
        let mut list = Vec::new();
        if function.base.is_some() {
            list.push(if callee == self.index { "depth - 1".to_owned() } else { depth.to_string() });
        }
        for ((_, param), arg) in function.params().zip(args) {
            let text = self.arg(param.kind, arg);
            list.push(text);
        }
        let name = self.function_name(callee);
        let list = list.join(", ");
        let call = if through { format!("h({list})") } else { format!("{name}({list})") };
        if through {
            let (ret, types) = (function.ret.map_or("void", Width::c), self.parameter_types(function));
            self.line(&format!("{{ {ret} (*h)({types}) = {name};"));
        }
        match to.filter(|_| function.ret.is_some()) {
            Some(to) => {
                let to = self.place(to);
                self.line(&format!("{to} = {call};"));
            }
            None => self.line(&format!("{call};")),
        }
        if through {
            self.line("}");
        }
    }

    fn arg(&mut self, kind: Kind, arg: &Arg) -> String {
        match (kind, arg) {
            (Kind::Float(w), Arg::Float(value)) => self.bounded(value, w, BOUND / 2.0),
            (Kind::Int(low, high), Arg::Int(value)) => self.within(value, low, high),
            (Kind::Array(_, n) | Kind::Pointer(_, n), Arg::Address(a)) => self.address(a, n),
            (_, Arg::Structs(v)) => self.pointer(*v),
            (_, Arg::Ints(v) | Arg::Plan(v)) => self.name(*v),
            // A tree that a reducer has cut: whatever the compiler then says, the program is not kept.
            _ => "0".to_owned(),
        }
    }

    /// Structures as a pointer.
    fn pointer(&mut self, v: usize) -> String {
        match self.whole(v, &Int::Const(0)) {
            whole if whole.starts_with('*') => whole[1..].to_owned(),
            whole if whole.ends_with(']') => self.name(v),
            whole => format!("&{whole}"),
        }
    }

    fn rule_out(&mut self, rule: usize, width: Width, args: &[Float], to: &[Place]) {
        let Some(rule) = rules::all().get(rule) else { return };
        self.prototypes.insert(rule.prototype(width));
        let list = self.arguments(rule, width, args).join(", ");
        let (c, name) = (width.c(), rule.name(width));
        let call = match rule.shape {
            Shape::IntOut => format!("int e; {c} r = {name}({list}, &e);"),
            Shape::FloatOut => format!("{c} q, r = {name}({list}, &q);"),
            Shape::TwoOut => format!("{c} q, r; {name}({list}, &r, &q);"),
            Shape::Plain | Shape::IntLast(_) | Shape::IntFirst => return,
        };
        let factor = if rule.bound > BOUND / 2.0 {
            format!("{} * ", constant((50.0 / rule.bound).round().max(1.0) / 100.0, width))
        } else {
            String::new()
        };
        let mut text = format!("{{ {call}");
        for (place, from) in to.iter().zip(["r", "q"]) {
            let place = self.place(place);
            text.push_str(&format!(" {place} = {factor}{from};"));
        }
        if rule.shape == Shape::IntOut {
            text.push_str(" (void)e;");
        }
        text.push_str(" }");
        self.line(&text);
    }
}
