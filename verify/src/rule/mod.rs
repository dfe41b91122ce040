//! Rows of the table as obligations.
//!
//! For each partial p of an output y by an operand x, and each case of the operation's definition:
//! - *quotient*: y(x + h) − y(x) = h·φ(h), for all x where the row says that p is the derivative, and all small h;
//! - *slope*: φ is continuous at 0: its divisors are not 0 there, no comparison is a tie, no rounding jumps;
//! - *partial*: φ(0) = p, and p exists;
//! - *not vacuous*: there are such x and h.
//!
//! For each row: the *transpose* law of what forward and reverse mode make of the partials. For each convention: the
//! value that the formula takes, at *every* point where the convention speaks. For each partial: every point of the
//! domain is one where p is the derivative or one where a convention speaks (*coverage*).

mod axioms;
pub(crate) mod counterexample;

mod lift;
mod power;
mod spec;

pub use counterexample::{Counterexample, counterexample, in_c};

use crate::obligation::Obligation;
use crate::rule::lift::Family;
use crate::term::{Term, Terms};
use lift::{Lift, NoAxioms, Part, Value};
use rules::expr::{apply, int, one, x, zero};
use rules::row::{Convention, Decision};
use rules::{Cond, Expr, Op, Partial, Row};

/// An obligation of a row, and what of the row it is about.
#[derive(Clone, Debug)]
pub struct RuleObligation {
    /// The obligation.
    pub obligation: Obligation,
    /// Output and operand of the partial it is about; none for the transpose law.
    pub place: Option<(usize, usize)>,
    /// The convention it is about.
    pub convention: Option<usize>,
}

/// Why a row has no proof: an operation of which nothing is known but its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumericOnly(
    /// The operation.
    pub Op,
);

/// One case of the definition of an operation.
struct Case {
    name: &'static str,
    /// Where it applies; it still does nearby.
    when: Cond,
    primal: Primal,
}

enum Primal {
    /// The operation itself, by its axioms or definition.
    Operation,
    /// This expression.
    Formula(Expr),
    /// The induction of [`power`].
    Induction,
}

fn cases(op: Op, operand: usize) -> Vec<Case> {
    let case = |name, when, primal| Case { name, when, primal };
    let positive = || zero().lt(x(0));
    let by_logarithm = || Primal::Formula(apply(Op::Exp, [x(1) * apply(Op::Log, [x(0)])]));
    match (op, operand) {
        (Op::Pow, 0) => {
            let exponent_zero = || x(1).equals(zero());
            let nonzero_base = || !x(0).equals(zero());
            let whole = x(1).is_integer().and(!exponent_zero()).and(nonzero_base().or(one().le(x(1))));
            vec![
                case("positive base", positive(), by_logarithm()),
                case("exponent 0", exponent_zero(), Primal::Formula(int(1))),
                case("integer exponent", whole, Primal::Induction),
            ]
        }
        (Op::Pow, _) => vec![
            case("positive base", positive(), by_logarithm()),
            case("base 0", x(0).equals(zero()).and(zero().lt(x(1))), Primal::Formula(zero())),
        ],
        (Op::Powi, _) => vec![case("", Cond::True, Primal::Induction)],
        _ => vec![case("", Cond::True, Primal::Operation)],
    }
}

/// Everything there is to prove of a row.
///
/// # Errors
/// If the operation has neither a definition nor axioms.
pub fn obligations(row: &Row) -> Result<Vec<RuleObligation>, NumericOnly> {
    prove_row(row).map_err(|NoAxioms(op)| NumericOnly(op))
}

fn prove_row(row: &Row) -> Result<Vec<RuleObligation>, NoAxioms> {
    let mut all = Vec::new();
    for output in 0..row.outputs.len() {
        for partial in row.partials(output) {
            let place = Some((output, partial.operand));
            let mut add = |obligation| all.push(RuleObligation { obligation, place, convention: None });
            for case in cases(row.op, partial.operand) {
                match case.primal {
                    Primal::Induction => {
                        induction(row, partial, case.name).map(|them| them.into_iter().for_each(&mut add))?
                    }
                    Primal::Operation | Primal::Formula(_) => {
                        derivative(row, output, partial, &case)?.into_iter().for_each(&mut add);
                    }
                }
            }
            if let Some(obligation) = coverage(row, output, partial)? {
                add(obligation);
            }
        }
    }
    for (index, convention) in row.conventions.iter().enumerate() {
        let place = Some((convention.output, convention.operand));
        let obligation = decided(row, convention)?;
        all.push(RuleObligation { obligation, place, convention: Some(index) });
    }
    if !all.is_empty() {
        all.push(RuleObligation { obligation: transpose(row), place: None, convention: None });
    }
    Ok(all)
}

