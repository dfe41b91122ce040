//! The machine of a whole program's run: it takes over every differentiated call and has it judged.
//!
//! In split mode the reverse is judged together with the augmented forward that made its tape, on the memory that this
//! one found, with the reverse's seed and shadows; what it does to the program's memory is what it does on its own.

mod grid;
pub mod together;

use crate::judge::{self, Judgement};
use crate::report::{Gradient, Tape};
use crate::verdict::Verdict;
use ad::{Activity, Dense, Judged, Refusal};
use interp::shims::gpu::{DEVICE, is_launch};
use interp::{AllocKind, CallContext, Fault, Life, Limits, Location, Machine, Memory, Program, Res, Stream, Value};
use ir::FuncId;
use ir::hash::{HashMap, HashSet};
use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};
use together::{Assembly, is_collective};

/// Work of judging an execution besides the runs with lanes.
const ONCE: u64 = 10_000;

/// How long judging one execution may take: that of a sum over a million components takes a minute.
const PATIENCE: Duration = Duration::from_secs(300);

/// One differentiated call of the program's text.
pub struct Site<'a> {
    /// The call; a loop that the compiler has unrolled has it several times.
    pub judged: Vec<&'a Judged>,
    /// 1, or more where the primal computes derivatives itself.
    pub order: u32,
    /// Executions.
    pub executed: u64,
    /// Judged executions.
    pub judged_count: u64,
    /// Was a component compared in any of them?
    pub compared: bool,
    /// The worst judgement and its execution.
    pub worst: Option<(Judgement, u64)>,
    /// Work spent on judging it: instructions times lanes.
    pub spent: u64,
    /// The largest tape.
    pub tape: Option<Tape>,
}

/// The machine.
pub struct Court<'a> {
    /// The calls.
    pub sites: Vec<Site<'a>>,
    /// Calls that were refused.
    pub refusals: &'a [Refusal],
    /// How calls are judged.
    pub options: judge::Options,
    /// Executions of one call that are judged whatever they cost, and work that judging one call may take in all.
    pub budget: (u64, u64),
    /// Was the program stopped by a judged or refused call, so that the stop is reported there?
    pub stopped_here: bool,
    /// Told of each execution that was judged.
    pub progress: &'a (dyn Fn(u64) + Sync),
    /// The ranks at calls that all make together, if the program runs as ranks.
    pub assembly: Option<Rc<RefCell<Assembly<'a>>>>,
    functions: HashSet<FuncId>,
    /// Functions that make tapes, and where each tape is found: among the arguments, or in the result.
    makers: HashMap<FuncId, Maker>,
    /// What the augmented forward found, by the address of the tape that it made.
    tapes: HashMap<u64, Forward>,
    /// The tapes that augmented forwards have allocated and no reverse has used up, with the function that made each.
    alive: HashMap<u64, FuncId>,
    /// Are there calls that threads of a grid make together?
    has_grids: bool,
    total: u64,
}

/// How a function that makes a tape hands it over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Maker {
    /// It gets the memory as its last argument.
    Given,
    /// It returns it first.
    Returned,
}

/// What an augmented forward found.
#[derive(Clone)]
struct Forward {
    memory: Memory<()>,
    args: Vec<Value>,
}

/// Tapes that are remembered at a time; reverses of others are not judged.
const TAPES: usize = 32;

impl<'a> Site<'a> {
    /// A call that was not executed yet, of a derivative of that order.
    pub fn new(judged: &'a Judged, order: u32) -> Site<'a> {
        Site {
            judged: vec![judged],
            order,
            executed: 0,
            judged_count: 0,
            compared: false,
            worst: None,
            spent: 0,
            tape: None,
        }
    }
}

impl<'a> Court<'a> {
    /// A machine for these calls.
    pub fn new(
        sites: Vec<Site<'a>>,
        refusals: &'a [Refusal],
        options: judge::Options,
        budget: (u64, u64),
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> Court<'a> {
        let functions = sites.iter().flat_map(|s| &s.judged).map(|j| called(j)).collect();
        let tapes = sites.iter().flat_map(|s| &s.judged).filter_map(|j| j.tape);
        let makers = tapes.flat_map(|t| [(t.augmented, Maker::Given), (t.allocating, Maker::Returned)]).collect();
        let has_grids = sites.iter().flat_map(|s| &s.judged).any(|j| j.grid.is_some());
        let (tapes, alive) = (HashMap::default(), HashMap::default());
        Court {
            sites,
            refusals,
            options,
            budget,
            stopped_here: false,
            progress,
            assembly: None,
            functions,
            makers,
            tapes,
            alive,
            has_grids,
            total: 0,
        }
    }

