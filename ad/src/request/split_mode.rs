//! The calls of split mode: `__enzyme_augmentfwd`, `__enzyme_reverse`, `__enzyme_augmentsize`.
//!
//! Their arguments are those of `__enzyme_autodiff`; between them may stand
//!
//! - `enzyme_allocated, bytes` and `enzyme_tape, pointer`: the tape is that memory of the caller;
//! - `enzyme_nofree`: the reverse leaves the tape as it is, for another reverse;
//! - `enzyme_not_overwritten`: the caller does not write, before the reverse, to the memory it passes.
//!
//! The augmented forward returns the tape unless it is given, then the result of the function and its shadow, as far as
//! the call is declared to return them. The reverse gets, after the arguments, the adjoint of the result if that is a
//! float, and the tape unless it is given. The size of a tape depends on the markers alone, so `__enzyme_augmentsize`
//! needs no arguments.

use crate::base::builder::Builder;
use crate::base::names::unique;
use crate::error::{Diagnostic, Reason};
use crate::mode::{Activity, Kind};
use crate::program::pieces;
use crate::request::call_site::Site;
use crate::request::entry_points::{Step, step};
use crate::request::markers::Argument;
use crate::request::{call_site, grouped, markers};
use ir::{Call, FuncId, Function, InstId, InstKind, Module, Operand};

/// A function split in two, behind the interface of the two calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Split {
    /// `augmented(arguments with shadows…, tape) -> tuple`: fills the tape.
    pub augmented: FuncId,
    /// The same on a tape of its own: `augmented(arguments with shadows…) -> { tape, … }`.
    pub allocating: FuncId,
    /// `reverse(arguments with shadows…, adjoint of the result, tape) -> components`: uses the tape up.
    pub reverse: FuncId,
    /// The same on a tape that `allocating` made, which it frees.
    pub freeing: FuncId,
    /// The reverse that leaves the tape as it is.
    pub keeping: FuncId,
    /// Both passes with nothing in between: of the signature of a combined gradient.
    pub both: FuncId,
    /// Bytes of a tape.
    pub size: u64,
}

/// A call of split mode.
#[derive(Clone, Debug)]
pub struct Request {
    /// The function that contains the call.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// What is asked.
    pub step: Step,
    /// The function to differentiate.
    pub primal: FuncId,
    /// One for each of its parameters.
    pub activities: Vec<Activity>,
    /// What the arguments may be written to between the two calls.
    pub overwritten: bool,
    arguments: Vec<Argument>,
    seed: Option<Operand>,
    tape: Option<Operand>,
    allocated: Option<Operand>,
    /// The reverse leaves the tape as it is.
    pub keep: bool,
    result: Option<Operand>,
}

/// Finds the calls of a module, each parsed or refused.
pub fn find(m: &Module) -> Vec<Result<Request, (FuncId, InstId, Diagnostic)>> {
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            let Some(callee) = m.as_function(call.callee) else { continue };
            let name = &m.functions[callee].name;
            if let Some(step) = step(name) {
                out.push(parse(m, (caller, func, site), call, (name, step)).map_err(|message| {
                    let reason = Reason::of_request(&message);
                    (caller, site, Diagnostic::at(m, func, site, reason, message))
                }));
            }
        }
    }
    out
}

