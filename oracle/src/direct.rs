//! One function at one point, without a `main`: the arguments with their activities and values are given in Rust.
//!
//! ```
//! # fn main() -> Result<(), adjudicate::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("line.c");
//! # std::fs::write(&path, "double dot(const double *x, double s, int n) { double y = 0; for (int i = 0; i < n; i++) y += s * x[i] * x[i]; return y; }").unwrap();
//! // double dot(const double *x, double s, int n)
//! let report = adjudicate::check(path).levels(["O1"]).function("dot").dup(&[1.2, 0.8]).out(0.5).constant(2).run()?;
//! report.assert_correct();
//! let gradient = &report.levels[0].gradients[0];
//! assert_eq!(gradient.components[0].name, "x[0]");
//! assert_eq!(gradient.components[0].expected, 1.2);
//! # Ok(())
//! # }
//! ```

use crate::check::{Check, finish};
use crate::error::Error;
use crate::judge;
use crate::report::{Ending, Finding, Gradient, LevelReport, Report};
use crate::session::{Options, located};
use crate::verdict::Verdict;
use ad::Activity;
use ad::Judged;
use interp::value::Flat;
use interp::{AllocKind, Interp, Leaf, Memory, Plain, Pointer, Program, Scalar, Value};
use ir::{FloatKind, FuncId, InstId, Module};
use std::rc::Rc;

/// The value of a constant argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer, of the parameter's width.
    Int(i64),
    /// A number, of the parameter's format.
    Float(f64),
    /// An array of doubles behind a pointer.
    Doubles(Vec<f64>),
    /// An array of `int` behind a pointer.
    Ints(Vec<i32>),
}

impl From<i32> for Constant {
    fn from(value: i32) -> Constant {
        Constant::Int(i64::from(value))
    }
}

impl From<i64> for Constant {
    fn from(value: i64) -> Constant {
        Constant::Int(value)
    }
}

impl From<usize> for Constant {
    fn from(value: usize) -> Constant {
        Constant::Int(value as i64)
    }
}

impl From<f64> for Constant {
    fn from(value: f64) -> Constant {
        Constant::Float(value)
    }
}

impl From<&[f64]> for Constant {
    fn from(value: &[f64]) -> Constant {
        Constant::Doubles(value.to_vec())
    }
}

impl<const N: usize> From<&[f64; N]> for Constant {
    fn from(value: &[f64; N]) -> Constant {
        Constant::Doubles(value.to_vec())
    }
}

impl From<&[i32]> for Constant {
    fn from(value: &[i32]) -> Constant {
        Constant::Ints(value.to_vec())
    }
}

impl<const N: usize> From<&[i32; N]> for Constant {
    fn from(value: &[i32; N]) -> Constant {
        Constant::Ints(value.to_vec())
    }
}

/// Numbers of one format behind a duplicated pointer.
#[derive(Clone, Debug)]
enum Numbers {
    Doubles(Vec<f64>),
    Floats(Vec<f32>),
}

impl Numbers {
    fn bits(&self) -> (FloatKind, Vec<u128>) {
        match self {
            Numbers::Doubles(v) => (FloatKind::Double, v.iter().map(|x| u128::from(x.to_bits())).collect()),
            Numbers::Floats(v) => (FloatKind::Float, v.iter().map(|x| u128::from(x.to_bits())).collect()),
        }
    }
}

/// An argument of the call.
#[derive(Clone, Debug)]
enum Argument {
    Dup { primal: Numbers, shadow: Numbers },
    Out(f64),
    Constant(Constant),
}

/// A check of one function.
pub struct FunctionCheck {
    check: Check,
    name: String,
    arguments: Vec<Argument>,
    seed: f64,
}

impl FunctionCheck {
    pub(crate) fn new(check: Check, name: String) -> FunctionCheck {
        FunctionCheck { check, name, arguments: Vec::new(), seed: 1.0 }
    }

    /// The next argument: a pointer to these doubles, duplicated, with a shadow of zeros.
    #[must_use]
    pub fn dup(self, values: &[f64]) -> FunctionCheck {
        let zeros = vec![0.0; values.len()];
        self.dup_with(values, &zeros)
    }

    /// The next argument: a pointer to these doubles, duplicated, with this shadow on entry.
    #[must_use]
    pub fn dup_with(mut self, values: &[f64], shadow: &[f64]) -> FunctionCheck {
        let (primal, shadow) = (Numbers::Doubles(values.to_vec()), Numbers::Doubles(shadow.to_vec()));
        self.arguments.push(Argument::Dup { primal, shadow });
        self
    }