    /// The machine of one of the ranks that gather there.
    pub fn among(self, assembly: &Rc<RefCell<Assembly<'a>>>) -> Court<'a> {
        Court { assembly: Some(Rc::clone(assembly)), ..self }
    }

    /// The limits of one judgement.
    pub(super) fn limits(&self) -> Limits {
        let soon = Instant::now().checked_add(PATIENCE);
        let deadline = [self.options.limits.deadline, soon].into_iter().flatten().min();
        Limits { deadline, ..self.options.limits.clone() }
    }

    /// Has something been found that says why the program stops?
    pub(super) fn has_fault(&self) -> bool {
        self.sites.iter().any(|s| s.worst.as_ref().is_some_and(|(j, _)| j.verdict > Verdict::Convention))
    }

    /// Tells that one more execution was judged.
    pub(super) fn tell(&mut self) {
        self.total += 1;
        (self.progress)(self.total);
    }

    /// The index of the site, and the call among its calls.
    fn site(&self, func: FuncId, at: Option<&Location>) -> Option<(usize, &'a Judged)> {
        let all = || self.sites.iter().enumerate().flat_map(|(i, s)| s.judged.iter().map(move |j| (i, *j)));
        let exact = |(_, j): &(usize, &Judged)| at.is_some_and(|at| (j.caller, j.site) == (at.func, at.inst));
        all().filter(exact).chain(all()).find(|(_, j)| called(j) == func)
    }

    /// Judges the derivative in the place of a call whose shadows are functions, which the program executes itself.
    fn dense(
        &mut self,
        program: &Program,
        (index, judged, dense): (usize, &Judged, &Dense),
        (found, args): (&Memory, &[Value]),
        options: &judge::Options,
    ) {
        let site = &mut self.sites[index];
        site.executed += 1;
        if !site.due(self.budget) {
            return;
        }
        let laid_out = match judged.tape {
            None => super::dense::laid_out(program, (judged, dense), (found, args), &options.limits),
            Some(_) => Err("it is one of the passes of split mode".to_owned()),
        };
        let judgement = match laid_out {
            Ok((memory, args)) => judge::judge(program, judged, (&memory, &args), site.order, options).0,
            Err(message) => judge::without_memory(judged, &message),
        };
        site.spent += ONCE + judgement.work;
        site.note(judgement);
        self.total += 1;
        (self.progress)(self.total);
    }
}

/// What a judged call calls.
fn called(judged: &Judged) -> FuncId {
    judged.dense.as_ref().map_or(judged.function, |dense| dense.called)
}

/// The program goes on with what a call has done.
pub(super) fn go_on(cx: &mut CallContext<'_, ()>, (memory, value, printed): judge::Effects) -> Value {
    let mut memory = memory;
    memory.goes_on_watching(cx.memory);
    *cx.memory = memory;
    cx.output.write(Stream::Out, &printed.out);
    cx.output.write(Stream::Err, &printed.err);
    value
}

/// Do both passes get the same arguments of the primal, or the same shadows? The reverse gets the seed besides.
fn same(forward: &[Value], reverse: &[Value], activities: &[Activity], shadows: bool) -> bool {
    let bits = |value: &Value| value.leaves.iter().map(|(scalar, ())| scalar.bits()).collect::<Vec<u128>>();
    let is_shadow = activities.iter().flat_map(|a| [false, true].into_iter().take(if a.is_dup() { 2 } else { 1 }));
    forward.iter().zip(reverse).zip(is_shadow).all(|((a, b), shadow)| shadow != shadows || bits(a) == bits(b))
}

impl Court<'_> {
    /// Runs an augmented forward and remembers what it found.
    fn forward(&mut self, cx: &mut CallContext<'_, ()>, func: FuncId, args: &[Value], maker: Maker) -> Res<Value> {
        let limits = cx.within(self.options.limits.clone());
        let options = judge::Options { limits, ..self.options.clone() };
        let found = cx.memory.clone();
        let effects = judge::execute(cx.program, func, (&found, args), &options).map_err(Fault::nested)?;
        let value = go_on(cx, effects);
        let (tape, args) = match maker {
            Maker::Given => (args.last().and_then(Value::first), &args[..args.len().saturating_sub(1)]),
            Maker::Returned => (value.first(), args),
        };
        if let (Some(tape), Maker::Returned) = (tape, maker) {
            self.alive.insert(tape.as_ptr().addr, func);
        }
        if let (Some(tape), true) = (tape, self.tapes.len() < TAPES) {
            self.tapes.insert(tape.as_ptr().addr, Forward { memory: found, args: args.to_vec() });
        }
        Ok(value)
    }
}

impl Site<'_> {
    /// Is this execution to be judged? The first ones always, later ones while the budget lasts, then ever more rarely.
    pub(super) fn due(&self, (first, budget): (u64, u64)) -> bool {
        let sparse = self.executed.is_power_of_two() && self.spent < 4 * budget;
        self.executed <= first || self.spent < budget || sparse
    }