fn new_lift<'a>(row: &Row, terms: &'a mut Terms, moving: Option<usize>) -> Lift<'a> {
    Lift::new(terms, row.float_positions().count(), row.int_positions().count(), moving)
}

/// The operation itself, lifted.
fn primal(lift: &mut Lift<'_>, row: &Row, output: usize) -> Result<Value, NoAxioms> {
    match spec::definition(row.op, output) {
        Some(definition) => lift.expr(&definition),
        None => {
            let (ints, inputs) = (lift.ints.clone(), lift.inputs.clone());
            lift.call(row.op, &ints, &inputs)
        }
    }
}

/// Lifts the operation, then turns to what is said about it.
fn set_result(lift: &mut Lift<'_>, value: Value) {
    let domain = std::mem::take(&mut lift.domain);
    lift.result = Some((value, domain));
    lift.part = Part::Partial;
}

/// A condition of the row at x.
fn condition(lift: &mut Lift<'_>, condition: &Cond) -> Result<Term, NoAxioms> {
    let (here, _) = lift.cond(condition)?;
    lift.domain.clear();
    Ok(here)
}

/// The partial at x, and where it exists.
fn partial_value(lift: &mut Lift<'_>, partial: &Expr) -> Result<(Term, Term), NoAxioms> {
    lift.domain.clear();
    let value = lift.expr(partial)?;
    let exists = std::mem::take(&mut lift.domain);
    let exists = lift.terms.all(exists);
    Ok((value.at, exists))
}

fn derivative(row: &Row, output: usize, partial: &Partial, case: &Case) -> Result<Vec<Obligation>, NoAxioms> {
    let mut terms = Terms::new();
    let mut lift = new_lift(row, &mut terms, Some(partial.operand));
    let y = match &case.primal {
        Primal::Formula(formula) => lift.expr(formula)?,
        Primal::Operation | Primal::Induction => primal(&mut lift, row, output)?,
    };
    set_result(&mut lift, y);
    let demands: Vec<Term> = lift.demands.iter().map(|(_, demand)| *demand).collect();
    let domain = lift.result.as_ref().map(|(_, domain)| domain.clone()).unwrap_or_default();
    let mut here = vec![condition(&mut lift, &case.when)?, condition(&mut lift, &partial.smooth)?];
    here.extend(domain);
    let (p, exists) = partial_value(&mut lift, &partial.expr)?;
    here.extend(lift.facts.iter().copied());
    let near: Vec<Term> = here.iter().chain(&lift.near).copied().collect();
    let step = lift.step;
    let limit = lift.limit(y.slope);
    let plain = |terms: &Terms, facts: &[Term]| {
        facts.iter().copied().filter(|&it| !terms.mentions_integers(it)).collect::<Vec<Term>>()
    };
    let name = |what: &str| {
        let case = if case.name.is_empty() { String::new() } else { format!(", {}", case.name) };
        format!("{what} of output {output} by x{}{case}", partial.operand)
    };
    let t = lift.terms;
    let change = t.sub(y.moved, y.at);
    let product = t.mul(y.slope, step);
    let quotient = t.equal(change, product);
    let continuous = t.all(demands);
    let is_limit = t.equal(limit, p);
    let right = t.and(exists, is_limit);
    let moves = t.nonzero(step);
    let mut possible = near.clone();
    possible.push(moves);
    // What says nothing about the goal only stands in the way.
    let whole = lift.near.iter().any(|&fact| t.mentions_integers(fact));
    let near = if whole { near } else { plain(t, &near) };
    Ok(vec![
        Obligation::implication(name("quotient"), t, &near, quotient),
        Obligation::implication(name("slope"), t, &here, continuous),
        Obligation::implication(name("partial"), t, &here, right),
        Obligation::not_vacuous(name("not vacuous"), t, &possible),
    ])
}