    /// The next argument: a pointer to these `float`s, duplicated, with a shadow of zeros.
    #[must_use]
    pub fn dup_f32(mut self, values: &[f32]) -> FunctionCheck {
        let (primal, shadow) = (Numbers::Floats(values.to_vec()), Numbers::Floats(vec![0.0; values.len()]));
        self.arguments.push(Argument::Dup { primal, shadow });
        self
    }

    /// The next argument: an active scalar.
    #[must_use]
    pub fn out(mut self, value: f64) -> FunctionCheck {
        self.arguments.push(Argument::Out(value));
        self
    }

    /// The next argument: a constant.
    #[must_use]
    pub fn constant(mut self, value: impl Into<Constant>) -> FunctionCheck {
        self.arguments.push(Argument::Constant(value.into()));
        self
    }

    /// The seed of the result: 1 unless told otherwise.
    #[must_use]
    pub fn seed(mut self, seed: f64) -> FunctionCheck {
        self.seed = seed;
        self
    }

    /// Makes the check.
    pub fn run(self) -> Result<Report, Error> {
        if self.check.is_of_ranks() {
            return Err(Error::Usage("one function is checked alone, not as ranks".to_owned()));
        }
        let name = self.check.input().name();
        let levels = self.check.each_level(|module, level, options, progress| {
            let judge =
                |how: &ad::Options| options.each_run(|options| self.level(module.clone(), level, (options, how)));
            let report = located(options.fault, judge);
            progress(1);
            report
        })?;
        Ok(finish(&name, levels).with_native_calls(self.check.bridge()))
    }

    fn level(
        &self,
        mut module: Module,
        level: &str,
        (options, how): (&Options, &ad::Options),
    ) -> Result<LevelReport, Error> {
        let start = std::time::Instant::now();
        let mut report = LevelReport::empty(level);
        let defined = |m: &Module| m.function(&self.name).filter(|f| !m.functions[*f].is_declaration());
        let Some(primal) = defined(&module) else {
            let hint = "a `static` function that nothing calls is dropped by the compiler";
            return Err(Error::Usage(format!("the program does not define a function `{}` ({hint})", self.name)));
        };
        let wanted = module.functions[primal].params.len();
        if wanted != self.arguments.len() {
            let given = self.arguments.len();
            return Err(Error::Usage(format!("`{}` takes {wanted} arguments, not {given}", self.name)));
        }
        let activities: Vec<Activity> = self.arguments.iter().map(Argument::activity).collect();
        let gradient = match ad::gradient_of(&mut module, primal, &activities, how) {
            Ok(gradient) => gradient,
            Err(diagnostic) => {
                report.problems.push(Finding::new(Verdict::Unsupported, diagnostic.to_string()));
                return Ok(report);
            }
        };
        let seeded = module.types.float_kind(module.functions[primal].ret).is_some();
        let loc = module.function_loc(&module.functions[primal]);
        let site = InstId::from_u32(0);
        let judged = Judged {
            caller: primal,
            site,
            loc,
            function: gradient,
            mode: ad::Mode::Reverse,
            style: ad::Style::default(),
            primal,
            gradient,
            activities,
            seeded,
            given: false,
            tape: None,
            dense: None,
            grid: None,
        };
        let program = match Program::shared(Rc::new(module)) {
            Ok(program) => program,
            Err(diagnostics) => {
                report.problems.extend(diagnostics.iter().map(|d| Finding::new(Verdict::Unsupported, d.to_string())));
                return Ok(report);
            }
        };
        let judging = options.judging();
        let (memory, args) = self.prepare(&program, primal, seeded, &judging)?;
        let (judgement, _) = judge::judge(&program, &judged, (&memory, &args), 1, &judging);
        let compared = judgement.basis.components > 0;
        let judgement = if compared { judgement } else { judgement.unless_correct(&judged) };
        let name = |f: FuncId| program.module.functions[f].name.clone();
        report.gradients.push(Gradient {
            function: name(primal),
            gradient: name(gradient),
            given: false,
            mode: judged.mode.into(),
            call: judged.loc.clone().map(Into::into),
            executed: 1,
            judged: 1,
            verdict: judgement.verdict,
            execution: 1,
            finding: judgement.finding,
            components: judgement.components,
            component_count: judgement.component_count,
            basis: judgement.basis,
            accuracy: judgement.accuracy,
            remarks: judgement.remarks,
            tape: judgement.tape,
            run: 0,
            steady: true,
        });
        report.ending = Ending::Finished { status: 0 };
        report.seconds = start.elapsed().as_secs_f64();
        Ok(report)
    }

