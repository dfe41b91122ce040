//! Calls that the ranks of a program make together, since they send each other messages in them.
//!
//! Let J be the sum over all ranks of weight times output: of the seeds and shadows that each finds at its call. The
//! gradient of a rank is the derivative of J by the inputs of that rank, along all ways that numbers take through the
//! messages. So a rank is judged as any other call, but that every run, of the primal with its lanes and of the gradient
//! alike, is one of all ranks ([`interp::company`]), and what the others leave counts, too.

use super::call::Call;
use super::formats::kind_of_size;
use super::number;
use super::region::Regions;
use super::{Judgement, Options};
use crate::report::Note;
use ad::Judged;
use interp::company::{Company, Left, Member, Other};
use interp::machines::Dependence;
use interp::machines::cells::Cell;
use interp::memory::Shadow;
use interp::{Buffer, Leaf, Machine, Memory, Plain, Program, Stop, Value};
use ir::FloatKind;
use rug::Float;
use std::any::Any;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Which of a member's calls is the program's own.
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
}

/// Judges the calls of all ranks, in order, where that is due, and executes them.
pub fn judge(
    program: &Program,
    arrivals: Vec<Arrival<'_>>,
    options: &Options,
) -> (Vec<Option<Judgement>>, Result<Vec<(Left, Buffer)>, Stop>) {
    let all = arrivals.len();
    let elsewhere = arrivals.iter().map(|arrival| Elsewhere::new(program, arrival, options.precision)).collect();
    let (mut members, mut calls) = (Vec::new(), Vec::new());
    for Arrival { judged, args, member, due, .. } in arrivals {
        members.push(member);
        calls.push((judged, args, due));
    }
    let Some(company) = Company::new(members) else { return (Vec::new(), Ok(Vec::new())) };
    let shared = Rc::new(Shared { company, elsewhere });
    let mut judgements = Vec::new();
    for (rank, (judged, args, due)) in calls.iter().enumerate() {
        let judgement = due.map(|order| {
            let beside = Some(Beside { shared: Rc::clone(&shared), rank });
            let options = Options { beside, ..options.clone() };
            let memory = &shared.company.members[rank].memory;
            let mut judgement = super::judge(program, judged, (memory, args), order, &options).0;
            if let Some(finding) = &mut judgement.finding {
                finding.notes.insert(0, Note { message: format!("on rank {rank} of {all}"), position: None });
            }
            judgement
        });
        judgements.push(judgement);
    }
    let printed: Vec<Rc<RefCell<Buffer>>> = (0..all).map(|_| Rc::default()).collect();
    let output = |rank: usize| -> Box<dyn interp::Output> { Box::new(Rc::clone(&printed[rank])) };
    let left = shared.company.execute(program, OWN, (|| Plain, &options.limits), output);
    let left = left.map(|left| left.into_iter().zip(&printed).map(|(left, printed)| (left, printed.take())).collect());
    (judgements, left)
}

/// What all ranks that are judged share.
#[derive(Debug)]
struct Shared {
    company: Company,
    elsewhere: Vec<Elsewhere>,
}

/// The other ranks, as one of them sees them.
#[derive(Clone, Debug)]
pub struct Beside {
    shared: Rc<Shared>,
    rank: usize,
}

/// The weights of a rank's outputs.
#[derive(Debug)]
struct Elsewhere {
    regions: Regions,
    /// Of its result, with its format.
    seed: Option<(FloatKind, Float)>,
    memory: Memory,
    precision: u32,
}

/// An output of another rank: which, and of what weight.
pub struct Weighty<S> {
    /// The rank, and the address of the cell; none for its result.
    pub place: (usize, Option<u64>),
    /// Its format.
    pub kind: FloatKind,
    /// Its weight in the sum.
    pub weight: Float,
    /// Its bits.
    pub bits: u128,
    /// The shadow.
    pub shadow: S,
}

impl Elsewhere {
    fn new(program: &Program, arrival: &Arrival<'_>, precision: u32) -> Elsewhere {
        let memory = arrival.member.memory.clone();
        let regions = Regions::follow(&program.module, &memory, &arrival.call.roots);
        let given = arrival.call.seed_bits().map(|(kind, bits)| (kind, number::value(kind, bits, precision)));
        let seed = given.or_else(|| match arrival.call.result.first() {
            Some(Leaf::Float(kind)) => Some((*kind, Float::with_val(precision, 1.0))),
            _ => None,
        });
        Elsewhere { regions, seed, memory, precision }
    }

    /// The weight of a cell, which is in its shadow on entry.
    fn weight(&self, cell: &Cell) -> Option<Float> {
        let pointer = self.regions.shadow_of(cell.address, cell.size())?;
        let value = self.memory.load(pointer, Leaf::Float(cell.kind), 1).ok().filter(|value| value.is_init())?;
        Some(number::value(cell.kind, value.bits(), self.precision)).filter(|weight| !weight.is_zero())
    }
}

impl Beside {
    /// All ranks.
    pub fn company(&self) -> (&Company, usize) {
        (&self.shared.company, self.rank)
    }

    /// The outputs of the other ranks that have shadows and a weight, by rank and address.
    pub fn outputs<M: Machine>(&self, others: &[Other<M>]) -> Vec<Weighty<M::Shadow>> {
        let mut found = Vec::new();
        for other in others {
            let elsewhere = &self.shared.elsewhere[other.rank];
            let mut seen = BTreeSet::new();
            for pair in elsewhere.regions.pairs() {
                for (offset, size, shadow) in other.memory.shadows_of(pair.primal.id) {
                    let (address, object) = (pair.primal.base + offset, pair.primal.id);
                    let Some(kind) = kind_of_size(size).filter(|_| !shadow.is_absent()) else { continue };
                    let cell = Cell { address, object, kind };
                    let value = other.memory.load(cell.pointer(), Leaf::Float(kind), 1).ok().filter(|v| v.is_init());
                    let (Some(weight), Some(value)) = (elsewhere.weight(&cell), value) else { continue };
                    if seen.insert(address) {
                        let (place, bits, shadow) = ((other.rank, Some(address)), value.bits(), shadow.clone());
                        found.push(Weighty { place, kind, weight, bits, shadow });
                    }
                }
            }
            if let (Some(weight), Some((value, shadow))) = (&elsewhere.seed, other.result.leaves.first())
                && !shadow.is_absent()
            {
                let (place, kind, weight) = ((other.rank, None), weight.0, weight.1.clone());
                found.push(Weighty { place, kind, weight, bits: value.bits(), shadow: shadow.clone() });
            }
        }
        found
    }
}

/// A digest of what all ranks have decided.
pub fn decisions(own: &Dependence, others: &[Other<Dependence>]) -> u64 {
    others.iter().fold(own.decisions, |all, other| all.rotate_left(7) ^ other.machine.decisions)
}
