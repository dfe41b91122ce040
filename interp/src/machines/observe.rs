//! What a run does: counts of it, and a trace of it.
//!
//! Counts are of IR instructions as the module has them: each time a block is entered all of its instructions count, as
//! for the limit of steps. A block is told by the first of its instructions that is executed. Loads and stores are
//! counted one by one, by scalars: a vector is as many as it has lanes, and a variable on the stack is memory, as the
//! IR says.

use crate::machine::{Machine, MemAccess};
use crate::outcome::Location;
use crate::program::Program;
use crate::value::{Leaf, Scalar, Tag};
use ir::hash::HashMap;
use ir::{FuncId, InstId, InstKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How much was loaded or stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Scalars.
    pub count: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Traffic {
    fn add(&mut self, leaf: Leaf) {
        self.count += 1;
        self.bytes += match leaf {
            Leaf::Int(bits) => u64::from(bits).div_ceil(8),
            Leaf::Float(kind) => u64::from(kind.bits()).div_ceil(8),
            Leaf::Ptr => 8,
        };
    }
}

/// Counts of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Instructions by opcode.
    pub instructions: BTreeMap<String, u64>,
    /// Floating-point additions, subtractions, multiplications, divisions, remainders and negations, each lane of a
    /// vector for itself.
    pub floating_point: u64,
    /// Calls of functions without a body, by name.
    pub library: BTreeMap<String, u64>,
    /// What was loaded.
    pub loads: Traffic,
    /// What was stored.
    pub stores: Traffic,
}

/// What to trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traced {
    /// Every instruction, before it is executed.
    pub instructions: bool,
    /// Every scalar that is loaded or stored.
    pub memory: bool,
    /// Every change of the running thread.
    pub threads: bool,
}

/// The machine that counts and traces.
pub struct Observe<'a> {
    program: &'a Program,
    blocks: HashMap<(FuncId, InstId), u64>,
    loads: Traffic,
    stores: Traffic,
    traced: Traced,
    /// The functions to trace; all if there is none.
    only: BTreeSet<FuncId>,
    thread: usize,
    tell: Box<dyn FnMut(&str) + 'a>,
}

impl<'a> Observe<'a> {
    /// Counts only.
    pub fn new(program: &'a Program) -> Observe<'a> {
        Observe {
            program,
            blocks: HashMap::default(),
            loads: Traffic::default(),
            stores: Traffic::default(),
            traced: Traced::default(),
            only: BTreeSet::new(),
            thread: 0,
            tell: Box::new(|_| {}),
        }
    }

    /// Hands a line for each thing traced to `tell`; of these functions only, if any is given.
    pub fn traced(self, traced: Traced, only: BTreeSet<FuncId>, tell: impl FnMut(&str) + 'a) -> Observe<'a> {
        Observe { traced, only, tell: Box::new(tell), ..self }
    }

    /// The counts.
    pub fn counts(&self) -> Counts {
        let module = &self.program.module;
        let mut out = Counts { loads: self.loads, stores: self.stores, ..Counts::default() };
        for ((func, first), times) in &self.blocks {
            let function = &module.functions[*func];
            let of_block = |b: &&ir::BlockId| function.blocks[**b].insts.contains(first);
            let Some(block) = function.layout.iter().find(of_block) else { continue };
            for inst in &function.blocks[*block].insts {
                let opcode = opcode(module, function, *inst);
                let data = &function.insts[*inst];
                if matches!(opcode.as_str(), "fadd" | "fsub" | "fmul" | "fdiv" | "frem" | "fneg") {
                    let lanes = match module.types.get(data.ty) {
                        Type::Vector { len, .. } => u64::from(*len),
                        _ => 1,
                    };
                    out.floating_point += lanes * times;
                }
                let callee = data.kind.as_call().and_then(|c| module.as_function(c.callee));
                if let Some(callee) = callee.map(|f| &module.functions[f]).filter(|f| f.is_declaration()) {
                    *out.library.entry(callee.name.clone()).or_default() += times;
                }
                *out.instructions.entry(opcode).or_default() += times;
            }
        }
        out
    }

    fn wanted(&self, func: FuncId) -> bool {
        self.only.is_empty() || self.only.contains(&func)
    }

    fn access(&mut self, what: &str, access: &MemAccess, value: Scalar) {
        if !self.traced.memory || !self.wanted(access.at.func) {
            return;
        }
        let value = match (value.tag, access.leaf) {
            (Tag::Undef, _) => "undefined".to_owned(),
            (Tag::Poison, _) => "poison".to_owned(),
            (_, Leaf::Float(ir::FloatKind::Double)) => format!("{:e}", f64::from_bits(value.lo)),
            (_, Leaf::Float(ir::FloatKind::Float)) => format!("{:e}", f32::from_bits(value.lo as u32)),
            _ => format!("{:#x}", value.bits()),
        };
        let text = format!("{} {what} {:#x}: {value}", self.place(access.at), access.pointer.addr);
        (self.tell)(&text);
    }

    /// `[thread] function file:line`
    fn place(&self, at: Location) -> String {
        let function = &self.program.module.functions[at.func].name;
        match self.program.source(at).filter(|loc| loc.line > 0) {
            Some(loc) => format!("[{}] {function} {}:{}", self.thread, loc.file, loc.line),
            None => format!("[{}] {function}", self.thread),
        }
    }
}

impl Machine for Observe<'_> {
    type Shadow = ();
    const OBSERVES_MEMORY: bool = true;
    const OBSERVES_STEPS: bool = true;

    fn block(&mut self, first: Location) {
        *self.blocks.entry((first.func, first.inst)).or_default() += 1;
    }

    fn step(&mut self, at: Location, thread: usize) {
        if thread != self.thread {
            self.thread = thread;
            if self.traced.threads {
                let text = format!("{} thread {thread} goes on", self.place(at));
                (self.tell)(&text);
            }
        }
        if self.traced.instructions && self.wanted(at.func) {
            let module = &self.program.module;
            let text = ir::print::print_inst(module, &module.functions[at.func], at.inst);
            let text = format!("{}  {}", self.place(at), text.trim());
            (self.tell)(&text);
        }
    }

    fn load(&mut self, access: &MemAccess, value: Scalar) -> Option<()> {
        self.loads.add(access.leaf);
        self.access("loads from", access, value);
        None
    }

    fn store(&mut self, access: &MemAccess, value: Scalar, (): &()) {
        self.stores.add(access.leaf);
        self.access("stores to", access, value);
    }
}

/// The opcode of an instruction, as the text of IR has it.
fn opcode(module: &ir::Module, function: &ir::Function, inst: InstId) -> String {
    if matches!(function.insts[inst].kind, InstKind::Call(_)) {
        // Perhaps `tail call`.
        return "call".to_owned();
    }
    let text = ir::print::print_inst(module, function, inst);
    let text = text.trim();
    let kind = if text.starts_with('%') { text.split_once(" = ").map_or(text, |(_, kind)| kind) } else { text };
    kind.split_whitespace().next().unwrap_or_default().to_owned()
}