    /// Memory with the arguments' data, and the arguments of the gradient.
    fn prepare(
        &self,
        program: &Program,
        primal: FuncId,
        seeded: bool,
        judging: &judge::Options,
    ) -> Result<(Memory<()>, Vec<Value>), Error> {
        let mut interp = Interp::new(program, Plain, judging.limits.clone());
        for constructor in &program.constructors {
            let run = interp.call(*constructor, &[]);
            run.map_err(|stop| Error::Unsupported(format!("a constructor of the program fails: {stop}")))?;
        }
        let (_, mut memory) = interp.into_parts();
        let module = &program.module;
        let mut args = Vec::new();
        for (index, (argument, param)) in self.arguments.iter().zip(&module.functions[primal].params).enumerate() {
            let which = || format!("argument {} of `{}`", index + 1, self.name);
            let flat = Flat::new(&module.types, &module.layout, param.ty).map_err(Error::Unsupported)?;
            let [(leaf, _)] = flat.leaves.as_slice() else {
                return Err(Error::Unsupported(format!("{} is a structure passed by value", which())));
            };
            argument.values(*leaf, &mut memory, &mut args).map_err(|why| Error::Usage(format!("{} {why}", which())))?;
        }
        if let (true, Some(kind)) = (seeded, module.types.float_kind(module.functions[primal].ret)) {
            args.push(number(kind, self.seed).ok_or_else(|| Error::Unsupported("a result of this format".to_owned()))?);
        }
        Ok((memory, args))
    }
}

impl Argument {
    fn activity(&self) -> Activity {
        match self {
            Argument::Dup { .. } => Activity::Dup,
            Argument::Out(_) => Activity::Out,
            Argument::Constant(_) => Activity::Const,
        }
    }

    /// Appends the value, and the shadow if there is one; an error says why it does not fit the parameter.
    fn values(&self, leaf: Leaf, memory: &mut Memory<()>, args: &mut Vec<Value>) -> Result<(), String> {
        match (self, leaf) {
            (Argument::Dup { primal, shadow }, Leaf::Ptr) => {
                for numbers in [primal, shadow] {
                    let (kind, bits) = numbers.bits();
                    args.push(Value::ptr(array(memory, Leaf::Float(kind), &bits)?));
                }
            }
            (Argument::Out(x) | Argument::Constant(Constant::Float(x)), Leaf::Float(kind)) => {
                args.push(number(kind, *x).ok_or("has a format that is not supported here")?);
            }
            (Argument::Constant(Constant::Int(n)), Leaf::Int(bits)) => {
                args.push(Value::scalar(Scalar::word(*n as u64 & interp::value::mask64(bits))));
            }
            (Argument::Constant(Constant::Doubles(v)), Leaf::Ptr) => {
                let bits: Vec<u128> = v.iter().map(|x| u128::from(x.to_bits())).collect();
                args.push(Value::ptr(array(memory, Leaf::Float(FloatKind::Double), &bits)?));
            }
            (Argument::Constant(Constant::Ints(v)), Leaf::Ptr) => {
                let bits: Vec<u128> = v.iter().map(|x| u128::from(*x as u32)).collect();
                args.push(Value::ptr(array(memory, Leaf::Int(32), &bits)?));
            }
            (Argument::Dup { .. }, _) => return Err("is not a pointer".to_owned()),
            (Argument::Out(_), _) => return Err("is not a floating-point number".to_owned()),
            (Argument::Constant(value), _) => return Err(format!("does not take {value:?}")),
        }
        Ok(())
    }
}

fn number(kind: FloatKind, value: f64) -> Option<Value> {
    match kind {
        FloatKind::Double => Some(Value::f64(value)),
        FloatKind::Float => Some(Value::scalar(Scalar::f32(value as f32))),
        FloatKind::Half | FloatKind::BFloat | FloatKind::X86Fp80 | FloatKind::Fp128 => None,
    }
}

/// A static array with these elements.
fn array(memory: &mut Memory<()>, leaf: Leaf, elements: &[u128]) -> Result<Pointer, String> {
    let size = leaf.store_size();
    let at = memory.allocate(size * elements.len() as u64, 16, AllocKind::Stack, None).map_err(|f| f.message)?;
    for (i, bits) in elements.iter().enumerate() {
        let place = at.offset((size * i as u64) as i64);
        memory.store(place, leaf, Scalar::wide(*bits), 1).map_err(|f| f.message)?;
    }
    Ok(at)
}

impl Check {
    /// Instead of the whole program, one function at one point: see [`crate::direct`].
    #[must_use]
    pub fn function(self, name: impl Into<String>) -> FunctionCheck {
        FunctionCheck::new(self, name.into())
    }
}