/// Every point of the domain is one where the partial is the derivative, or one where a convention speaks.
fn coverage(row: &Row, output: usize, partial: &Partial) -> Result<Option<Obligation>, NoAxioms> {
    if partial.smooth == Cond::True || partial.expr.is_zero() {
        return Ok(None);
    }
    let mut terms = Terms::new();
    let mut lift = new_lift(row, &mut terms, None);
    let y = whole(&mut lift, row, output)?;
    set_result(&mut lift, y);
    let mut spoken = vec![condition(&mut lift, &partial.smooth)?];
    for convention in &row.conventions {
        if (convention.output, convention.operand) == (output, partial.operand) {
            spoken.push(condition(&mut lift, &convention.when)?);
        }
    }
    let mut facts = lift.facts.clone();
    facts.extend(lift.result.iter().flat_map(|(_, domain)| domain.iter().copied()));
    let name = format!("coverage of output {output} by x{}", partial.operand);
    let goal = lift.terms.any(spoken);
    Ok(Some(Obligation::implication(name, lift.terms, &facts, goal)))
}

/// The value of a partial at every point where a convention speaks.
fn decided(row: &Row, convention: &Convention) -> Result<Obligation, NoAxioms> {
    let mut terms = Terms::new();
    let mut lift = new_lift(row, &mut terms, None);
    let y = whole(&mut lift, row, convention.output)?;
    set_result(&mut lift, y);
    // A comparison holds of numbers only: where the convention speaks, what it compares exists.
    let (when, _) = lift.cond(&convention.when)?;
    let mut facts = std::mem::take(&mut lift.domain);
    facts.push(when);
    let partial = row.partial(convention.output, convention.operand);
    let absent = zero();
    let (p, exists) = partial_value(&mut lift, partial.map_or(&absent, |partial| &partial.expr))?;
    facts.extend(lift.facts.iter().copied());
    let t = lift.terms;
    let goal = match convention.value {
        Decision::Number(number) => {
            let number = rug::Rational::from_f64(number).unwrap_or_default();
            let number = t.number(number);
            let equal = t.equal(p, number);
            t.and(exists, equal)
        }
        Decision::Formula => exists,
        Decision::NotFinite => t.not(exists),
    };
    let name = format!("{} of output {} by x{}", convention.reason.kind(), convention.output, convention.operand);
    Ok(Obligation::implication(name, t, &facts, goal))
}

/// ⟨w, Jv⟩ = ⟨Jᵀw, v⟩ for the two uses of the partials: ẏ = Σ p·ẋ forward, x̄ += p·ȳ in reverse.
fn transpose(row: &Row) -> Obligation {
    let mut terms = Terms::new();
    let t = &mut terms;
    let count = row.float_positions().count();
    let tangents: Vec<Term> = (0..count).map(|i| t.variable(&format!("tangent{i}"))).collect();
    let mut adjoints = vec![t.number(0); count];
    let mut forward = t.number(0);
    for output in 0..row.outputs.len() {
        let seed = t.variable(&format!("seed{output}"));
        let mut tangent = t.number(0);
        for partial in row.partials(output) {
            let i = partial.operand;
            let p = if partial.expr.is_zero() { t.number(0) } else { t.variable(&format!("p{output}{i}")) };
            let (pushed, pulled) = (t.mul(p, tangents[i]), t.mul(p, seed));
            tangent = t.add(tangent, pushed);
            adjoints[i] = t.add(adjoints[i], pulled);
        }
        let weighted = t.mul(seed, tangent);
        forward = t.add(forward, weighted);
    }
    let mut reverse = t.number(0);
    for (adjoint, tangent) in adjoints.into_iter().zip(tangents) {
        let product = t.mul(adjoint, tangent);
        reverse = t.add(reverse, product);
    }
    let goal = t.equal(forward, reverse);
    Obligation::implication("transpose", t, &[], goal)
}

/// The partial of an integer power, by induction on the exponent.
fn induction(row: &Row, partial: &Partial, case: &str) -> Result<Vec<Obligation>, NoAxioms> {
    let case = if case.is_empty() { String::new() } else { format!(", {case}") };
    let steps = [
        ("power 0", Start::Zero),
        ("power 1", Start::One),
        ("next power", Start::Next),
        ("inverse power", Start::Inverse),
    ];
    let named = |(name, start)| inductive_step(row, partial, format!("{name} of x{}{case}", partial.operand), start);
    steps.into_iter().map(named).collect()
}

