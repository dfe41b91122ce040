//! Expressions: values scaled to a bound, integers brought into a range, arguments mapped into a domain.

use super::{Printer, constant};
use crate::c::ast::{Address, BOUND, Cond, Field, Float, Home, Int, Kind, Place, Width};
use crate::c::range;
use crate::c::rules::{self, Callable, Shape};
use crate::c::ways::VarId;

impl Printer<'_> {
    /// A number of at most this size. A mere copy of a cell is left as it is.
    pub(super) fn bounded(&mut self, e: &Float, width: Width, limit: f64) -> String {
        let size = range::size(self.program, self.f, e);
        let copied = matches!(e, Float::Get(_)) && limit * 2.0 >= BOUND;
        let text = self.float(e);
        if size <= limit || copied {
            return text;
        }
        let width = self.natural(e).unwrap_or(width);
        format!("{} * {text}", constant(rounded_down(limit / size), width))
    }

    /// The widest format among the cells of an expression.
    fn natural(&self, e: &Float) -> Option<Width> {
        match e {
            Float::Const(_) | Float::Int(_) => None,
            Float::Get(place) => Some(self.place_width(place)),
            Float::Rule(_, width, ..) => Some((*width).min(Width::F64)),
            Float::Cast(width, _) => Some(*width),
            Float::Neg(a) => self.natural(a),
            Float::Add(a, b) | Float::Sub(a, b) | Float::Mul(a, b) | Float::Div(a, b, _) | Float::Select(_, a, b) => {
                self.natural(a).max(self.natural(b))
            }
        }
    }

    /// The format of a cell.
    pub(super) fn place_width(&self, place: &Place) -> Width {
        match place {
            Place::Var(v) | Place::Elem(v, _) => match self.f.vars[*v].kind {
                Kind::Float(w) | Kind::Array(w, _) | Kind::Pointer(w, _) => w,
                _ => Width::F64,
            },
            Place::Field(v, _, field, _) => match self.field(*v, *field) {
                Some(Field::Float(w) | Field::Array(w, _)) => w,
                _ => Width::F64,
            },
        }
    }

    fn field(&self, v: VarId, field: usize) -> Option<Field> {
        let Kind::Structs(s, _) = self.f.vars[v].kind else { return None };
        self.program.structs.get(s)?.fields.get(field).copied()
    }

    /// An expression, with parentheses where it has operators.
    pub(super) fn float(&mut self, e: &Float) -> String {
        let width = self.natural(e).unwrap_or(Width::F64);
        self.float_at(e, width)
    }

    fn float_at(&mut self, e: &Float, width: Width) -> String {
        match e {
            Float::Const(c) => constant(*c, width),
            Float::Get(place) => self.place(place),
            Float::Neg(a) => format!("(-{})", self.float_at(a, width)),
            Float::Add(a, b) => format!("({} + {})", self.float_at(a, width), self.float_at(b, width)),
            Float::Sub(a, b) => format!("({} - {})", self.float_at(a, width), self.float_at(b, width)),
            Float::Mul(a, b) => format!("({} * {})", self.float_at(a, width), self.float_at(b, width)),
            Float::Div(a, b, c) => {
                let (a, b) = (self.float_at(a, width), self.float_at(b, width));
                format!("({a} / ({} + {b} * {b}))", constant(*c, width))
            }
            Float::Rule(rule, at, args, ints) => match rules::all().get(*rule) {
                Some(rule) => {
                    let args = self.arguments(rule, *at, args);
                    self.prototypes.insert(rule.prototype(*at));
                    let int = ints.first().copied().unwrap_or(0);
                    let list = match rule.shape {
                        Shape::IntLast(_) => format!("{}, {int}", args.join(", ")),
                        Shape::IntFirst => format!("{int}, {}", args.join(", ")),
                        _ => args.join(", "),
                    };
                    format!("{}({list})", rule.name(*at))
                }
                None => constant(0.5, width),
            },
            Float::Cast(to, a) => format!("({}){}", to.c(), self.float(a)),
            Float::Select(c, a, b) => {
                let c = self.cond(c);
                format!("({c} ? {} : {})", self.float_at(a, width), self.float_at(b, width))
            }
            Float::Int(i) => format!("({}){}", width.c(), self.int(i)),
        }
    }

    /// Arguments in the domain of a function.
    pub(super) fn arguments(&mut self, rule: &Callable, width: Width, args: &[Float]) -> Vec<String> {
        let half = Float::Const(0.5);
        let domain = rule.domain.iter().enumerate();
        domain.map(|(i, (low, high))| self.mapped(args.get(i).unwrap_or(&half), (*low, *high), width)).collect()
    }

    /// A number mapped into an interval: as it is where it fits, else by an affine map with short constants.
    fn mapped(&mut self, e: &Float, (low, high): (f64, f64), width: Width) -> String {
        let size = range::size(self.program, self.f, e);
        let (middle, half) = (f64::midpoint(low, high), (high - low) / 2.0);
        if half <= 0.0 {
            return constant(low, width);
        }
        if let Float::Const(c) = e {
            return constant(if (low..=high).contains(c) { *c } else { rounded(middle) }, width);
        }
        let wide = self.natural(e).unwrap_or(width);
        let text = self.float(e);
        if -size >= low && size <= high {
            return text;
        }
        // The rounded middle is off by less than a twentieth of the half.
        let scaled = format!("{} * {text}", constant(rounded_down(0.9 * half / size.max(1e-3)), wide));
        if middle.abs() < 1e-9 { scaled } else { format!("{} + {scaled}", constant(rounded(middle), wide)) }
    }

    /// A cell.
    pub(super) fn place(&mut self, place: &Place) -> String {
        match place {
            Place::Var(v) => self.name(*v),
            Place::Elem(v, at) => {
                let len = match self.f.vars[*v].kind {
                    Kind::Array(_, n) | Kind::Pointer(_, n) => n,
                    _ => 1,
                };
                format!("{}[{}]", self.name(*v), self.below(at, len as i64))
            }
            Place::Field(v, at, field, sub) => {
                let mut text = format!("{}m{field}", self.structure(*v, at));
                if let Some(Field::Array(_, n)) = self.field(*v, *field) {
                    text = format!("{text}[{}]", self.below(sub, n as i64));
                }
                text
            }
        }
    }

    /// A structure, ready for a field's name.
    fn structure(&mut self, v: VarId, at: &Int) -> String {
        let whole = self.whole(v, at);
        match whole.strip_prefix('*') {
            Some(pointer) => format!("{pointer}->"),
            None => format!("{whole}."),
        }
    }

    /// A structure as a whole.
    pub(super) fn whole(&mut self, v: VarId, at: &Int) -> String {
        let Kind::Structs(_, len) = self.f.vars[v].kind else { return self.name(v) };
        match (len, self.f.vars[v].home) {
            (1, Home::Param) => format!("*{}", self.name(v)),
            (1, _) => self.name(v),
            _ => format!("{}[{}]", self.name(v), self.below(at, len as i64)),
        }
    }

    /// An integer field.
    pub(super) fn int_field(&mut self, v: VarId, at: &Int, field: usize) -> String {
        format!("{}m{field}", self.structure(v, at))
    }

    /// An integer.
    pub(super) fn int(&mut self, e: &Int) -> String {
        match e {
            Int::Const(c) if *c < 0 => format!("({c})"),
            Int::Const(c) => c.to_string(),
            Int::Var(v) => self.name(*v),
            Int::Elem(v, at) => {
                let Kind::Ints(len, ..) = self.f.vars[*v].kind else { return "0".to_owned() };
                format!("{}[{}]", self.name(*v), self.below(at, len as i64))
            }
            Int::Field(v, at, field) => self.int_field(*v, at, *field),
            Int::Add(a, b) => format!("({} + {})", self.int(a), self.int(b)),
            Int::Sub(a, b) => format!("({} - {})", self.int(a), self.int(b)),
            Int::Mul(a, b) => format!("({} * {})", self.int(a), self.int(b)),
            Int::Rem(a, m) => format!("({} % {m})", self.int(a)),
            Int::Of(a, k) => format!("(int)({k} * {})", self.float(a)),
            Int::Select(c, a, b) => {
                let c = self.cond(c);
                format!("({c} ? {} : {})", self.int(a), self.int(b))
            }
        }
    }

    /// An integer brought below a count.
    pub(super) fn below(&mut self, e: &Int, count: i64) -> String {
        if count <= 1 {
            return "0".to_owned();
        }
        if let Int::Const(c) = e {
            return c.rem_euclid(count).to_string();
        }
        let (low, high) = range::range(self.program, self.f, e);
        let text = self.int(e);
        if low >= 0 && high < count {
            text.strip_prefix('(')
                .and_then(|t| t.strip_suffix(')'))
                .filter(|t| !t.contains(['(', ')']))
                .map_or_else(|| text.clone(), str::to_owned)
        } else if low >= 0 {
            format!("{text} % {count}")
        } else {
            format!("({text} % {count} + {count}) % {count}")
        }
    }

    /// An integer brought into a range.
    pub(super) fn within(&mut self, e: &Int, low: i64, high: i64) -> String {
        let (l, h) = range::range(self.program, self.f, e);
        if l >= low && h <= high {
            return self.int(e);
        }
        let below = self.below(e, high - low + 1);
        match low {
            0 => below,
            low => format!("{low} + ({below})"),
        }
    }

    /// A condition, in parentheses where it needs them.
    pub(super) fn cond(&mut self, c: &Cond) -> String {
        match c {
            Cond::Floats(op, a, b) => format!("{} {op} {}", self.float(a), self.float(b)),
            Cond::Ints(op, a, b) => format!("{} {op} {}", self.int(a), self.int(b)),
            Cond::And(a, b) => format!("({}) && ({})", self.cond(a), self.cond(b)),
            Cond::Or(a, b) => format!("({}) || ({})", self.cond(a), self.cond(b)),
            Cond::Not(a) => format!("!({})", self.cond(a)),
        }
    }

    /// An address with room for `room` cells.
    pub(super) fn address(&mut self, a: &Address, room: usize) -> String {
        match a {
            Address::Of(v, at) => {
                let len = match self.f.vars[*v].kind {
                    Kind::Array(_, n) | Kind::Pointer(_, n) => n,
                    _ => 1,
                };
                let places = (len + 1).saturating_sub(room) as i64;
                let at = self.below(at, places);
                let name = self.name(*v);
                match at.as_str() {
                    "0" => name,
                    sum if sum.contains(' ') => format!("{name} + ({sum})"),
                    word => format!("{name} + {word}"),
                }
            }
            Address::Select(c, a, b) => {
                let c = self.cond(c);
                format!("({c} ? {} : {})", self.address(a, room), self.address(b, room))
            }
        }
    }
}

/// Two digits, not above.
fn rounded_down(x: f64) -> f64 {
    let unit = 10f64.powf(x.log10().floor() - 1.0);
    let text = format!("{:.1e}", (x / unit).floor() * unit);
    text.parse().unwrap_or(x)
}

/// Three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_short_and_not_above() {
        for x in [0.123_456, 0.999, 3.0, 1e-7, 0.05, 12.3] {
            let r = rounded_down(x);
            assert!(r <= x * (1.0 + 1e-12) && r > 0.89 * x && format!("{r:?}").len() <= 7, "{x}: {r:?}");
        }
    }
}
