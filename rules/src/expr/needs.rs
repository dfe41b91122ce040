//! Free variables of an expression: what the reverse pass must still have at hand to evaluate a partial.
//!
//! The cache planner reads this instead of a declaration, so it cannot be out of date.

use super::{Cond, Expr};

/// The operands and the result an expression reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Bit i: the i-th floating-point operand.
    pub inputs: u32,
    /// Bit j: the j-th integer operand.
    pub ints: u32,
    /// The result.
    pub result: bool,
}

impl Needs {
    /// Whether the i-th floating-point operand is read.
    pub fn input(&self, i: usize) -> bool {
        self.inputs >> i & 1 == 1
    }

    /// Whether the j-th integer operand is read.
    pub fn int(&self, j: usize) -> bool {
        self.ints >> j & 1 == 1
    }

    /// Whether nothing is read: a constant.
    pub fn is_empty(&self) -> bool {
        *self == Needs::default()
    }

    fn add_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::X(i) => self.inputs |= 1 << i,
            Expr::N(integer) => self.add_int(integer.operand),
            Expr::Y => self.result = true,
            Expr::Const(_) => {}
            Expr::Neg(a) => self.add_expr(a),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) => {
                self.add_expr(a);
                self.add_expr(b);
            }
            Expr::Call { op: _, ints, args } => {
                ints.iter().for_each(|integer| self.add_int(integer.operand));
                args.iter().for_each(|arg| self.add_expr(arg));
            }
            Expr::Helper(_, args) => args.iter().for_each(|arg| self.add_expr(arg)),
            Expr::Select(condition, a, b) => {
                self.add_cond(condition);
                self.add_expr(a);
                self.add_expr(b);
            }
        }
    }

    fn add_int(&mut self, operand: Option<usize>) {
        if let Some(j) = operand {
            self.ints |= 1 << j;
        }
    }

    fn add_cond(&mut self, condition: &Cond) {
        match condition {
            Cond::True => {}
            Cond::Lt(a, b) | Cond::Le(a, b) | Cond::Eq(a, b) => {
                self.add_expr(a);
                self.add_expr(b);
            }
            Cond::IsNan(a) => self.add_expr(a),
            Cond::Not(a) => self.add_cond(a),
            Cond::And(a, b) | Cond::Or(a, b) => {
                self.add_cond(a);
                self.add_cond(b);
            }
        }
    }
}

impl Expr {
    /// The free variables of the expression.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        needs.add_expr(self);
        needs
    }

    /// Whether this is a polynomial of the operands: a partial that is finite wherever they are (but for overflow).
    pub fn is_polynomial(&self) -> bool {
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Const(_) => true,
            Expr::Neg(a) => a.is_polynomial(),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) => a.is_polynomial() && b.is_polynomial(),
            Expr::Y | Expr::Div(..) | Expr::Call { .. } | Expr::Helper(..) | Expr::Select(..) => false,
        }
    }

    /// Whether this is finite wherever the operands are (but for overflow): a polynomial, or one of several constants.
    pub fn is_finite_of_finite(&self) -> bool {
        self.is_polynomial() || self.is_choice_of_constants()
    }

    /// Whether this is one of several constants, whatever the operands are.
    fn is_choice_of_constants(&self) -> bool {
        match self {
            Expr::Const(_) => true,
            Expr::Neg(a) => a.is_choice_of_constants(),
            Expr::Select(_, a, b) => a.is_choice_of_constants() && b.is_choice_of_constants(),
            _ => false,
        }
    }

    /// Whether a condition chooses between two expressions.
    pub fn chooses(&self) -> bool {
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => false,
            Expr::Neg(a) => a.chooses(),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) => a.chooses() || b.chooses(),
            Expr::Call { args, .. } | Expr::Helper(_, args) => args.iter().any(Expr::chooses),
            Expr::Select(..) => true,
        }
    }

    /// Whether another operation of the table is called.
    pub fn calls(&self) -> bool {
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => false,
            Expr::Neg(a) => a.calls(),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) | Expr::Select(_, a, b) => {
                a.calls() || b.calls()
            }
            Expr::Call { .. } | Expr::Helper(..) => true,
        }
    }

    /// Whether a [`crate::helper::Helper`] is called.
    pub fn has_helper(&self) -> bool {
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => false,
            Expr::Helper(..) => true,
            Expr::Neg(a) => a.has_helper(),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) | Expr::Select(_, a, b) => {
                a.has_helper() || b.has_helper()
            }
            Expr::Call { args, .. } => args.iter().any(Expr::has_helper),
        }
    }

    /// Whether there is a product in it.
    pub fn multiplies(&self) -> bool {
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => false,
            Expr::Mul(..) => true,
            Expr::Neg(a) => a.multiplies(),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Div(a, b) | Expr::Select(_, a, b) => {
                a.multiplies() || b.multiplies()
            }
            Expr::Call { args, .. } | Expr::Helper(_, args) => args.iter().any(Expr::multiplies),
        }
    }

    /// Whether this is the constant 0: a partial that never contributes.
    pub fn is_zero(&self) -> bool {
        matches!(self, Expr::Const(super::Const::Ratio(0, _)))
    }

    /// Whether this is the constant 1.
    pub fn is_one(&self) -> bool {
        matches!(self, Expr::Const(super::Const::Ratio(p, q)) if p == q)
    }
}

impl Cond {
    /// The free variables of the condition.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        needs.add_cond(self);
        needs
    }
}
