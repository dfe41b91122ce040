//! Text and LaTeX of expressions: the same tree that is evaluated and emitted.

use super::{Cond, Const, Expr, IntExpr};
use std::fmt::{self, Display, Formatter};

/// Binding strength of the outermost operator, for parentheses.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Sum,
    Product,
    Unary,
    Atom,
}

fn level(expr: &Expr) -> Level {
    match expr {
        Expr::Add(..) | Expr::Sub(..) => Level::Sum,
        Expr::Mul(..) | Expr::Div(..) => Level::Product,
        Expr::Neg(_) => Level::Unary,
        Expr::Const(Const::Ratio(_, q)) if *q != 1 => Level::Product,
        Expr::Const(Const::Ratio(p, _)) if *p < 0 => Level::Unary,
        Expr::N(integer) if integer.operand.is_some() && integer.offset != 0 => Level::Sum,
        Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) | Expr::Call { .. } | Expr::Helper(..) => Level::Atom,
        Expr::Select(..) => Level::Atom,
    }
}

/// The expression, in parentheses when it binds less than `at_least`.
fn nested(f: &mut Formatter<'_>, expr: &Expr, at_least: Level) -> fmt::Result {
    if level(expr) < at_least { write!(f, "({expr})") } else { write!(f, "{expr}") }
}

fn list<T: Display>(f: &mut Formatter<'_>, items: &[T], mut separator: &'static str) -> fmt::Result {
    for item in items {
        write!(f, "{separator}{item}")?;
        separator = ", ";
    }
    Ok(())
}

impl Display for Const {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Const::Ratio(p, 1) => write!(f, "{p}"),
            Const::Ratio(p, q) => write!(f, "{p}/{q}"),
            Const::Pi => write!(f, "π"),
            Const::Ln2 => write!(f, "ln2"),
            Const::Ln10 => write!(f, "ln10"),
            Const::TwoOverSqrtPi => write!(f, "2/√π"),
        }
    }
}

impl Display for IntExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(j) = self.operand else { return write!(f, "{}", self.offset) };
        write!(f, "{}n{j}", if self.sign < 0 { "-" } else { "" })?;
        match self.offset {
            0 => Ok(()),
            k if k < 0 => write!(f, " - {}", -k),
            k => write!(f, " + {k}"),
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::X(i) => write!(f, "x{i}"),
            Expr::N(integer) => write!(f, "{integer}"),
            Expr::Y => write!(f, "y"),
            Expr::Const(constant) => write!(f, "{constant}"),
            Expr::Neg(a) => {
                write!(f, "-")?;
                nested(f, a, Level::Unary)
            }
            Expr::Add(a, b) => infix(f, a, " + ", b, Level::Sum, Level::Sum),
            Expr::Sub(a, b) => infix(f, a, " - ", b, Level::Sum, Level::Product),
            Expr::Mul(a, b) => infix(f, a, "·", b, Level::Product, Level::Unary),
            Expr::Div(a, b) => infix(f, a, " / ", b, Level::Product, Level::Unary),
            Expr::Call { op, ints, args } => {
                write!(f, "{}(", op.name().to_lowercase())?;
                list(f, ints, "")?;
                list(f, args, if ints.is_empty() { "" } else { ", " })?;
                write!(f, ")")
            }
            Expr::Helper(helper, args) => {
                write!(f, "{}(", helper.name())?;
                list(f, args, "")?;
                write!(f, ")")
            }
            Expr::Select(condition, a, b) => write!(f, "[{condition} ? {a} : {b}]"),
        }
    }
}

fn infix(f: &mut Formatter<'_>, a: &Expr, symbol: &str, b: &Expr, left: Level, right: Level) -> fmt::Result {
    nested(f, a, left)?;
    write!(f, "{symbol}")?;
    nested(f, b, right)
}

