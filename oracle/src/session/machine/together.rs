//! Calls that all ranks make together: each comes to its call and waits for the others; the last one has all judged.

use super::{Court, go_on};
use crate::calls::reachable;
use crate::judge::together::Arrival;
use crate::judge::{self, Judgement};
use crate::report::Finding;
use crate::verdict::Verdict;
use ad::Judged;
use interp::company::{self, Left};
use interp::{Buffer, CallContext, Fault, Program, Res, Stop, UbKind, Value};
use std::cell::RefCell;
use std::rc::Rc;

/// What a rank waits for at its call.
const WAITS: &str = "all ranks at a differentiated call in which they send each other messages";

/// The ranks at their calls.
pub struct Assembly<'a> {
    /// By rank: the site of its call, and the call.
    arrivals: Vec<Option<(usize, Arrival<'a>)>>,
    /// By rank, where its call has been made: the site, what was found, and what it goes on with.
    outcomes: Vec<Option<Outcome>>,
}

struct Outcome {
    site: usize,
    judgement: Option<Judgement>,
    left: Result<(Left, Buffer), Stop>,
}

impl<'a> Assembly<'a> {
    /// Of so many ranks.
    pub fn new(ranks: usize) -> Assembly<'a> {
        Assembly { arrivals: (0..ranks).map(|_| None).collect(), outcomes: (0..ranks).map(|_| None).collect() }
    }

    /// Notes the judgements of ranks that did not come to go on.
    pub fn note_rest<'c, 'b: 'c>(&mut self, courts: impl Iterator<Item = &'c mut Court<'b>>) {
        for (court, outcome) in courts.zip(&mut self.outcomes) {
            if let Some(Outcome { site, judgement: Some(judgement), .. }) = outcome.take() {
                court.sites[site].note(judgement);
            }
        }
    }
}

/// Do ranks send each other messages in a call?
pub fn is_collective(program: &Program, judged: &Judged) -> bool {
    let module = &program.module;
    let named = [judged.primal, judged.gradient].into_iter().flat_map(|root| reachable(module, root));
    named.into_iter().any(|id| {
        let function = &module.functions[id];
        function.is_declaration() && (function.name.starts_with("MPI_") || function.name.starts_with("PMPI_"))
    })
}

/// Do ranks wait for others that do not come to such a call?
pub fn is_missed(stop: &Stop) -> bool {
    let Some(report) = stop.report().filter(|report| report.ub == Some(UbKind::Deadlock)) else { return false };
    report.notes.iter().any(|note| note.text.ends_with(WAITS))
}

/// The finding of that.
pub fn missed(finding: Finding) -> Finding {
    let message = "a differentiated call in which ranks send each other messages is judged when all ranks make such a \
                   call, and some do not";
    Finding { verdict: Verdict::Unsupported, message: message.to_owned(), ..finding }
}

impl<'a> Court<'a> {
    /// A call that all ranks make together: this rank comes to it, or goes on from it.
    pub(super) fn together(
        &mut self,
        cx: &mut CallContext<'_, ()>,
        (site, judged): (usize, &'a Judged),
        args: &[Value],
        assembly: &Rc<RefCell<Assembly<'a>>>,
    ) -> Res<Value> {
        let Some(rank) = company::rank_of(cx.libraries) else {
            return Err(Fault::unsupported("ranks together, in a program that does not run as ranks"));
        };
        if assembly.borrow().outcomes[rank].is_none() {
            self.come((cx, rank), (site, judged), args, &mut assembly.borrow_mut())?;
        }
        let outcome = assembly.borrow_mut().outcomes[rank].take();
        let Some(Outcome { site, judgement, left }) = outcome else { return Err(Fault::waits_for_ranks(WAITS)) };
        if let Some(judgement) = judgement {
            self.sites[site].spent += judgement.work;
            self.sites[site].note(judgement);
            self.tell();
        }
        match left {
            Ok((left, printed)) => {
                let (memory, value) = left.go_on(cx.libraries);
                Ok(go_on(cx, (memory, value, printed)))
            }
            Err(stop) => {
                self.stopped_here = self.has_fault();
                Err(Fault::nested(stop))
            }
        }
    }

    /// The rank comes to its call. When all are there, the calls are judged and made.
    fn come(
        &mut self,
        (cx, rank): (&mut CallContext<'_, ()>, usize),
        (index, judged): (usize, &'a Judged),
        args: &[Value],
        assembly: &mut Assembly<'a>,
    ) -> Res {
        if assembly.arrivals[rank].is_none() {
            let site = &mut self.sites[index];
            site.executed += 1;
            let due = site.due(self.budget).then_some(site.order);
            let arrival = Arrival::new(cx.program, judged, args, (&*cx.libraries, cx.memory), due);
            assembly.arrivals[rank] = Some((index, arrival.map_err(Fault::unsupported)?));
        }
        if assembly.arrivals.iter().any(Option::is_none) {
            return Ok(());
        }
        let options = self.options.clone();
        let limits = cx.within(self.limits());
        let (sites, arrivals): (Vec<usize>, Vec<Arrival<'a>>) =
            assembly.arrivals.iter_mut().filter_map(Option::take).unzip();
        let (judgements, left) = judge::together::judge(cx.program, arrivals, &judge::Options { limits, ..options });
        let left: Vec<Result<(Left, Buffer), Stop>> = match left {
            Ok(left) => left.into_iter().map(Ok).collect(),
            Err(stop) => sites.iter().map(|_| Err(stop.clone())).collect(),
        };
        let outcomes = sites.into_iter().zip(judgements).zip(left);
        assembly.outcomes = outcomes.map(|((site, judgement), left)| Some(Outcome { site, judgement, left })).collect();
        company::announce(cx.libraries);
        Ok(())
    }
}
