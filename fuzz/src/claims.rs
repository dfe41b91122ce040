//! What the analyses claim, refuted by executions: the interpreter as the oracle of `ad`'s analyses.
//!
//! [`ad::claims`] writes probes into a program; here it is executed twice, and what the probes tell is compared:
//!
//! - an address leads to an object, and to an offset in it, that the claim names;
//! - what is claimed to stay in memory is there when the differentiated call ends;
//! - a load finds what the store has left that it is claimed to see;
//! - a loop runs as often as was computed when it was entered;
//! - a number that is claimed to be inactive is the same, bit for bit, when the active inputs are moved by a little in
//!   one direction or the other, as far as the runs execute the same.
//!
//! No derivative, no lane and no rule takes part.

use ad::claims::{Claim, Claimed, Owner, Planted, Probe, What, claims};
use interp::value::{Leaf, Pointer, Scalar, Value};
use interp::{CallContext, Interp, Life, Limits, Machine, Memory, Program, Res};
use ir::hash::{HashMap, HashSet};
use ir::{FloatKind, FuncId, Module};
use std::collections::{BTreeMap, BTreeSet};

/// By what part of itself an input is moved: `double`, `float`.
type Move = (f64, f32);

/// What is constant in pieces may jump one way, and does not the other.
const MOVES: [Move; 2] = [(1e-9, 1e-5), (-1e-9, -1e-5)];

/// Probes of one kind that are remembered in a run.
const REMEMBERED: usize = 1 << 18;

/// A claim that an execution has refuted.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Refuted {
    /// The function.
    pub function: String,
    /// The instruction.
    pub place: String,
    /// What was claimed, and what was so.
    pub message: String,
}

/// What came of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// The claims that were refuted, of so many that were tested.
    Compared {
        /// The refuted claims.
        refuted: Vec<Refuted>,
        /// Claims that were tested, for each kind of claim.
        tested: BTreeMap<&'static str, usize>,
    },
    /// There is nothing to compare: a refusal, or an execution that does not end well.
    Skipped(String),
}

/// Compares what is claimed of the first autodiff call of a module with what executions of `main` do. A defect may be
/// planted in the claims.
pub fn compare(module: &Module, planted: Option<Planted>, limits: &Limits) -> Comparison {
    let claimed = match claims(module, planted) {
        Ok(Some(claimed)) => claimed,
        Ok(None) => return Comparison::Skipped("there is no autodiff call".to_owned()),
        Err(refusal) => return Comparison::Skipped(refusal.message),
    };
    let program = match Program::new(&claimed.module) {
        Ok(program) => program,
        Err(all) => return Comparison::Skipped(all.first().map(ToString::to_string).unwrap_or_default()),
    };
    let run = |moved: Option<Move>| {
        let mut interp = Interp::new(&program, Listener::new(&claimed, moved), limits.clone());
        match interp.run_main(&["program".to_owned()]) {
            interp::Outcome::Finished(_) => Ok(interp.into_parts().0),
            interp::Outcome::Stopped(stop) => Err(stop.to_string()),
        }
    };
    let runs = [None, Some(MOVES[0]), Some(MOVES[1])].map(run);
    let [still, up, down] = match runs {
        [Ok(still), Ok(up), Ok(down)] => [still, up, down],
        [Err(why), ..] | [_, Err(why), _] | [_, _, Err(why)] => return Comparison::Skipped(why),
    };
    let mut found: BTreeMap<usize, String> = still.refuted.clone();
    if !claimed.writes_constants {
        let down: BTreeSet<usize> = changed(&still, &down).into_iter().map(|(claim, _)| claim).collect();
        found.extend(changed(&still, &up).into_iter().filter(|(claim, _)| down.contains(claim)));
    }
    let refuted = found.into_iter().map(|(claim, message)| {
        let Claim { function, place, .. } = claimed.claims[claim].clone();
        Refuted { function, place, message }
    });
    let mut tested = BTreeMap::new();
    for claim in &still.tested {
        *tested.entry(kind(&claimed.claims[*claim].what)).or_default() += 1;
    }
    Comparison::Compared { refuted: refuted.collect(), tested }
}

