//! Differentiated calls: who asks for which gradient, with which arguments (design §8).
//!
//! `__enzyme_autodiff(f, …)`, `__enzyme_fwddiff(f, …)`, `__adj_check_gradient(f, df, …)` and
//! `__adj_check_tangent(f, df, …)` are recognised by name. A marker is an argument that reads one of the
//! globals `enzyme_const`, `enzyme_dup`, …; without one, a float by value is active, a pointer duplicated and
//! everything else constant. In forward mode an active float by value is duplicated too: its tangent follows it.
//! `enzyme_width, n` before the arguments asks for n directions at once: n shadows or tangents follow each
//! duplicated argument.

use crate::error::{Diagnostic, Reason};
use crate::known::{External, classify};
use ir::{Call, ConstExpr, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// The activity of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activity {
    /// No derivative.
    Const,
    /// A pointer with a shadow; in forward mode also a float with its tangent.
    Dup,
    /// The same, but the primal result is not needed.
    DupNoNeed,
    /// A float by value, whose adjoint is returned.
    Out,
}

impl Activity {
    /// The marker's name.
    pub fn marker(self) -> &'static str {
        match self {
            Activity::Const => "enzyme_const",
            Activity::Dup => "enzyme_dup",
            Activity::DupNoNeed => "enzyme_dupnoneed",
            Activity::Out => "enzyme_out",
        }
    }

    /// Is it followed by a shadow?
    pub fn is_dup(self) -> bool {
        matches!(self, Activity::Dup | Activity::DupNoNeed)
    }
}

/// An argument of a differentiated call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its activity.
    pub activity: Activity,
    /// The primal value.
    pub primal: Operand,
    /// The shadows of a duplicated pointer, or the tangents of a float: one for each direction.
    pub shadows: Vec<Operand>,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Make the reverse-mode gradient and call it.
    Autodiff,
    /// Judge this function as the gradient.
    Check(FuncId),
    /// Make the forward-mode tangent and call it.
    Forward,
    /// Judge this function as the tangent.
    CheckTangent(FuncId),
}

impl Kind {
    /// Is it a call of the forward mode?
    pub fn is_forward(self) -> bool {
        matches!(self, Kind::Forward | Kind::CheckTangent(_))
    }

    /// The derivative that the program gives itself.
    pub fn given(self) -> Option<FuncId> {
        match self {
            Kind::Check(f) | Kind::CheckTangent(f) => Some(f),
            Kind::Autodiff | Kind::Forward => None,
        }
    }
}

/// In which direction derivatives go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Mode {
    /// From the results to the inputs.
    #[default]
    Reverse,
    /// From the inputs to the results, along `width` directions at once.
    Forward {
        /// The number of directions.
        width: usize,
    },
}

impl Mode {
    /// Shadows of each duplicated argument.
    pub fn width(self) -> usize {
        match self {
            Mode::Reverse => 1,
            Mode::Forward { width } => width,
        }
    }
}

/// A differentiated call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function that contains the call.
    pub caller: FuncId,
    /// The call.
    pub site: InstId,
    /// What is asked.
    pub kind: Kind,
    /// The mode.
    pub mode: Mode,
    /// The function to differentiate.
    pub primal: FuncId,
    /// One for each of its parameters.
    pub arguments: Vec<Argument>,
    /// The seed given to a checked gradient.
    pub seed: Option<Operand>,
    /// Where the components are stored when the call returns them through memory.
    pub result: Option<Operand>,
}

/// The name that marks a differentiated call.
const AUTODIFF: &str = "__enzyme_autodiff";
/// The name that marks a call of the forward mode.
const FORWARD: &str = "__enzyme_fwddiff";
/// The names of the judging calls.
const CHECK: &str = "__adj_check_gradient";
const CHECK_TANGENT: &str = "__adj_check_tangent";
/// Directions at most: each duplicated argument is copied that often.
const MAX_WIDTH: u128 = 64;
/// Other entry points of Enzyme's surface: recognised so that they are refused by name.
const OTHER: &[&str] = &[
    "__enzyme_fwdsplit",
    "__enzyme_augmentfwd",
    "__enzyme_reverse",
    "__enzyme_batch",
    "__enzyme_virtualreverse",
    "__enzyme_error_estimate",
    "__enzyme_truncate",
    "__enzyme_todense",
];

/// Is a function of that name an entry point of differentiation?
pub fn is_entry_point(name: &str) -> bool {
    [AUTODIFF, FORWARD, CHECK, CHECK_TANGENT].iter().chain(OTHER).any(|n| name.contains(n))
}

