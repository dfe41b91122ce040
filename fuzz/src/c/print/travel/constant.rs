//! Active numbers stored through a pointer that may lead to the memory of a plan, which the differentiated call marks
//! constant.
//!
//! What lies in constant memory has no derivative. Unless it is read again, the derivative is that of what is stored
//! elsewhere.

use super::Ends;
use crate::c::travel::{Chosen, Constant};

/// Stores three numbers.
const WRITTEN: &str = "static __attribute__((noinline)) void written(double *spot, double a, double b, double by) {
  spot[0] = 0.5 * a;
  spot[1] = 0.1 * a * b;
  spot[2] = 0.2 * by * b;
}";

/// The block of a store.
pub(super) fn lines(it: Constant, plan: &str, ends: &Ends, before: &mut Vec<String>) -> Vec<String> {
    let Ends { to, a, b, n } = ends;
    let mut out = vec!["double own[3] = {0.25, -0.5, 0.75}, acc = 0;".to_owned()];
    let stored = [
        format!("spot[0] = 0.5 * {a};"),
        format!("spot[1] = 0.1 * {a} * {b};"),
        format!("spot[2] = 0.2 * {plan}->table[1] * {b};"),
    ];
    let summed = |from: &str| format!("acc += 0.2 * ({from}[0] + {from}[1] - {from}[2] * {plan}->table[0]);");
    let from = if it.read { "spot" } else { "own" };
    let chosen: Vec<String> = match it.by {
        Chosen::Condition => vec![format!("double *spot = {n} > 2 ? {plan}->work : own;")],
        Chosen::Plan => vec![format!("double *spot = {plan}->which > {n} ? {plan}->work : own;")],
        Chosen::Table => vec![format!("double *spots[2] = {{own, {plan}->work}}, *spot = spots[{n} & 1];")],
        Chosen::Field => vec![
            format!("struct {{ double *spot; int tag; }} chosen = {{own, {n}}};"),
            format!("if (chosen.tag > 2) chosen.spot = {plan}->work;"),
            "double *spot = chosen.spot;".to_owned(),
        ],
        Chosen::Bytes => vec![
            format!("double *both[2] = {{own, {plan}->work}}, *spot;"),
            "char raw[sizeof both];".to_owned(),
            "memcpy(raw, both, sizeof both);".to_owned(),
            format!("memcpy(&spot, raw + ({n} & 1) * sizeof spot, sizeof spot);"),
        ],
        Chosen::Nothing => vec![format!("double *spot = {plan}->work;")],
        Chosen::Trip | Chosen::Swap | Chosen::Writer => Vec::new(),
    };
    out.extend(chosen);
    match it.by {
        Chosen::Trip => {
            out.push(format!("for (int c = 0; c < {n}; c++) {{"));
            out.push(format!("  double *spot = c & 1 ? {plan}->work : own;"));
            out.extend(stored.iter().map(|line| format!("  {line}")));
            out.push(format!("  acc *= 0.5, {}", summed(from)));
            out.push("}".to_owned());
        }
        Chosen::Swap => {
            out.push(format!("double *now = own, *next = {plan}->work;"));
            out.push(format!("for (int c = 0; c < {n}; c++) {{"));
            out.push("  double *spot = now;".to_owned());
            out.extend(stored.iter().map(|line| format!("  {line}")));
            out.push(format!("  acc *= 0.5, {}", summed(from)));
            out.push("  now = next, next = spot;".to_owned());
            out.push("}".to_owned());
        }
        Chosen::Writer => {
            before.push(WRITTEN.to_owned());
            out.push(format!("double *spot = {plan}->work;"));
            out.push(format!("written(spot, {a}, {b}, {plan}->table[1]);"));
            out.push(format!("if ({n} > 1) written(own, {b}, {a}, {plan}->table[2]);"));
            out.push(summed("own"));
            if it.read {
                out.push(summed("spot"));
            }
        }
        _ => {
            out.extend(stored);
            out.push(summed(from));
        }
    }
    out.push(format!("{to} = 0.4 * acc;"));
    out
}