impl Display for Cond {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Cond::True => write!(f, "everywhere"),
            Cond::Lt(a, b) => write!(f, "{a} < {b}"),
            Cond::Le(a, b) => write!(f, "{a} ≤ {b}"),
            Cond::Eq(a, b) => write!(f, "{a} = {b}"),
            Cond::IsNan(a) => write!(f, "isnan({a})"),
            Cond::Not(inner) => match &**inner {
                Cond::Eq(a, b) => write!(f, "{a} ≠ {b}"),
                _ => write!(f, "not ({inner})"),
            },
            Cond::And(a, b) => {
                operand_of_and(f, a)?;
                write!(f, " and ")?;
                operand_of_and(f, b)
            }
            Cond::Or(a, b) => write!(f, "{a} or {b}"),
        }
    }
}

fn operand_of_and(f: &mut Formatter<'_>, condition: &Cond) -> fmt::Result {
    if matches!(condition, Cond::Or(..)) { write!(f, "({condition})") } else { write!(f, "{condition}") }
}

impl Expr {
    /// The expression in LaTeX (math mode).
    pub fn latex(&self) -> String {
        let group = |expr: &Expr, at_least| {
            let text = expr.latex();
            if level(expr) < at_least { format!("\\left({text}\\right)") } else { text }
        };
        match self {
            Expr::X(i) => format!("x_{{{i}}}"),
            Expr::N(integer) => latex_int(integer),
            Expr::Y => "y".into(),
            Expr::Const(constant) => constant.latex(),
            Expr::Neg(a) => format!("-{}", group(a, Level::Unary)),
            Expr::Add(a, b) => format!("{} + {}", a.latex(), b.latex()),
            Expr::Sub(a, b) => format!("{} - {}", a.latex(), group(b, Level::Product)),
            Expr::Mul(a, b) => format!("{}\\,{}", group(a, Level::Product), group(b, Level::Unary)),
            Expr::Div(a, b) => format!("\\frac{{{}}}{{{}}}", a.latex(), b.latex()),
            Expr::Call { op, ints, args } => {
                let arguments: Vec<String> = ints.iter().map(latex_int).chain(args.iter().map(Expr::latex)).collect();
                format!("\\operatorname{{{}}}\\left({}\\right)", op.name().to_lowercase(), arguments.join(", "))
            }
            Expr::Helper(helper, args) => {
                let arguments: Vec<String> = args.iter().map(Expr::latex).collect();
                format!(
                    "\\operatorname{{{}}}\\left({}\\right)",
                    helper.name().replace('_', "\\_"),
                    arguments.join(", ")
                )
            }
            Expr::Select(condition, a, b) => {
                format!(
                    "\\begin{{cases}}{} & {}\\\\{} & \\text{{else}}\\end{{cases}}",
                    a.latex(),
                    condition.latex(),
                    b.latex()
                )
            }
        }
    }
}

fn latex_int(integer: &IntExpr) -> String {
    match integer.operand {
        Some(j) => integer.to_string().replace(&format!("n{j}"), &format!("n_{{{j}}}")),
        None => integer.offset.to_string(),
    }
}

impl Const {
    /// The constant in LaTeX.
    pub fn latex(&self) -> String {
        match self {
            Const::Ratio(p, 1) => p.to_string(),
            Const::Ratio(p, q) => format!("\\tfrac{{{p}}}{{{q}}}"),
            Const::Pi => "\\pi".into(),
            Const::Ln2 => "\\ln 2".into(),
            Const::Ln10 => "\\ln 10".into(),
            Const::TwoOverSqrtPi => "\\tfrac{2}{\\sqrt{\\pi}}".into(),
        }
    }
}

impl Cond {
    /// The condition in LaTeX (math mode).
    pub fn latex(&self) -> String {
        match self {
            Cond::True => "\\text{everywhere}".into(),
            Cond::Lt(a, b) => format!("{} < {}", a.latex(), b.latex()),
            Cond::Le(a, b) => format!("{} \\le {}", a.latex(), b.latex()),
            Cond::Eq(a, b) => format!("{} = {}", a.latex(), b.latex()),
            Cond::IsNan(a) => format!("\\operatorname{{isnan}}\\left({}\\right)", a.latex()),
            Cond::Not(inner) => format!("\\lnot\\left({}\\right)", inner.latex()),
            Cond::And(a, b) => format!("\\left({}\\right) \\land \\left({}\\right)", a.latex(), b.latex()),
            Cond::Or(a, b) => format!("{} \\lor {}", a.latex(), b.latex()),
        }
    }
}
