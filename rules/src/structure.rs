//! Whether a row is put together rightly: what can be said without evaluating anything.

use crate::expr::needs::Needs;
use crate::expr::{Cond, Expr};
use crate::row::{Operand, Row, Value};

/// Faults of construction, in words.
pub(crate) fn faults(row: &Row) -> Vec<String> {
    let mut faults = Vec::new();
    let floats = row.float_positions().count();
    let ints = row.int_positions().count();
    let active: Vec<usize> = row.active_operands().collect();
    if row.source.is_empty() {
        faults.push("no source is cited".into());
    }
    for (index, output) in row.outputs.iter().enumerate() {
        let Value::Float { definition, partials } = &output.value else { continue };
        let order: Vec<usize> = partials.iter().map(|partial| partial.operand).collect();
        if order != active {
            faults.push(format!("output {index} has partials by {order:?}, active operands are {active:?}"));
        }
        for partial in partials {
            expression(&partial.expr, floats, ints, true, &mut faults);
            condition(&partial.smooth, floats, ints, &mut faults);
        }
        if let Some(definition) = definition {
            expression(definition, floats, ints, false, &mut faults);
        }
    }
    for region in &row.regions {
        if region.x.len() != floats || region.n.len() != ints {
            faults.push("a region has the wrong number of operands".into());
        }
    }
    for convention in &row.conventions {
        condition(&convention.when, floats, ints, &mut faults);
        let misfit = convention.points.iter().any(|point| point.len() != floats) || convention.ints.len() != ints;
        if misfit || convention.points.is_empty() {
            faults.push("a convention has no points or the wrong number of operands".into());
        }
    }
    faults
}

fn expression(expr: &Expr, floats: usize, ints: usize, result: bool, faults: &mut Vec<String>) {
    bounds(expr.needs(), floats, ints, result, faults);
    calls(expr, faults);
}

fn condition(condition: &Cond, floats: usize, ints: usize, faults: &mut Vec<String>) {
    bounds(condition.needs(), floats, ints, true, faults);
    calls_of_condition(condition, faults);
}

fn bounds(needs: Needs, floats: usize, ints: usize, result: bool, faults: &mut Vec<String>) {
    if needs.inputs >> floats != 0 || needs.ints >> ints != 0 || needs.result && !result {
        faults.push("an expression reads an operand that does not exist".into());
    }
}

/// A call must pass as many operands as the called row has, and the row must be a plain function.
fn calls(expr: &Expr, faults: &mut Vec<String>) {
    match expr {
        Expr::X(_) | Expr::N(_) | Expr::Y | Expr::Const(_) => {}
        Expr::Neg(a) => calls(a, faults),
        Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Mul(a, b) | Expr::Div(a, b) => {
            calls(a, faults);
            calls(b, faults);
        }
        Expr::Call { op, ints, args } => {
            let callee = op.row();
            let plain = callee.returns_only()
                && callee.operands.iter().all(|operand| operand.is_float() || *operand == Operand::Integer)
                && matches!(callee.outputs[0].value, Value::Float { .. });
            if !plain || callee.float_positions().count() != args.len() || callee.int_positions().count() != ints.len()
            {
                faults.push(format!("a call of {} does not fit its row", op.name()));
            }
            args.iter().for_each(|arg| calls(arg, faults));
        }
        Expr::Helper(helper, args) => {
            if args.len() != 1 {
                faults.push(format!("{} takes one argument", helper.name()));
            }
            args.iter().for_each(|arg| calls(arg, faults));
        }
        Expr::Select(condition, a, b) => {
            calls_of_condition(condition, faults);
            calls(a, faults);
            calls(b, faults);
        }
    }
}

fn calls_of_condition(condition: &Cond, faults: &mut Vec<String>) {
    match condition {
        Cond::True => {}
        Cond::Lt(a, b) | Cond::Le(a, b) | Cond::Eq(a, b) => {
            calls(a, faults);
            calls(b, faults);
        }
        Cond::IsNan(a) => calls(a, faults),
        Cond::Not(a) => calls_of_condition(a, faults),
        Cond::And(a, b) | Cond::Or(a, b) => {
            calls_of_condition(a, faults);
            calls_of_condition(b, faults);
        }
    }
}
