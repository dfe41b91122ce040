//! Runs of the primal that note what depends on its inputs: which of its answers, how, and where a dependence leaves
//! the floats.

use super::beside::{self, Weighty};
use super::call::{ActiveScalar, Call};
use super::inputs::{Input, Place};
use interp::machines::cells::Cell;
use interp::machines::{Dependence, Dependent};
use interp::{Interp, Limits, Location, Memory, Program, Stop, Value};

/// How the answers of the primal depend on its inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Paths {
    /// A digest of what the run decides.
    pub decisions: u64,
    /// Does a function that is declared inactive return what depends on the inputs? Differences do not know of the
    /// declaration.
    pub declared: bool,
    /// Does a lost dependence reach an answer, and where was it lost?
    pub lost: Option<Option<Location>>,
}

/// A run.
pub struct Dependences {
    pub machine: Dependence,
    pub memory: Memory<Dependent>,
    pub result: Value<Dependent>,
    /// What other ranks leave.
    pub elsewhere: Vec<Weighty<Dependent>>,
}

/// What is run.
pub struct Run<'a> {
    pub program: &'a Program,
    pub call: &'a Call,
    pub inputs: &'a [Input],
    pub limits: &'a Limits,
    /// What forgets a dependence: a fault of the judge itself.
    pub machine: Dependence,
}

impl Run<'_> {
    /// Runs the primal from this memory, with these arguments.
    pub fn execute(self, memory: &Memory<()>, args: &[Value]) -> Result<Dependences, Stop> {
        let mut memory: Memory<Dependent> = memory.without_shadows();
        let mut args: Vec<Value<Dependent>> = args.iter().map(Value::without_shadows).collect();
        for input in self.inputs {
            match input.place {
                Place::Cell(cell) => memory.set_shadow(cell.pointer(), cell.size(), Dependent::Number(None)),
                Place::Scalar(scalar) => {
                    let ActiveScalar { parameter, leaf, .. } = self.call.scalars[scalar];
                    if let Some((_, shadow)) = args.get_mut(parameter).and_then(|v| v.leaves.get_mut(leaf)) {
                        *shadow = Dependent::Number(None);
                    }
                }
            }
        }
        let mut interp = Interp::with_memory(self.program, self.machine, memory, self.limits.clone());
        let (result, others) = self.call.execute(&mut interp, self.call.primal, &args)?;
        let (mut machine, memory) = interp.into_parts();
        let elsewhere = self.call.elsewhere(&others);
        machine.decisions = beside::decisions(&machine, &others);
        machine.declared |= others.iter().any(|other| other.machine.declared);
        Ok(Dependences { machine, memory, result, elsewhere })
    }
}

impl Dependences {
    /// Which answers, among these cells and the result, depend on inputs in other ways than as numbers.
    pub fn paths(&self, exit: &[Cell], returns: bool) -> Paths {
        let mut lost = None;
        for cell in exit {
            let shadows = self.memory.touched_shadows(cell.pointer(), cell.size());
            lost = lost.or(shadows.iter().find_map(|(.., shadow)| shadow.lost()));
        }
        if returns {
            lost = lost.or(self.result.leaves.first().and_then(|(_, shadow)| shadow.lost()));
        }
        lost = lost.or(self.elsewhere.iter().find_map(|output| output.shadow.lost()));
        Paths { decisions: self.machine.decisions, declared: self.machine.declared, lost }
    }
}