    pub(super) fn note(&mut self, mut judgement: Judgement) {
        self.judged_count += 1;
        self.compared |= judgement.basis.components > 0;
        let known = self.tape.take();
        self.tape = known.into_iter().chain(judgement.tape.take()).max_by_key(|tape| (tape.bytes, tape.peak));
        let worse = self.worst.as_ref().is_none_or(|(known, _)| judgement.verdict > known.verdict);
        let accuracy = judgement.accuracy;
        if worse {
            let before = self.worst.take().map(|(known, _)| known.accuracy);
            self.worst = Some((judgement, self.executed));
            if let (Some((known, _)), Some(before)) = (&mut self.worst, before) {
                known.accuracy.merge(before);
            }
        } else if let Some((known, _)) = &mut self.worst {
            known.accuracy.merge(accuracy);
        }
    }

    /// Adds what the same call of another rank has come to.
    pub fn absorb(&mut self, other: Site<'_>) {
        self.executed += other.executed;
        self.judged_count += other.judged_count;
        self.compared |= other.compared;
        self.tape = self.tape.take().into_iter().chain(other.tape).max_by_key(|tape| (tape.bytes, tape.peak));
        let Some((mut judgement, execution)) = other.worst else { return };
        if let Some((known, _)) = &mut self.worst {
            judgement.accuracy.merge(known.accuracy);
            known.accuracy.merge(judgement.accuracy);
        }
        if self.worst.as_ref().is_none_or(|(known, _)| judgement.verdict > known.verdict) {
            self.worst = Some((judgement, execution));
        }
    }

    /// The entry of the report; none if the call was never reached.
    pub fn gradient(self, program: &Program) -> Option<Gradient> {
        let name = |f: FuncId| program.module.functions[f].name.trim_start_matches(DEVICE).to_owned();
        let (judgement, execution) = self.worst?;
        let judged = self.judged.first()?;
        let judgement = if self.compared { judgement } else { judgement.unless_correct(judged) };
        Some(Gradient {
            function: name(judged.primal),
            gradient: name(judged.gradient),
            given: judged.given,
            mode: judged.mode.into(),
            call: judged.loc.clone().map(Into::into),
            executed: self.executed,
            judged: self.judged_count,
            verdict: judgement.verdict,
            execution,
            finding: judgement.finding,
            components: judgement.components,
            component_count: judgement.component_count,
            basis: judgement.basis,
            accuracy: judgement.accuracy,
            remarks: judgement.remarks,
            tape: self.tape,
            run: 0,
            steady: true,
        })
    }
}

impl<'a> Machine for Court<'a> {
    type Shadow = ();

    fn intercepts(&self, program: &Program, func: FuncId) -> bool {
        let function = &program.module.functions[func];
        self.functions.contains(&func)
            || self.makers.contains_key(&func)
            || (self.has_grids && function.is_declaration() && is_launch(&function.name))
            || (function.is_declaration() && ad::is_entry_point(&function.name))
    }