fn parse(
    m: &Module,
    (caller, func, site): (FuncId, &Function, InstId),
    call: &Call,
    (name, step): (&str, Step),
) -> Result<Request, String> {
    let mut args = call.args.clone().into_iter().peekable();
    let result = if call.arg_attrs.first().is_some_and(|a| a.has("sret")) { args.next() } else { None };
    let primal = markers::function_argument(m, func, args.next(), name)?;
    let f = &m.functions[primal];
    if f.is_declaration() {
        return Err(format!("`{}` has no body here, so it cannot be differentiated", f.name));
    }
    markers::returns_number(m, f)?;
    let mut request = Request {
        caller,
        site,
        step,
        primal,
        activities: Vec::new(),
        overwritten: true,
        arguments: Vec::new(),
        seed: None,
        tape: None,
        allocated: None,
        keep: false,
        result,
    };
    let together = pieces::beginnings(m, f);
    // Where only markers are given, that of a structure stands for all its pieces.
    let (mut within, mut of_structure) = (0_usize, None);
    for (i, param) in f.params.iter().enumerate() {
        let which = format!("argument {} of `{}`", i + 1, f.name);
        request.options(m, func, &mut args)?;
        if together[i] > 1 && step != Step::Size {
            let structure = (f, i, together[i]);
            let ordered = grouped::in_order(m, func, Kind::Autodiff, structure, (args.clone(), 1))?;
            args = ordered.map_or(args, |ordered| ordered.into_iter().peekable());
        }
        let marker = match args.peek() {
            _ if within > 0 => of_structure.filter(|_| grouped::has_marker(m, param.ty)),
            Some(arg) => markers::marker(m, func, *arg)?,
            None => None,
        };
        if marker.is_some() && within == 0 {
            args.next();
        }
        within = within.saturating_sub(1);
        if together[i] > 1 && step == Step::Size {
            (within, of_structure) = (together[i] - 1, marker);
        }
        let activity = markers::activity(m, marker, param.ty)
            .map_err(|(activity, why)| format!("{which} is marked {}, {why}", activity.marker()))?;
        request.activities.push(activity);
        if step == Step::Size {
            continue;
        }
        let primal = args.next().ok_or_else(|| format!("too few arguments: {which} is missing"))?;
        markers::check_type(m, func, primal, param.ty, &which)?;
        let mut shadows = Vec::new();
        if activity.is_dup() {
            let which = format!("the shadow of {which}");
            let given = markers::shadow_argument(m, func, args.next(), param.ty, &which)?;
            markers::distinct(m, func, (primal, given), &which)?;
            shadows.push(given);
        }
        request.arguments.push(Argument { activity, primal, shadows });
    }
    request.options(m, func, &mut args)?;
    if step == Step::Reverse {
        if m.types.float_kind(f.ret).is_some() {
            let which = "the adjoint of the returned value, which stands after the arguments,";
            let seed = args.next().ok_or_else(|| format!("{which} is missing"))?;
            markers::check_type(m, func, seed, f.ret, which)?;
            request.seed = Some(seed);
        }
        request.options(m, func, &mut args)?;
        if request.tape.is_none() {
            request.tape = Some(args.next().ok_or("the tape, which stands last, is missing")?);
        }
        let tape = request.tape.map(|t| m.operand_ty(func, t));
        if !tape.is_some_and(|ty| m.types.is_ptr(ty)) {
            return Err("the tape is not a pointer".to_owned());
        }
    } else if request.allocated.is_some() != request.tape.is_some() {
        return Err("a tape of the caller's own needs `enzyme_allocated, bytes` and `enzyme_tape, pointer`".to_owned());
    }
    if args.next().is_some() {
        return Err(markers::too_many(f));
    }
    Ok(request)
}

impl Request {
    /// Reads the options that stand next.
    fn options(&mut self, m: &Module, func: &Function, args: &mut markers::Arguments) -> Result<(), String> {
        while let Some(name) = args.peek().and_then(|arg| markers::marker_name(m, func, *arg)) {
            let value = match name.as_str() {
                "enzyme_allocated" => &mut self.allocated,
                "enzyme_tape" => &mut self.tape,
                "enzyme_nofree" => {
                    self.keep = true;
                    args.next();
                    continue;
                }
                "enzyme_not_overwritten" => {
                    self.overwritten = false;
                    args.next();
                    continue;
                }
                _ => return Ok(()),
            };
            args.next();
            *value = Some(args.next().ok_or_else(|| format!("a value must follow `{name}`"))?);
        }
        Ok(())
    }

    /// Is the tape a block that the augmented forward allocates?
    pub fn is_own(&self) -> bool {
        self.allocated.is_none()
    }

    fn misuse<T>(&self, m: &Module, message: impl Into<String>) -> Result<T, Diagnostic> {
        Err(Diagnostic::at(m, &m.functions[self.caller], self.site, Reason::Misuse, message))
    }