/// A kind of claim in words.
fn kind(what: &What) -> &'static str {
    match what {
        What::LeadsTo { .. } => "leads to",
        What::Inactive => "inactive",
        What::Stays => "stays",
        What::SeesStore => "sees a store",
        What::RunsSoOften => "trip count",
    }
}

/// Inactive numbers that are not the same when the inputs are moved.
fn changed(still: &Listener, moved: &Listener) -> Vec<(usize, String)> {
    let pairs = still.numbers.iter().zip(&moved.numbers).take_while(|((a, _), (b, _))| a == b);
    let differ = pairs.filter(|((_, a), (_, b))| a != b);
    let message = |a, b| format!("it is claimed to be inactive, and is {a:x?}, but {b:x?} when the inputs are moved");
    differ.map(|((claim, a), (_, b))| (*claim, message(a, b))).collect()
}

/// What is to be the same later.
struct Kept {
    claim: usize,
    at: Pointer,
    bytes: Vec<u8>,
}

/// A call of a function with probes.
#[derive(Default)]
struct Frame {
    /// Objects that began in it.
    objects: Vec<u64>,
    /// For each loop how often it is to run, and how often it has.
    loops: BTreeMap<usize, (u64, u64)>,
    root: bool,
}

/// The machine that listens to probes.
struct Listener<'c> {
    claimed: &'c Claimed,
    moved: Option<Move>,
    /// Objects that were there before the call.
    before: HashSet<u64>,
    /// By provenance: the numbers of an object, and where each begins.
    objects: HashMap<u64, Vec<(usize, u64)>>,
    frames: Vec<Frame>,
    kept: Vec<Kept>,
    /// What stores have left, by claim and address.
    left: HashMap<(usize, u64), Vec<u8>>,
    /// Addresses in memory of the caller that were read or written.
    seen: HashSet<u64>,
    numbers: Vec<(usize, Vec<u128>)>,
    tested: BTreeSet<usize>,
    refuted: BTreeMap<usize, String>,
}

