//! An expression with some of its parts replaced.

use super::{Cond, Expr};
use std::sync::Arc;

impl Expr {
    /// The expression in which each outermost part that `part` answers for is what it answers.
    pub fn rewritten(&self, part: &mut impl FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(new) = part(self) {
            return new;
        }
        let mut again = |e: &Expr| Arc::new(e.rewritten(part));
        match self {
            Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => self.clone(),
            Expr::Neg(a) => Expr::Neg(again(a)),
            Expr::Add(a, b) => Expr::Add(again(a), again(b)),
            Expr::Sub(a, b) => Expr::Sub(again(a), again(b)),
            Expr::Mul(a, b) => Expr::Mul(again(a), again(b)),
            Expr::Div(a, b) => Expr::Div(again(a), again(b)),
            Expr::Call { op, ints, args } => {
                let args = args.iter().map(|a| a.rewritten(part)).collect();
                Expr::Call { op: *op, ints: ints.clone(), args }
            }
            Expr::Helper(helper, args) => Expr::Helper(*helper, args.iter().map(|a| a.rewritten(part)).collect()),
            Expr::Select(cond, a, b) => {
                let cond = Arc::new(cond.rewritten(part));
                Expr::Select(cond, Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part)))
            }
        }
    }
}

impl Cond {
    fn rewritten(&self, part: &mut impl FnMut(&Expr) -> Option<Expr>) -> Cond {
        match self {
            Cond::True => Cond::True,
            Cond::Lt(a, b) => Cond::Lt(Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part))),
            Cond::Le(a, b) => Cond::Le(Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part))),
            Cond::Eq(a, b) => Cond::Eq(Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part))),
            Cond::IsNan(a) => Cond::IsNan(Arc::new(a.rewritten(part))),
            Cond::Not(c) => Cond::Not(Arc::new(c.rewritten(part))),
            Cond::And(a, b) => Cond::And(Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part))),
            Cond::Or(a, b) => Cond::Or(Arc::new(a.rewritten(part)), Arc::new(b.rewritten(part))),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::build::{apply, one, when, x, y};
    use crate::table::op::Op;

    #[test]
    fn parts_are_replaced_wherever_they_stand() {
        let sine = || apply(Op::Sin, [x(0)]);
        let whole = when(sine().lt(one()), -sine() / y(), apply(Op::Exp, [sine()]));
        let replaced = whole.rewritten(&mut |part| (*part == sine()).then(|| x(1)));
        assert_eq!(replaced, when(x(1).lt(one()), -x(1) / y(), apply(Op::Exp, [x(1)])));
        assert!(replaced.needs().input(1) && !replaced.needs().input(0));
    }
}
