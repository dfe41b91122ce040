//! Terms of a path: what they are made of, what is known of it, and their derivative by reverse accumulation.

use crate::exec::Exec;
use crate::term::{Node, Term, Terms};
use rules::Op;
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(super) fn assumed(terms: &mut Terms, taken: &[(Term, bool)]) -> Vec<Term> {
    taken.iter().map(|&(condition, decision)| if decision { condition } else { terms.not(condition) }).collect()
}

/// What is known of the roots and atoms that some terms mention.
pub(super) fn known_facts(exec: &mut Exec<'_>, of: &[Term]) -> Vec<Term> {
    let (mut facts, mut open) = (Vec::new(), of.to_vec());
    let mut seen = BTreeSet::new();
    while let Some(term) = open.pop() {
        for variable in variables(&exec.terms, term) {
            if !seen.insert(variable) {
                continue;
            }
            let terms = &mut exec.terms;
            let (zero, one) = (terms.number(0), terms.number(1));
            if let Some(&operand) = exec.roots.get(&variable) {
                let square = terms.mul(variable, variable);
                facts.push(terms.equal(square, operand));
                facts.push(terms.at_most(zero, variable));
                open.push(operand);
            }
            let Some(atom) = exec.atoms.get(&variable) else { continue };
            match atom.op {
                Op::Exp | Op::Exp2 | Op::Exp10 => facts.push(terms.positive(variable)),
                Op::Cosh => facts.push(terms.at_most(one, variable)),
                Op::Hypot => {
                    let squares = [atom.args[0], atom.args[1]].map(|arg| terms.mul(arg, arg));
                    let (sum, square) = (terms.add(squares[0], squares[1]), terms.mul(variable, variable));
                    facts.push(terms.equal(square, sum));
                    facts.push(terms.at_most(zero, variable));
                }
                _ => {}
            }
        }
    }
    facts
}

pub(super) fn reachable(terms: &Terms, of: &[Term]) -> BTreeSet<Term> {
    let (mut seen, mut open) = (BTreeSet::new(), of.to_vec());
    while let Some(term) = open.pop() {
        if seen.insert(term) {
            open.extend(terms.node(term).children());
        }
    }
    seen
}

pub(super) fn mentions_atoms(exec: &Exec<'_>, facts: &[Term], goal: Term) -> bool {
    let all: Vec<Term> = facts.iter().copied().chain([goal]).collect();
    reachable(&exec.terms, &all).iter().any(|term| exec.atoms.contains_key(term))
}

pub(super) fn size(terms: &Terms, of: &[Term]) -> usize {
    reachable(terms, of).len()
}

pub(super) fn variables(terms: &Terms, of: Term) -> Vec<Term> {
    reachable(terms, &[of]).into_iter().filter(|term| matches!(terms.node(*term), Node::Variable(_))).collect()
}

/// What is divided by in some terms.
pub(super) fn divisors(terms: &Terms, of: &[Term]) -> BTreeSet<Term> {
    let divisor = |term| match *terms.node(term) {
        Node::Div(_, below) => Some(below),
        _ => None,
    };
    reachable(terms, of).into_iter().filter_map(divisor).collect()
}

/// The adjoint of every variable, by reverse accumulation over terms: parts have smaller identities than wholes.
pub(super) fn reverse(exec: &mut Exec<'_>, weights: &[(Term, Term)]) -> HashMap<Term, Term> {
    let mut adjoints: BTreeMap<Term, Term> = BTreeMap::new();
    let mut result = HashMap::new();
    let add = |terms: &mut Terms, adjoints: &mut BTreeMap<Term, Term>, to: Term, what: Term| {
        let sum = match adjoints.get(&to) {
            Some(&old) => terms.add(old, what),
            None => what,
        };
        adjoints.insert(to, sum);
    };
    for &(y, weight) in weights {
        add(&mut exec.terms, &mut adjoints, y, weight);
    }
    while let Some((term, adjoint)) = adjoints.pop_last() {
        if let Some(atom) = exec.atoms.get(&term).cloned() {
            for (operand, partial) in exec.partials(term, &atom) {
                let scaled = exec.terms.mul(adjoint, partial);
                add(&mut exec.terms, &mut adjoints, operand, scaled);
            }
            continue;
        }
        let terms = &mut exec.terms;
        match *terms.node(term) {
            Node::Add(a, b) => {
                add(terms, &mut adjoints, a, adjoint);
                add(terms, &mut adjoints, b, adjoint);
            }
            Node::Sub(a, b) => {
                add(terms, &mut adjoints, a, adjoint);
                let minus = terms.neg(adjoint);
                add(terms, &mut adjoints, b, minus);
            }
            Node::Mul(a, b) => {
                let (left, right) = (terms.mul(adjoint, b), terms.mul(adjoint, a));
                add(terms, &mut adjoints, a, left);
                add(terms, &mut adjoints, b, right);
            }
            // (1/b)' = −(1/b)²·b'; other quotients do not arise.
            Node::Div(_, b) => {
                let square = terms.mul(term, term);
                let scaled = terms.mul(adjoint, square);
                let minus = terms.neg(scaled);
                add(terms, &mut adjoints, b, minus);
            }
            Node::Variable(_) => {
                result.insert(term, adjoint);
                if let Some(&operand) = exec.roots.get(&term) {
                    // r² = u: u' = 2·r·r'.
                    let (one, two) = (terms.number(1), terms.number(2));
                    let double = terms.mul(two, term);
                    let inverse = terms.div(one, double);
                    let scaled = terms.mul(adjoint, inverse);
                    add(terms, &mut adjoints, operand, scaled);
                }
            }
            _ => {}
        }
    }
    result
}