impl<'c> Listener<'c> {
    fn new(claimed: &'c Claimed, moved: Option<Move>) -> Listener<'c> {
        Listener {
            claimed,
            moved,
            before: HashSet::default(),
            objects: HashMap::default(),
            frames: Vec::new(),
            kept: Vec::new(),
            left: HashMap::default(),
            seen: HashSet::default(),
            numbers: Vec::new(),
            tested: BTreeSet::new(),
            refuted: BTreeMap::new(),
        }
    }

    fn refute(&mut self, claim: usize, message: String) {
        self.refuted.entry(claim).or_insert(message);
    }

    fn begins(&mut self, memory: &Memory<()>, root: bool) {
        if root && !self.frames.iter().any(|frame| frame.root) {
            self.before = memory.objects().map(|info| info.pointer().prov).collect();
            self.objects.clear();
            self.kept.clear();
            self.left.clear();
            self.seen.clear();
            self.frames.clear();
        }
        if root || !self.frames.is_empty() {
            self.frames.push(Frame { root, ..Frame::default() });
        }
    }

    fn object(&mut self, object: usize, at: Pointer) {
        let own = self.claimed.owners[object] == Owner::Own;
        // What the differentiated function is given when it calls itself is any memory.
        let again = self.frames.len() > 1;
        let Some(frame) = self.frames.last_mut() else { return };
        if at.prov == 0 || at.addr == 0 || (!own && again) {
            return;
        }
        let names = self.objects.entry(at.prov).or_default();
        if own {
            names.clear();
            frame.objects.push(at.prov);
        }
        names.push((object, at.addr));
    }

    fn leads(&mut self, claim: usize, at: Pointer) {
        if at.prov == 0 {
            return;
        }
        self.tested.insert(claim);
        let said = &self.claimed.claims[claim];
        let others = |o: usize| self.claimed.owners[o] == Owner::Others;
        let names = self.objects.get(&at.prov);
        if matches!(said.what, What::LeadsTo { writes: true, .. }) {
            self.seen.insert(at.addr);
        }
        let right = match names {
            None if !self.before.contains(&at.prov) => true,
            None => said.leads_to_any(others),
            Some(names) => {
                let own = names.iter().any(|(object, _)| !others(*object));
                let there =
                    |(object, begin): &(usize, u64)| said.leads_to(*object, at.addr.wrapping_sub(*begin) as i64);
                // Memory of others may be known under another name, of which it is not told where it begins.
                let unnamed = |o: usize| others(o) && !names.iter().any(|(named, _)| *named == o);
                names.iter().any(there) || !own && said.leads_to_any(unnamed)
            }
        };
        if !right {
            let names: Vec<String> = names
                .into_iter()
                .flatten()
                .map(|(object, begin)| format!("object {object} at {}", at.addr.wrapping_sub(*begin) as i64))
                .collect();
            let message = format!("{:?}, but it leads to {}", said.what, names.join(", "));
            self.refute(claim, message);
        }
    }

    /// Compares what is kept and lies in memory of these objects, or anywhere.
    fn compare_kept(&mut self, memory: &Memory<()>, objects: Option<&[u64]>) {
        let (due, rest): (Vec<Kept>, Vec<Kept>) = std::mem::take(&mut self.kept)
            .into_iter()
            .partition(|kept| objects.is_none_or(|all| all.contains(&kept.at.prov)));
        self.kept = rest;
        for kept in due {
            let live = memory.info(kept.at).is_some_and(|info| info.life == Life::Live);
            let Ok(now) = memory.read_bytes(kept.at, kept.bytes.len() as u64) else { continue };
            if live && now != kept.bytes {
                let message = format!("{:x?} is claimed to stay, and {now:x?} is there at the end", kept.bytes);
                self.refute(kept.claim, message);
            }
        }
    }

    fn ends(&mut self, memory: &Memory<()>) {
        let Some(frame) = self.frames.pop() else { return };
        for (claim, counts) in frame.loops {
            self.compare_count(claim, counts);
        }
        match self.frames.is_empty() {
            true => self.compare_kept(memory, None),
            false => self.compare_kept(memory, Some(&frame.objects)),
        }
    }

    fn compare_count(&mut self, claim: usize, (expected, runs): (u64, u64)) {
        if runs == 0 {
            return;
        }
        self.tested.insert(claim);
        if expected != runs {
            self.refute(claim, format!("it is to run {expected} times, and runs {runs} times"));
        }
    }

    /// An active argument, moved by a little.
    fn argument(&self, given: &Value, leaves: &[Leaf]) -> Value {
        let (Some(by), Some(scalar)) = (self.moved, given.first()) else { return given.clone() };
        match leaves.first() {
            Some(Leaf::Float(FloatKind::Double)) => Value::f64(moved64(by, f64::from_bits(scalar.lo))),
            Some(Leaf::Float(FloatKind::Float)) => {
                Value::scalar(Scalar::f32(moved32(by, f32::from_bits(scalar.lo as u32))))
            }
            _ => given.clone(),
        }
    }

    /// An input moved by a little, if it is one.
    fn input(&mut self, memory: &mut Memory<()>, at: Pointer, size: u64) {
        let inside = self.before.contains(&at.prov) && !self.frames.is_empty();
        let Some(by) = self.moved.filter(|_| inside) else { return };
        if !self.seen.insert(at.addr) {
            return;
        }
        let Ok(bytes) = memory.read_bytes(at, size) else { return };
        let moved = match size {
            8 => bytes.try_into().map(|b| moved64(by, f64::from_le_bytes(b)).to_le_bytes().to_vec()),
            4 => bytes.try_into().map(|b| moved32(by, f32::from_le_bytes(b)).to_le_bytes().to_vec()),
            _ => return,
        };
        if let Ok(bytes) = moved {
            let _ = memory.write_bytes(at, &bytes);
        }
    }
}

/// What rounds to zero may have either sign.
fn without_sign_of_zero(bits: u128, leaf: Leaf) -> u128 {
    match leaf {
        Leaf::Float(kind) if bits == 1 << (kind.bits() - 1) => 0,
        _ => bits,
    }
}

fn moved64((by, _): Move, x: f64) -> f64 {
    x + by * x.abs().max(1e-3)
}

fn moved32((_, by): Move, x: f32) -> f32 {
    x + by * x.abs().max(1e-3)
}

impl Machine for Listener<'_> {
    type Shadow = ();

