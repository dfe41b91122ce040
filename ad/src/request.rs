//! Differentiated calls: who asks for which gradient, with which arguments (design §8).
//!
//! `__enzyme_autodiff(f, …)` and `__adj_check_gradient(f, df, …)` are recognised by name. A marker is
//! an argument that reads one of the globals `enzyme_const`, `enzyme_dup`, …; without one, a float by
//! value is active, a pointer duplicated and everything else constant.

use crate::error::{Diagnostic, Reason};
use crate::known::{External, classify};
use ir::{Call, ConstExpr, ConstKind, FuncId, Function, InstId, InstKind, Module, Operand, Type, TypeId};

/// The activity of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Activity {
    /// No derivative.
    Const,
    /// A pointer with a shadow.
    Dup,
    /// A pointer with a shadow, whose primal result is not needed.
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its activity.
    pub activity: Activity,
    /// The primal value.
    pub primal: Operand,
    /// The shadow of a duplicated pointer.
    pub shadow: Option<Operand>,
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Make the reverse-mode gradient and call it.
    Autodiff,
    /// Judge this function as the gradient.
    Check(FuncId),
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
/// The name of the judging call.
const CHECK: &str = "__adj_check_gradient";
/// Other entry points of Enzyme's surface: recognised so that they are refused by name.
const OTHER: &[&str] = &[
    "__enzyme_fwddiff",
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
    name.contains(AUTODIFF) || name.contains(CHECK) || OTHER.iter().any(|n| name.contains(n))
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
        return Err(format!("unsupported: `{other}` is not implemented, only reverse mode through `{AUTODIFF}`"));
    }
    let mut args = call.args.iter().copied().peekable();
    let result = if call.arg_attrs.first().is_some_and(|a| a.has("sret")) { args.next() } else { None };
    let primal = function_argument(m, func, args.next(), name)?;
    let kind =
        if name.contains(CHECK) { Kind::Check(function_argument(m, func, args.next(), name)?) } else { Kind::Autodiff };
    let f = &m.functions[primal];
    if f.is_declaration() && matches!(classify(m, f), External::Unknown) {
        return Err(format!("`{}` has no body here, so it cannot be differentiated", f.name));
    }
    let mut arguments = Vec::new();
    for (i, param) in f.params.iter().enumerate() {
        let which = format!("argument {} of `{}`", i + 1, f.name);
        let marker = match args.peek() {
            Some(arg) => marker(m, func, *arg)?,
            None => return Err(format!("too few arguments: {which} is missing")),
        };
        if marker.is_some() {
            args.next();
        }
        let activity = marker.unwrap_or_else(|| default_activity(m, param.ty));
        fits(m, activity, param.ty).map_err(|why| format!("{which} is marked {}, {why}", activity.marker()))?;
        let Some(primal) = args.next() else { return Err(format!("too few arguments: {which} is missing")) };
        check_type(m, func, primal, param.ty, &which)?;
        let shadow = if activity.is_dup() {
            let shadow = args.next().ok_or_else(|| format!("the shadow of {which} is missing"))?;
            if marker_name(m, func, shadow).is_some() {
                return Err(format!("the shadow of {which} is missing: a marker stands in its place"));
            }
            check_type(m, func, shadow, param.ty, &format!("the shadow of {which}"))?;
            Some(shadow)
        } else {
            None
        };
        arguments.push(Argument { activity, primal, shadow });
    }
    let seeded = matches!(kind, Kind::Check(_)) && m.types.float_kind(f.ret).is_some();
    let seed = if seeded { Some(args.next().ok_or("the seed of the returned value is missing")?) } else { None };
    if args.next().is_some() {
        return Err(format!("too many arguments for `{}`", f.name));
    }
    Ok(Request { caller, site, kind, primal, arguments, seed, result })
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

fn default_activity(m: &Module, ty: TypeId) -> Activity {
    match m.types.get(m.types.scalar(ty)) {
        Type::Float(_) => Activity::Out,
        Type::Ptr(_) => Activity::Dup,
        _ => Activity::Const,
    }
}

fn fits(m: &Module, activity: Activity, ty: TypeId) -> Result<(), &'static str> {
    let float = crate::known::holds_float(m, ty);
    match activity {
        Activity::Const => Ok(()),
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
