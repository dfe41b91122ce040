//! Rules of the program that need themselves: a recursion without end.
//!
//! A rule (the augmented forward, the reverse or the tangent that the program gives for a function) may ask for
//! derivatives. If it does so on every way through it, and the derivative it asks for is again given by rules that do,
//! and so on until the first function comes back, then no execution ends. Only what is certain is refused: a request on
//! some ways alone may end the recursion.

use crate::error::{Diagnostic, Reason};
use crate::program::attributes;
use crate::request::autodiff::Request;
use ir::cfg::Cfg;
use ir::dom::DomTree;
use ir::{FuncId, InstId, InstKind, Module};

/// A function and the direction of a derivative of it.
type Asked = (FuncId, bool);

/// Takes away the requests that are part of such a recursion; says why.
pub fn rules(m: &Module, requests: &mut Vec<Request>) -> Vec<(FuncId, InstId, Diagnostic)> {
    let asked = |r: &Request| (r.primal, r.mode.is_forward());
    let certain: Vec<(FuncId, Asked)> =
        requests.iter().filter(|r| on_every_way(m, r.caller, r.site)).map(|r| (r.caller, asked(r))).collect();
    let mut refused = Vec::new();
    requests.retain(|r| {
        if !needs(m, &certain, asked(r), r.caller) {
            return true;
        }
        let (f, rule) = (&m.functions[r.primal], &m.functions[r.caller]);
        let message = format!(
            "the derivative of `{}` is given by the program, and asking for it in `{}` leads to `{}` again, without \
             end: a rule is written with what is differentiated without it",
            f.name, rule.name, rule.name
        );
        refused.push((r.caller, r.site, Diagnostic::at(m, rule, r.site, Reason::Misuse, message)));
        false
    });
    refused
}

/// Does carrying out this derivative certainly execute the function `wanted`?
fn needs(m: &Module, certain: &[(FuncId, Asked)], from: Asked, wanted: FuncId) -> bool {
    let (mut seen, mut work) = (vec![from], vec![from]);
    while let Some((f, forward)) = work.pop() {
        let func = &m.functions[f];
        let rules = match forward {
            true => attributes::derivative(m, func).into_iter().collect(),
            false => attributes::gradient(m, func).map_or(Vec::new(), |(augmented, reverse)| vec![augmented, reverse]),
        };
        if rules.contains(&wanted) {
            return true;
        }
        for (_, next) in certain.iter().filter(|(caller, _)| rules.contains(caller)) {
            if !seen.contains(next) {
                seen.push(*next);
                work.push(*next);
            }
        }
    }
    false
}

/// Does every execution of the function that returns pass this instruction?
fn on_every_way(m: &Module, func: FuncId, inst: InstId) -> bool {
    let func = &m.functions[func];
    let cfg = Cfg::new(func);
    let tree = DomTree::new(func, &cfg);
    let Some((block, _)) = func.inst_order().find(|(_, i)| *i == inst) else { return false };
    func.inst_order().all(|(b, i)| !matches!(func.insts[i].kind, InstKind::Ret(_)) || tree.dominates(block, b))
}