    fn intercepts(&self, program: &Program, func: FuncId) -> bool {
        Probe::of(&program.module.functions[func].name).is_some()
    }

    fn call(&mut self, cx: &mut CallContext<'_, ()>, func: FuncId, args: &[Value]) -> Res<Value> {
        let Some(probe) = Probe::of(&cx.program.module.functions[func].name) else { return Ok(Value::void()) };
        let word = |n: usize| args.get(n).and_then(Value::first).map_or(0, |scalar: Scalar| scalar.lo);
        let pointer = |n: usize| args.get(n).and_then(Value::first).map_or(Pointer::NULL, Scalar::as_ptr);
        let first = word(0) as usize;
        let inside = !self.frames.is_empty();
        match probe {
            Probe::Begins => self.begins(cx.memory, word(0) == 1),
            Probe::Argument => return Ok(self.argument(&args[0], cx.leaves)),
            _ if !inside => {}
            Probe::Object => self.object(first, pointer(1)),
            Probe::Leads => self.leads(first, pointer(1)),
            Probe::Stays if self.kept.len() < REMEMBERED => {
                if let Ok(bytes) = cx.memory.read_bytes(pointer(1), word(2)) {
                    self.tested.insert(first);
                    self.kept.push(Kept { claim: first, at: pointer(1), bytes });
                }
            }
            Probe::Wrote => {
                if let Ok(bytes) = cx.memory.read_bytes(pointer(1), word(2)) {
                    self.left.insert((first, pointer(1).addr), bytes);
                }
            }
            Probe::Sees => {
                let at = pointer(1);
                if let Ok(now) = cx.memory.read_bytes(at, word(2)) {
                    self.tested.insert(first);
                    match self.left.get(&(first, at.addr)) {
                        Some(left) if *left == now => {}
                        Some(left) => {
                            let message = format!("the store has left {left:x?}, the load finds {now:x?}");
                            self.refute(first, message);
                        }
                        None => self.refute(first, "the store has never left anything there".to_owned()),
                    }
                }
            }
            Probe::Value if self.numbers.len() < REMEMBERED => {
                let defined = args[1].leaves.iter().all(|(scalar, ())| scalar.is_init());
                if defined {
                    self.tested.insert(first);
                    let leaves = args[1].leaves.iter().zip(cx.leaves.iter().skip(1));
                    let bits = leaves.map(|((scalar, ()), leaf)| without_sign_of_zero(scalar.bits(), *leaf)).collect();
                    self.numbers.push((first, bits));
                }
            }
            Probe::Enters => {
                let frame = self.frames.last_mut();
                let old = frame.and_then(|frame| frame.loops.insert(first, (word(1), 0)));
                if let Some(counts) = old {
                    self.compare_count(first, counts);
                }
            }
            Probe::Turns => {
                if let Some((_, runs)) = self.frames.last_mut().and_then(|frame| frame.loops.get_mut(&first)) {
                    *runs += 1;
                }
            }
            Probe::Ends => self.ends(cx.memory),
            Probe::Input => self.input(cx.memory, pointer(0), word(1)),
            Probe::Stays | Probe::Value => {}
        }
        Ok(Value::void())
    }
}