    fn call(&mut self, cx: &mut CallContext<'_, ()>, func: FuncId, args: &[Value]) -> Res<Value> {
        if let Some(maker) = self.makers.get(&func).copied() {
            return self.forward(cx, func, args, maker);
        }
        if is_launch(&cx.program.module.functions[func].name) {
            if !cx.again {
                self.launches(cx, args)?;
            }
            return Err(Fault::declined());
        }
        let at = cx.stack.last().copied();
        let (options, budget, progress) = (self.options.clone(), self.budget, self.progress);
        let Some((index, judged)) = self.site(func, at.as_ref()) else {
            // What was refused is reported once, from the refusal.
            self.stopped_here = !self.refusals.is_empty();
            let name = &cx.program.module.functions[func].name;
            let why = match self.stopped_here {
                true => "has been refused",
                false => "is called through a pointer: only calls that name it are carried out",
            };
            return Err(Fault::unsupported(format!("`{name}` {why}")));
        };
        if let Some(assembly) = self.assembly.clone().filter(|_| is_collective(cx.program, judged)) {
            return self.together(cx, (index, judged), args, &assembly);
        }
        if judged.grid.is_some() {
            // By a thread of a launch that is judged as a whole.
            return Err(Fault::declined());
        }
        if grid::is_of_grid(cx.program, judged) {
            self.sites[index].executed += 1;
            if self.sites[index].judged_count == 0 {
                self.sites[index].note(judge::of_grid(judged, "its kernel does more than to make that call"));
            }
            return Err(Fault::declined());
        }
        if let Some(dense) = &judged.dense {
            let options = judge::Options { limits: cx.within(self.limits()), ..options };
            let found = if cx.parallel { &as_of_thread(cx)? } else { &*cx.memory };
            self.dense(cx.program, (index, judged, dense), (found, args), &options);
            return Err(Fault::declined());
        }
        let is_tape = match (judged.tape, args.last().and_then(Value::first)) {
            (Some(tape), Some(given)) if tape.own => {
                let address = given.as_ptr().addr;
                let maker = if tape.kept { self.alive.get(&address).copied() } else { self.alive.remove(&address) };
                // One that was made within a differentiated call is not known here.
                let block = cx.memory.info(given.as_ptr()).filter(|b| b.life == Life::Live && b.base == address);
                let unknown = maker.is_none() && block.is_some_and(|b| matches!(b.kind, AllocKind::Heap(_)));
                maker == Some(tape.allocating) || unknown
            }
            _ => true,
        };
        let limits = cx.within(self.limits());
        let site = &mut self.sites[index];
        site.executed += 1;
        let options = judge::Options { limits, ..options };
        let tape = judged.tape.and_then(|_| args.split_last());
        let forward = tape.and_then(|(tape, args)| {
            let address = tape.first()?.as_ptr().addr;
            let found = match judged.tape {
                Some(tape) if tape.kept => self.tapes.get(&address).cloned(),
                _ => self.tapes.remove(&address),
            };
            // Other shadows are no fault, but need not have existed then.
            found.filter(|f| {
                same(&f.args, args, &judged.activities, true) || !same(&f.args, args, &judged.activities, false)
            })
        });
        let found = if cx.parallel { &as_of_thread(cx)? } else { &*cx.memory };
        let effects = match (tape, forward) {
            _ if !is_tape => {
                site.note(judge::other_tape(judged));
                None
            }
            (Some((_, args)), Some(forward)) if site.due(budget) => {
                let judgement = match same(&forward.args, args, &judged.activities, false) {
                    true => {
                        let at = (&forward.memory, found, args);
                        judge::judge_split(cx.program, judged, at, site.order, &options)
                    }
                    false => judge::other_arguments(judged),
                };
                site.spent += ONCE + judgement.work;
                site.note(judgement);
                self.total += 1;
                progress(self.total);
                None
            }
            (None, _) if site.due(budget) => {
                let (judgement, effects) = judge::judge(cx.program, judged, (found, args), site.order, &options);
                site.spent += ONCE + judgement.work;
                site.note(judgement);
                self.total += 1;
                progress(self.total);
                Some(effects)
            }
            _ => None,
        };
        // With other threads beside it, the program executes the call itself: they see it as it happens, and races.
        let runs = effects.as_ref().is_none_or(Result::is_ok);
        if cx.parallel && judged.tape.is_none() && runs {
            return Err(Fault::declined());
        }
        let effects = effects.unwrap_or_else(|| judge::plain(cx.program, judged, (found, args), &options));
        match effects {
            Ok(effects) => Ok(go_on(cx, effects)),
            Err(stop) => {
                self.stopped_here = self.has_fault();
                Err(Fault::nested(stop))
            }
        }
    }
}

/// The memory as the running thread sees it, which a nested execution finds as that of its only thread.
fn as_of_thread(cx: &CallContext<'_, ()>) -> Res<Memory> {
    let mut memory = cx.memory.unwatched();
    for (variable, own, size) in &cx.own {
        memory.copy(*variable, *own, *size)?;
    }
    Ok(memory)
}