/// Finds the differentiated calls of a module, each parsed or refused.
pub fn find(m: &Module) -> Vec<Result<Request, (FuncId, InstId, Diagnostic)>> {
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            let Some(callee) = m.as_function(call.callee) else { continue };
            let name = &m.functions[callee].name;
            if is_entry_point(name) {
                out.push(parse(m, caller, func, site, call, name).map_err(|message| {
                    let reason = if message.starts_with("unsupported") { Reason::Unsupported } else { Reason::Misuse };
                    (caller, site, Diagnostic::at(m, func, site, reason, message))
                }));
            }
        }
    }
    out
}

fn parse(
    m: &Module,
    caller: FuncId,
    func: &Function,
    site: InstId,
    call: &Call,
    name: &str,
) -> Result<Request, String> {
    if let Some(other) = OTHER.iter().find(|n| name.contains(*n)) {
        return Err(format!("unsupported: `{other}` is not implemented, only `{AUTODIFF}` and `{FORWARD}`"));
    }
    let mut args = call.args.iter().copied().peekable();
    let result = if call.arg_attrs.first().is_some_and(|a| a.has("sret")) { args.next() } else { None };
    let primal = function_argument(m, func, args.next(), name)?;
    let kind = kind(m, func, name, &mut args)?;
    let f = &m.functions[primal];
    if f.is_declaration() && matches!(classify(m, f), External::Unknown) {
        return Err(format!("`{}` has no body here, so it cannot be differentiated", f.name));
    }
    let width = width(m, func, kind, &mut args)?;
    let mut arguments = Vec::new();
    for (i, param) in f.params.iter().enumerate() {
        if i == 0 && kind.is_forward() && param.attrs.has("sret") {
            // The structure that the function returns through memory is no argument of the call: the call returns its tangents.
            let slot = result.ok_or("the call must return the tangent of the structure that the function returns")?;
            let size = |attrs: &ir::Attrs| attrs.ty("sret").map_or(0, |ty| m.size_of(ty));
            if call.arg_attrs.first().map_or(0, size) < width as u64 * size(&param.attrs) {
                return Err("the call is declared to return something that cannot hold the tangents".to_owned());
            }
            arguments.push(Argument { activity: Activity::Dup, primal: slot, shadows: vec![slot; width] });
            continue;
        }
        let which = format!("argument {} of `{}`", i + 1, f.name);
        let marker = match args.peek() {
            Some(arg) => marker(m, func, *arg)?,
            None => return Err(format!("too few arguments: {which} is missing")),
        };
        if marker.is_some() {
            args.next();
        }
        let activity = marker.unwrap_or_else(|| default_activity(m, kind, param.ty));
        fits(m, kind, activity, param.ty).map_err(|why| format!("{which} is marked {}, {why}", activity.marker()))?;
        let Some(primal) = args.next() else { return Err(format!("too few arguments: {which} is missing")) };
        check_type(m, func, primal, param.ty, &which)?;
        let shadow = if m.types.is_ptr(param.ty) { "shadow" } else { "tangent" };
        let mut shadows = Vec::new();
        for n in 0..if activity.is_dup() { width } else { 0 } {
            let which = match width {
                1 => format!("the {shadow} of {which}"),
                _ => format!("{shadow} {} of {width} of {which}", n + 1),
            };
            let given = args.next().ok_or_else(|| format!("{which} is missing"))?;
            if marker_name(m, func, given).is_some() {
                return Err(format!("{which} is missing: a marker stands in its place"));
            }
            check_type(m, func, given, param.ty, &which)?;
            shadows.push(given);
        }
        arguments.push(Argument { activity, primal, shadows });
    }
    let seeded = matches!(kind, Kind::Check(_)) && m.types.float_kind(f.ret).is_some();
    let seed = if seeded { Some(args.next().ok_or("the seed of the returned value is missing")?) } else { None };
    if args.next().is_some() {
        return Err(format!("too many arguments for `{}`", f.name));
    }
    let mode = if kind.is_forward() { Mode::Forward { width } } else { Mode::Reverse };
    Ok(Request { caller, site, kind, mode, primal, arguments, seed, result })
}

/// The arguments of a differentiated call, in order.
type Arguments<'a> = std::iter::Peekable<std::iter::Copied<std::slice::Iter<'a, Operand>>>;

/// What the name of the called function asks for.
fn kind(m: &Module, func: &Function, name: &str, args: &mut Arguments<'_>) -> Result<Kind, String> {
    Ok(match () {
        () if name.contains(CHECK) => Kind::Check(function_argument(m, func, args.next(), name)?),
        () if name.contains(CHECK_TANGENT) => Kind::CheckTangent(function_argument(m, func, args.next(), name)?),
        () if name.contains(FORWARD) => Kind::Forward,
        () => Kind::Autodiff,
    })
}

