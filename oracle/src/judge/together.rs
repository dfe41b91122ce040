//! Calls that the ranks of a program make together, since they send each other messages in them.
//!
//! Let J be the sum over all ranks of weight times output: of the seeds and shadows that each finds at its call. The
//! gradient of a rank is the derivative of J by the inputs of that rank, along all ways that numbers take through the
//! messages. So a rank is judged as any other call, but that every run, of the primal with its lanes and of the
//! gradient alike, is one of all ranks ([`interp::company`]), and what the others leave counts, too.

use super::beside::{Beside, Elsewhere, Shared};
use super::call::Call;
use super::number;
use super::region::Regions;
use super::{Judgement, Options};
use crate::report::{Finding, Note};
use crate::verdict::Verdict;
use ad::Judged;
use interp::company::{Company, Left, Member};
use interp::{Buffer, Leaf, Limits, Location, Memory, Program, Stop, Value};
use rug::Float;
use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

/// Which of a member's calls is that of the primal, of the gradient, the program's own.
const PRIMAL: usize = 0;
const GRADIENT: usize = 1;
const OWN: usize = 2;

/// A rank at its call.
pub struct Arrival<'a> {
    judged: &'a Judged,
    args: Vec<Value>,
    member: Member,
    call: Call,
    /// Is this execution to be judged, and of what order is the derivative?
    pub due: Option<u32>,
}

impl<'a> Arrival<'a> {
    /// The rank whose libraries have that state; an error says what of the call is not supported.
    pub fn new(
        program: &Program,
        judged: &'a Judged,
        args: &[Value],
        (libraries, memory): (&dyn Any, &Memory),
        due: Option<u32>,
    ) -> Result<Arrival<'a>, String> {
        if judged.mode != ad::Mode::Reverse || judged.tape.is_some() {
            return Err("a tangent, or a gradient in two passes, in which ranks send each other messages".to_owned());
        }
        let call = Call::new(program, judged, args)?;
        let own = |function| (function, args.to_vec());
        let calls = vec![(judged.primal, call.primal_args.clone()), own(judged.gradient), own(judged.function)];
        let member = Member::of(libraries, memory, calls).ok_or("the program does not run as ranks")?;
        Ok(Arrival { judged, args: args.to_vec(), member, call, due })
    }

    /// The weights of what the rank leaves.
    fn weights(&self, program: &Program, precision: u32) -> Elsewhere {
        let memory = self.member.memory.clone();
        let regions = Regions::follow(&program.module, &memory, &self.call.roots);
        let given = self.call.seed_bits().map(|(kind, bits)| (kind, number::value(kind, bits, precision)));
        let seed = given.or_else(|| match self.call.result.first() {
            Some(Leaf::Float(kind)) => Some((*kind, Float::with_val(precision, 1.0))),
            _ => None,
        });
        Elsewhere { regions, seed, memory, precision }
    }
}

/// What the ranks go on with, and what each has printed.
pub type Ended = Result<Vec<(Left, Buffer)>, Stop>;

/// Judges the calls of all ranks, in order, where that is due, and executes them.
pub fn judge(program: &Program, arrivals: Vec<Arrival<'_>>, options: &Options) -> (Vec<Option<Judgement>>, Ended) {
    let all = arrivals.len();
    let elsewhere = arrivals.iter().map(|arrival| arrival.weights(program, options.precision)).collect();
    let (mut members, mut calls) = (Vec::new(), Vec::new());
    for Arrival { judged, args, member, due, .. } in arrivals {
        members.push(member);
        calls.push((judged, args, due));
    }
    let Some(company) = Company::new(members) else { return (Vec::new(), Ok(Vec::new())) };
    let shared = Rc::new(Shared { company, elsewhere });
    let lost = unreceived(program, &shared.company, &options.limits);
    let mut judgements = Vec::new();
    for (rank, (judged, args, due)) in calls.iter().enumerate() {
        let judgement = due.map(|order| {
            let beside = Some(Beside::new(&shared, rank));
            let options = Options { beside, ..options.clone() };
            let memory = &shared.company.members[rank].memory;
            let mut judgement = super::judge(program, judged, (memory, args), order, &options).0;
            if let Some(finding) =
                lost.get(rank).cloned().flatten().filter(|_| judgement.verdict <= Verdict::Convention)
            {
                (judgement.verdict, judgement.finding) = (finding.verdict, Some(finding));
            }
            if let Some(finding) = &mut judgement.finding {
                finding.notes.insert(0, Note { message: format!("on rank {rank} of {all}"), position: None });
            }
            judgement
        });
        judgements.push(judgement);
    }
    let printed: Vec<Rc<RefCell<Buffer>>> = (0..all).map(|_| Rc::default()).collect();
    let output = |rank: usize| -> Box<dyn interp::Output> { Box::new(Rc::clone(&printed[rank])) };
    let left = shared.company.execute(program, OWN, &options.limits, output);
    let left = left.map(|left| left.into_iter().zip(&printed).map(|(left, printed)| (left, printed.take())).collect());
    (judgements, left)
}

/// By rank: a message to it that the gradient leaves unreceived, beyond those that the primal leaves.
fn unreceived(program: &Program, company: &Company, limits: &Limits) -> Vec<Option<Finding>> {
    let of = |which| company.unreceived(program, which, limits);
    // Why a run stops is told by the judgement.
    let (Ok(primal), Ok(gradient)) = (of(PRIMAL), of(GRADIENT)) else { return Vec::new() };
    let finding = |(rank, (primal, gradient)): (usize, (Vec<Location>, Vec<Location>))| {
        let at = gradient.get(primal.len()..)?.last()?;
        let message = format!("a message to rank {rank} that the gradient sends is never received");
        Some(Finding::new(Verdict::Protocol, message).at(program.source(*at).map(Into::into)))
    };
    primal.into_iter().zip(gradient).enumerate().map(finding).collect()
}