    /// Puts what the function was split into where the call stands; says which function is called now.
    pub fn replace(&self, m: &mut Module, split: &Split) -> Result<FuncId, Diagnostic> {
        if let Some(bytes) = self.allocated.and_then(|bytes| m.as_int(bytes)).filter(|b| *b < u128::from(split.size)) {
            let name = &m.functions[self.primal].name;
            let message = format!(
                "the tape of `{name}` takes {} bytes, not {bytes}: `__enzyme_augmentsize` tells how many",
                split.size
            );
            return self.misuse(m, message);
        }
        let mut values: Vec<Operand> = Vec::new();
        for argument in &self.arguments {
            values.push(argument.primal);
            values.extend(&argument.shadows);
        }
        let function = match (self.step, self.tape) {
            (Step::Size, _) => self.size_function(m, split)?,
            (Step::Augment, None) => split.allocating,
            (Step::Augment, Some(tape)) => {
                values.push(tape);
                split.augmented
            }
            (Step::Reverse, tape) => {
                values.extend(self.seed);
                values.extend(tape);
                match (self.keep, self.allocated) {
                    (true, _) => split.keeping,
                    (false, None) => split.freeing,
                    (false, Some(_)) => split.reverse,
                }
            }
        };
        let called = if self.step == Step::Augment { self.shaped(m, function)? } else { function };
        let site = Site { caller: self.caller, inst: self.site, result: self.result };
        call_site::call(m, site, called, values)?;
        Ok(function)
    }

    /// A function that calls the augmented forward and returns as much of what it returns as the call is declared to
    /// return.
    fn shaped(&self, m: &mut Module, function: FuncId) -> Result<FuncId, Diagnostic> {
        let caller = &m.functions[self.caller];
        let site = &caller.insts[self.site];
        let through_memory = site.kind.as_call().and_then(|c| c.arg_attrs.first()?.ty("sret"));
        let wanted = through_memory.unwrap_or(site.ty);
        let used = site.result.is_some_and(|v| {
            caller.inst_order().any(|(_, i)| caller.insts[i].kind.operands().contains(&Operand::Local(v)))
        });
        let ret = m.functions[function].ret;
        let returned = m.types.fields(ret).map(|(fields, _)| fields.to_vec()).unwrap_or_default();
        let fields = m.types.fields(wanted).map(|(fields, _)| fields.len());
        let parts: Vec<u32> = match fields {
            _ if returned.is_empty() => return Ok(function),
            Some(n) => (0..n.min(returned.len()) as u32).collect(),
            None => returned.iter().position(|ty| *ty == wanted).map(|i| i as u32).into_iter().collect(),
        };
        if parts.is_empty() && used {
            let name = &m.functions[self.primal].name;
            let message = format!(
                "the augmented forward of `{name}` returns the tape unless it is given, then the result of `{name}` \
                 and its shadow; the call is declared to return something else"
            );
            return self.misuse(m, message);
        }
        let params: Vec<ir::TypeId> = m.functions[function].params.iter().map(|p| p.ty).collect();
        let types: Vec<ir::TypeId> = parts.iter().map(|i| returned[*i as usize]).collect();
        let shape = match (types.len(), fields) {
            (0, _) => m.types.void(),
            (_, None) => types[0],
            (_, Some(_)) => m.types.tuple(types),
        };
        let name = unique(m, &format!("__adj_augmented_{}", m.functions[self.primal].name));
        let mut f = Function::new(&name, shape, &params);
        f.flags.linkage = "internal".to_owned();
        let mut b = Builder::new(m, f);
        let args = (0..params.len()).map(|i| b.f.param(i)).collect();
        let mut value = None;
        if let Some(whole) = b.call(function, args) {
            for (n, part) in parts.iter().enumerate() {
                let part = b.extract(whole, *part);
                let shaped = value.unwrap_or_else(|| b.m.constant(shape, ir::ConstKind::Poison));
                value = Some(if fields.is_some() { b.insert(shaped, part, n as u32) } else { part });
            }
        }
        b.effect(InstKind::Ret(value));
        let f = b.f;
        Ok(m.functions.push(f))
    }

    /// A function that returns the size, in the type that the call is declared to return.
    fn size_function(&self, m: &mut Module, split: &Split) -> Result<FuncId, Diagnostic> {
        let ty = m.functions[self.caller].insts[self.site].ty;
        let &ir::Type::Int(bits) = m.types.get(ty) else {
            return self.misuse(m, "the size of a tape is an integer");
        };
        let name = unique(m, &format!("__adj_size_{}", m.functions[self.primal].name));
        let mut f = Function::new(&name, ty, &[]);
        f.flags.linkage = "internal".to_owned();
        let size = m.int(bits, u128::from(split.size));
        let mut b = Builder::new(m, f);
        b.effect(InstKind::Ret(Some(size)));
        let f = b.f;
        Ok(m.functions.push(f))
    }
}