/// `enzyme_width, n`, if it stands next; otherwise one direction.
fn width(m: &Module, func: &Function, kind: Kind, args: &mut Arguments<'_>) -> Result<usize, String> {
    let Some(marker) = args.peek().and_then(|arg| marker_name(m, func, *arg)) else { return Ok(1) };
    if marker != "enzyme_width" {
        return Ok(1);
    }
    args.next();
    if !kind.is_forward() {
        return Err("unsupported: `enzyme_width` in reverse mode is not implemented".to_owned());
    }
    match args.next().and_then(|n| m.as_int(n)) {
        Some(n @ 1..=MAX_WIDTH) => Ok(n as usize),
        _ => Err(format!("`enzyme_width` needs a constant from 1 to {MAX_WIDTH} behind it")),
    }
}

fn function_argument(m: &Module, func: &Function, arg: Option<Operand>, name: &str) -> Result<FuncId, String> {
    let arg = arg.ok_or_else(|| format!("`{name}` needs the function to differentiate"))?;
    m.as_function(arg).ok_or_else(|| {
        let _ = func;
        format!("`{name}` needs the name of a function as its argument, not a computed pointer")
    })
}

/// The activity a marker stands for; an error for markers that are not implemented.
fn marker(m: &Module, func: &Function, arg: Operand) -> Result<Option<Activity>, String> {
    Ok(Some(match marker_name(m, func, arg).as_deref() {
        None => return Ok(None),
        Some("enzyme_const") => Activity::Const,
        Some("enzyme_dup") => Activity::Dup,
        Some("enzyme_dupnoneed") => Activity::DupNoNeed,
        Some("enzyme_out") => Activity::Out,
        Some(other) => return Err(format!("unsupported: the marker `{other}` is not implemented")),
    }))
}

/// The name of the marker global that the argument reads (or whose address it is).
fn marker_name(m: &Module, func: &Function, arg: Operand) -> Option<String> {
    let address = match arg {
        Operand::Local(v) => match func.insts[func.def_inst(v)?].kind {
            InstKind::Load { ptr, .. } => ptr,
            InstKind::Cast { value, .. } => return marker_name(m, func, value),
            _ => return None,
        },
        constant => constant,
    };
    let mut constant = m.as_constant(address)?;
    while let ConstKind::Expr(ConstExpr::Cast(_, inner)) = constant.kind {
        constant = m.constants.get(inner);
    }
    let ConstKind::Global(g) = constant.kind else { return None };
    marker_in(&m.globals[g].name).map(str::to_owned)
}

/// Is a global variable of that name a marker?
pub fn is_marker(name: &str) -> bool {
    marker_in(name).is_some()
}

/// The marker in a name: inline variables of C++ are mangled (`_ZL12enzyme_const`).
fn marker_in(name: &str) -> Option<&str> {
    let start = name.find("enzyme_").filter(|s| !name[..*s].ends_with("__"))?;
    name[..start].chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| &name[start..])
}

fn default_activity(m: &Module, kind: Kind, ty: TypeId) -> Activity {
    match m.types.get(m.types.scalar(ty)) {
        Type::Float(_) if kind.is_forward() => Activity::Dup,
        Type::Float(_) => Activity::Out,
        Type::Ptr(_) => Activity::Dup,
        _ => Activity::Const,
    }
}

fn fits(m: &Module, kind: Kind, activity: Activity, ty: TypeId) -> Result<(), &'static str> {
    let float = crate::known::holds_float(m, ty);
    match activity {
        Activity::Const => Ok(()),
        Activity::Dup | Activity::DupNoNeed if kind.is_forward() && (float || m.types.is_ptr(ty)) => Ok(()),
        Activity::Dup | Activity::DupNoNeed if kind.is_forward() => {
            Err("but only a pointer or a floating-point value has a tangent")
        }
        Activity::Out if kind.is_forward() => {
            Err("but forward mode returns no adjoints: `enzyme_dup` and the tangent of the argument are needed")
        }
        Activity::Dup | Activity::DupNoNeed if m.types.is_ptr(ty) => Ok(()),
        Activity::Dup | Activity::DupNoNeed => Err("but only a pointer has a shadow"),
        Activity::Out if float => Ok(()),
        Activity::Out => Err("but only a floating-point value has an adjoint to return"),
    }
}

/// Arguments pass through `...`, where `float` becomes `double` and narrow integers `int`.
fn check_type(m: &Module, func: &Function, arg: Operand, param: TypeId, which: &str) -> Result<(), String> {
    let ty = m.operand_ty(func, arg);
    let promoted = match (m.types.get(ty), m.types.get(param)) {
        (Type::Float(a), Type::Float(b)) => a.bits() >= b.bits(),
        (Type::Int(a), Type::Int(b)) => a >= b,
        _ => false,
    };
    if ty == param || promoted { Ok(()) } else { Err(format!("{which} has a value of another type")) }
}