/// Which step of the induction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// x⁰ is constant.
    Zero,
    /// x¹ is x.
    One,
    /// (x·xᵐ)' = xᵐ + x·(xᵐ)'.
    Next,
    /// (1/xᵐ)' = −(xᵐ)'/x²ᵐ.
    Inverse,
}

fn inductive_step(row: &Row, partial: &Partial, name: String, start: Start) -> Result<Obligation, NoAxioms> {
    let mut terms = Terms::new();
    let mut lift = new_lift(row, &mut terms, None);
    lift.part = Part::Partial;
    let base = lift.inputs[0].at;
    // m ≥ 1 and xᵐ⁻¹, of which xᵐ = x·xᵐ⁻¹ and the others follow.
    let (m, lower) = (lift.terms.variable("m"), lift.terms.variable("lower_power"));
    let t = &mut *lift.terms;
    let (one, zero, nonzero) = (t.number(1), t.number(0), t.nonzero(base));
    let (m_is_one, lower_is_one, lower_nonzero) = (t.equal(m, one), t.equal(lower, one), t.nonzero(lower));
    let facts =
        [t.at_most(one, m), t.is_integer(m), t.implies(m_is_one, lower_is_one), t.implies(nonzero, lower_nonzero)];
    let (before, power) = (t.sub(m, one), t.mul(base, lower));
    let mut facts = facts.to_vec();
    let powers = Family { base, exponent: before, known: lower };
    let constant = Family { base, exponent: zero, known: one };
    let goal = match start {
        Start::Zero | Start::One => {
            let (exponent, slope) = if start == Start::Zero { (zero, zero) } else { (one, one) };
            let (p, exists) = partial_at(row, partial, &mut lift, exponent, constant)?;
            let right = lift.terms.equal(p, slope);
            lift.terms.and(exists, right)
        }
        Start::Next => {
            let (p, _) = partial_at(row, partial, &mut lift, m, powers)?;
            let next = lift.terms.add(m, one);
            let (following, exists) = partial_at(row, partial, &mut lift, next, powers)?;
            let t = &mut *lift.terms;
            let product = t.mul(base, p);
            let sum = t.add(power, product);
            let right = t.equal(following, sum);
            t.and(exists, right)
        }
        Start::Inverse => {
            facts.push(nonzero);
            let (p, _) = partial_at(row, partial, &mut lift, m, powers)?;
            let (minus, inverse) = (lift.terms.neg(m), lift.terms.div(one, power));
            let inverses = Family { base, exponent: minus, known: inverse };
            let (following, exists) = partial_at(row, partial, &mut lift, minus, inverses)?;
            let t = &mut *lift.terms;
            let square = t.mul(power, power);
            let quotient = t.div(p, square);
            let slope = t.neg(quotient);
            let right = t.equal(following, slope);
            t.and(exists, right)
        }
    };
    facts.extend(lift.facts.iter().copied());
    Ok(Obligation::implication(name, lift.terms, &facts, goal))
}

/// The row's partial at an exponent, and where it exists.
fn partial_at(
    row: &Row,
    partial: &Partial,
    lift: &mut Lift<'_>,
    exponent: Term,
    family: Family,
) -> Result<(Term, Term), NoAxioms> {
    match row.op {
        Op::Powi => lift.ints[0] = exponent,
        _ => lift.inputs[1] = lift.still(exponent),
    }
    lift.power = Some(family);
    let base = lift.inputs[0];
    let known = lift.integer_power(base, exponent)?;
    lift.result = Some((known, Vec::new()));
    partial_value(lift, &partial.expr)
}

/// The value of the operation over its whole domain; for powers, by what holds of them in all cases.
fn whole(lift: &mut Lift<'_>, row: &Row, output: usize) -> Result<Value, NoAxioms> {
    match row.op {
        Op::Pow => lift.power_call(&x(0), &x(1)),
        Op::Powi => {
            let (base, exponent) = (lift.inputs[0], lift.ints[0]);
            lift.integer_power(base, exponent)
        }
        _ => primal(lift, row, output),
    }
}
