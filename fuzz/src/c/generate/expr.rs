//! Expressions.

use super::{Generator, decimal};
use crate::c::ast::{Address, Cond, Field, Float, Home, Int, Kind, Place, Width};
use crate::c::rules;
use crate::c::ways::VarId;

/// What an expression can be.
#[derive(Clone, Copy)]
enum Form {
    Get,
    Constant,
    Neg,
    Add,
    Sub,
    Mul,
    Div,
    Rule,
    Cast,
    Select,
    Int,
}

impl Generator<'_, '_, '_> {
    pub(super) fn float(&mut self, depth: u32) -> Float {
        let o = &self.odds.float;
        let leaves = [(o.get * 3, Form::Get), (o.constant, Form::Constant), (o.int / 2, Form::Int)];
        let all = [
            (o.get, Form::Get),
            (o.constant, Form::Constant),
            (o.neg, Form::Neg),
            (o.add, Form::Add),
            (o.sub, Form::Sub),
            (o.mul, Form::Mul),
            (o.div, Form::Div),
            (o.rule, Form::Rule),
            (o.cast, Form::Cast),
            (o.select, Form::Select),
            (o.int, Form::Int),
        ];
        let form = if depth == 0 { self.choices.weighted(&leaves) } else { self.choices.weighted(&all) };
        let next = depth.saturating_sub(1);
        match form.unwrap_or(Form::Constant) {
            Form::Get => self.cell(false).map_or_else(|| decimal(self.choices), Float::Get),
            Form::Constant => decimal(self.choices),
            Form::Neg => Float::Neg(Box::new(self.float(next))),
            Form::Add => Float::Add(Box::new(self.float(next)), Box::new(self.float(next))),
            Form::Sub => Float::Sub(Box::new(self.float(next)), Box::new(self.float(next))),
            Form::Mul => Float::Mul(Box::new(self.float(next)), Box::new(self.float(next))),
            Form::Div => {
                let c = self.choices.decimal(1.0).abs() + 0.5;
                Float::Div(Box::new(self.float(next)), Box::new(self.float(next)), (c * 100.0).round() / 100.0)
            }
            Form::Rule => {
                let index = self.choices.index(rules::all().len());
                match rules::all().get(index).filter(|r| r.is_expression()) {
                    Some(rule) => {
                        let width = self.width().min(Width::F64);
                        let args = rule.domain.iter().map(|_| self.float(next)).collect();
                        let ints = rule.ints.iter().map(|(low, high)| self.choices.int(*low, *high)).collect();
                        Float::Rule(index, width, args, ints)
                    }
                    None => self.cell(false).map_or_else(|| decimal(self.choices), Float::Get),
                }
            }
            Form::Cast => {
                let width = if self.choices.chance(50) { Width::F32 } else { Width::F64 };
                Float::Cast(width, Box::new(self.float(next)))
            }
            Form::Select => {
                let cond = Box::new(self.cond(1));
                Float::Select(cond, Box::new(self.float(next)), Box::new(self.float(next)))
            }
            Form::Int => Float::Int(Box::new(self.int(1))),
        }
    }

    /// A cell that can be read, or written.
    pub(super) fn cell(&mut self, write: bool) -> Option<Place> {
        let candidates: Vec<(VarId, Kind, bool)> = self.visible().map(|(v, var)| (v, var.kind, var.readonly)).collect();
        let fits = |(_, kind, readonly): &&(VarId, Kind, bool)| {
            matches!(kind, Kind::Float(_) | Kind::Array(..) | Kind::Pointer(..) | Kind::Structs(..))
                && !(write && *readonly)
        };
        let mut fitting: Vec<(VarId, Kind, bool)> = candidates.iter().filter(fits).copied().collect();
        fitting.extend(self.own.iter().map(|(v, _)| (*v, self.f.vars[*v].kind, false)));
        let (v, kind, _) = self.choices.pick(&fitting)?;
        if let Some((_, index)) = self.own.iter().find(|(own, _)| *own == v) {
            return Some(Place::Elem(v, index.clone()));
        }
        Some(match kind {
            Kind::Float(_) => Place::Var(v),
            Kind::Structs(s, _) => {
                let at = self.index();
                let fields = &self.program.structs[s].fields;
                let floats: Vec<usize> = (0..fields.len()).filter(|i| fields[*i] != Field::Int).collect();
                let field = self.choices.pick(&floats)?;
                let sub = if matches!(fields[field], Field::Array(..)) { self.index() } else { Int::Const(0) };
                Place::Field(v, at, field, sub)
            }
            _ => Place::Elem(v, self.index()),
        })
    }

    /// An index: often a loop's counter.
    pub(super) fn index(&mut self) -> Int {
        let counters: Vec<VarId> = self
            .visible()
            .filter(|(_, var)| var.home == Home::Scoped && matches!(var.kind, Kind::Int(..)))
            .map(|(v, _)| v)
            .collect();
        match self.choices.pick(&counters) {
            Some(counter) if self.choices.chance(65) => {
                let i = Int::Var(counter);
                match self.choices.int(0, 9) {
                    0 | 1 => Int::Add(Box::new(i), Box::new(Int::Const(1))),
                    2 => Int::Sub(Box::new(Int::Const(3)), Box::new(i)),
                    3 => Int::Sub(Box::new(i), Box::new(Int::Const(1))),
                    _ => i,
                }
            }
            _ if self.choices.chance(55) => Int::Const(self.choices.int(0, 4)),
            _ => self.int(1),
        }
    }

    pub(super) fn int(&mut self, depth: u32) -> Int {
        let leaf = depth == 0 || self.choices.chance(50);
        if leaf {
            let mut all: Vec<(VarId, Kind)> = self.visible().map(|(v, var)| (v, var.kind)).collect();
            all.retain(|(_, kind)| match kind {
                Kind::Int(..) | Kind::Ints(..) => true,
                Kind::Structs(s, _) => self.program.structs[*s].fields.contains(&Field::Int),
                _ => false,
            });
            return match self.choices.pick(&all) {
                Some((v, Kind::Int(..))) => Int::Var(v),
                Some((v, Kind::Ints(..))) => Int::Elem(v, Box::new(Int::Const(self.choices.int(0, 4)))),
                Some((v, Kind::Structs(s, _))) => {
                    let field = self.program.structs[s].fields.iter().position(|f| *f == Field::Int).unwrap_or(0);
                    Int::Field(v, Box::new(Int::Const(self.choices.int(0, 2))), field)
                }
                _ => Int::Const(self.choices.int(0, 6)),
            };
        }
        let next = depth - 1;
        match self.choices.int(0, 7) {
            0 | 1 => Int::Add(Box::new(self.int(next)), Box::new(self.int(next))),
            2 => Int::Sub(Box::new(self.int(next)), Box::new(self.int(next))),
            3 => Int::Mul(Box::new(self.int(next)), Box::new(self.int(next))),
            4 => Int::Rem(Box::new(self.int(next)), self.choices.int(2, 5)),
            5 => Int::Of(Box::new(self.float(next)), self.choices.int(1, 4)),
            6 => {
                let cond = Box::new(self.cond(0));
                Int::Select(cond, Box::new(self.int(next)), Box::new(self.int(next)))
            }
            _ => match self.ints() {
                None if self.teams > 0 => Int::Const(0),
                table => Int::Elem(table.unwrap_or(0), Box::new(self.int(next))),
            },
        }
    }

    fn ints(&mut self) -> Option<VarId> {
        let all: Vec<VarId> =
            self.visible().filter(|(_, var)| matches!(var.kind, Kind::Ints(..))).map(|(v, _)| v).collect();
        self.choices.pick(&all)
    }

    pub(super) fn cond(&mut self, depth: u32) -> Cond {
        match self.choices.int(0, 9) {
            0..=3 => {
                let op = self.choices.pick(&["<", ">", "<=", ">="]).unwrap_or("<");
                Cond::Floats(op, Box::new(self.float(1)), Box::new(self.float(1)))
            }
            4..=6 => {
                let op = self.choices.pick(&["<", ">", "==", "!="]).unwrap_or("<");
                Cond::Ints(op, Box::new(self.int(1)), Box::new(self.int(0)))
            }
            _ if depth == 0 => Cond::Ints("<", Box::new(self.int(0)), Box::new(Int::Const(2))),
            7 => Cond::And(Box::new(self.cond(depth - 1)), Box::new(self.cond(depth - 1))),
            8 => Cond::Or(Box::new(self.cond(depth - 1)), Box::new(self.cond(depth - 1))),
            _ => Cond::Not(Box::new(self.cond(depth - 1))),
        }
    }

    /// The address of at least `room` cells of a width. What is written may not be constant memory, and a pointer
    /// meets constant and duplicated memory only as often as the odds say.
    pub(super) fn address(&mut self, width: Width, room: usize, write: bool) -> Option<Address> {
        let first = self.simple_address(width, room, write)?;
        if self.choices.chance(25)
            && let Some(second) = self.simple_address(width, room, write)
        {
            let of = |a: &Address| match a {
                Address::Of(v, _) => self.f.vars[*v].readonly,
                Address::Select(..) => false,
            };
            if of(&first) == of(&second) || self.choices.chance(self.odds.mixed_activity) {
                let cond = Box::new(self.cond(0));
                return Some(Address::Select(cond, Box::new(first), Box::new(second)));
            }
        }
        Some(first)
    }

    pub(super) fn simple_address(&mut self, width: Width, room: usize, write: bool) -> Option<Address> {
        let all: Vec<VarId> = self
            .visible()
            .filter(|(_, var)| match var.kind {
                Kind::Array(w, n) | Kind::Pointer(w, n) => w == width && n >= room && !(write && var.readonly),
                _ => false,
            })
            .map(|(v, _)| v)
            .collect();
        let v = self.choices.pick(&all)?;
        let at = if self.choices.chance(60) { Int::Const(0) } else { self.index() };
        Some(Address::Of(v, at))
    }
}
