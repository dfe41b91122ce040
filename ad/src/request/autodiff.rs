//! Differentiated calls: who asks for which gradient, with which arguments (design §8).
//!
//! `__enzyme_autodiff(f, …)`, `__enzyme_fwddiff(f, …)`, `__adj_check_gradient(f, df, …)` and
//! `__adj_check_tangent(f, df, …)` are recognised by name. A marker is an argument that reads one of the
//! globals `enzyme_const`, `enzyme_dup`, …, or in IR a string of metadata of that name; without one, a float by value is active, a pointer duplicated and
//! everything else constant. In forward mode an active float by value is duplicated too: its tangent follows it.
//! `enzyme_width, n` before the arguments asks for n directions at once: n shadows or tangents follow each
//! duplicated argument.

use crate::error::{Diagnostic, NO_BODY, Reason};
use crate::mode::{Activity, Kind, Mode, Style, Why};
use crate::program::externals::{External, classify};
use crate::request::unknown_names::NOT_IMPLEMENTED;
use ir::{Call, ConstExpr, ConstKind, FuncId, Function, InstId, InstKind, MdOperand, Module, Operand, Type, TypeId};

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
    /// Options.
    pub style: Style,
    /// Shadows of each duplicated argument.
    pub width: usize,
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
/// The same, of tangents only: for a function that has run already.
const TANGENTS: &str = "__enzyme_fwdsplit";
/// The names of the judging calls.
const CHECK: &str = "__adj_check_gradient";
const CHECK_TANGENT: &str = "__adj_check_tangent";
/// Directions at most: each duplicated argument is copied that often.
const MAX_WIDTH: u128 = 64;

/// Is a function of that name an entry point of differentiation?
pub fn is_entry_point(name: &str) -> bool {
    is_whole(name) || crate::request::split_mode::step(name).is_some() || crate::request::batch::is_entry_point(name)
}

/// The refusal of a call of a function without body that gets something active.
pub(crate) fn without_body(module: &Module, func: &Function, inst: InstId, name: &str, what: &str) -> Diagnostic {
    let message = match is_entry_point(name) {
        true => format!(
            "`{name}` gets {what}, but was not carried out before: it asks for a derivative of what is being differentiated, \
             or has been refused itself"
        ),
        false => format!("`{name}` gets {what}, but {NO_BODY} and no rule in the table"),
    };
    Diagnostic::at(module, func, inst, Reason::Incomplete, message)
}

/// Is it the one of the reverse mode that asks for everything at once?
pub(crate) fn is_reverse(name: &str) -> bool {
    name.contains(AUTODIFF)
}

/// Is it one that asks for everything at once, unlike those of split mode?
fn is_whole(name: &str) -> bool {
    [AUTODIFF, FORWARD, TANGENTS, CHECK, CHECK_TANGENT].iter().chain(NOT_IMPLEMENTED).any(|n| name.contains(n))
}

/// Finds the differentiated calls of a module, each parsed or refused.
pub fn find(m: &Module) -> Vec<Result<Request, (FuncId, InstId, Diagnostic)>> {
    let mut out = Vec::new();
    for (caller, func) in m.functions.iter() {
        for (_, site) in func.inst_order() {
            let Some(call) = func.insts[site].kind.as_call() else { continue };
            let Some(callee) = m.as_function(call.callee) else { continue };
            let name = &m.functions[callee].name;
            if is_whole(name) {
                out.push(parse(m, caller, func, site, call, name).map_err(|message| {
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
    caller: FuncId,
    func: &Function,
    site: InstId,
    call: &Call,
    name: &str,
) -> Result<Request, String> {
    if let Some(other) = NOT_IMPLEMENTED.iter().find(|n| name.contains(*n)) {
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
    let mut style = Style::default();
    options(m, func, (kind, f.ret), &mut args, &mut style)?;
    let width = width(m, func, kind, &mut args)?;
    if matches!(kind, Kind::Autodiff) && !style.const_return {
        returns_number(m, f)?;
    }
    style.repeated = match () {
        () if name == crate::request::checkpoint_for::STEP => Some(Why::Step),
        () if name.contains(TANGENTS) => Some(Why::Tangents),
        () if width > 1 && !kind.is_forward() => Some(Why::Width),
        () => None,
    };
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
        options(m, func, (kind, f.ret), &mut args, &mut style)?;
        let marker = match args.peek() {
            Some(arg) => marker(m, func, *arg)?,
            None => return Err(format!("too few arguments: {which} is missing")),
        };
        if marker.is_some() {
            args.next();
        }
        let activity = marker.unwrap_or_else(|| default_activity(m, kind, param.ty));
        fits(m, kind, activity, param.ty).map_err(|why| format!("{which} is marked {}, {why}", activity.marker()))?;
        let Some(primal) = args.next() else {
            return Err(format!("too few arguments: {which} is missing behind its marker {}", activity.marker()));
        };
        let through_memory = param.attrs.has("sret") && !m.types.is_ptr(m.operand_ty(func, primal));
        check_type(m, func, primal, param.ty, &which).map_err(|why| if through_memory { structure(f) } else { why })?;
        let shadow = if m.types.is_ptr(param.ty) { "shadow" } else { "tangent" };
        let mut shadows = Vec::new();
        for n in 0..if activity.is_dup() { width } else { 0 } {
            let which = match width {
                1 => format!("the {shadow} of {which}"),
                _ => format!("{shadow} {} of {width} of {which}", n + 1),
            };
            let given = shadow_argument(m, func, args.next(), param.ty, &which)?;
            if !style.runtime_activity && kind.given().is_none() {
                distinct(m, func, (primal, given), &which)?;
            }
            shadows.push(given);
        }
        arguments.push(Argument { activity, primal, shadows });
    }
    options(m, func, (kind, f.ret), &mut args, &mut style)?;
    if name.contains(TANGENTS) {
        let tape = args.next().ok_or("the tape is missing behind the arguments")?;
        if !matches!(m.as_constant(tape).map(|c| &c.kind), Some(ConstKind::Null)) {
            return Err(format!(
                "unsupported: `{TANGENTS}` with a tape: only functions that need none, with a null pointer in its place"
            ));
        }
    }
    let seeded = matches!(kind, Kind::Check(_)) && m.types.float_kind(f.ret).is_some();
    let seed = if seeded { Some(args.next().ok_or("the seed of the returned value is missing")?) } else { None };
    if args.next().is_some() {
        return Err(too_many(f));
    }
    let mode = if kind.is_forward() { Mode::Forward { width } } else { Mode::Reverse };
    Ok(Request { caller, site, kind, mode, style, width, primal, arguments, seed, result })
}

/// What is wrong with arguments behind the last that the function takes.
pub(crate) fn too_many(f: &Function) -> String {
    let (name, n) = (&f.name, f.params.len());
    let takes = if f.vararg { "variable arguments, which have no derivatives, behind the " } else { "" };
    format!(
        "too many arguments for `{name}`, which takes {takes}{n}: a shadow stands behind each pointer with `enzyme_dup`"
    )
}

/// The shadow that must stand next.
pub(crate) fn shadow_argument(
    m: &Module,
    func: &Function,
    given: Option<Operand>,
    ty: TypeId,
    which: &str,
) -> Result<Operand, String> {
    let given = given.ok_or_else(|| format!("{which} is missing"))?;
    if marker_name(m, func, given).is_some() {
        return Err(format!("{which} is missing: a marker stands in its place"));
    }
    check_type(m, func, given, ty, which)?;
    Ok(given)
}

/// What can be seen of a shadow in the text: it is not null, and not the primal itself.
pub(crate) fn distinct(
    m: &Module,
    func: &Function,
    (primal, shadow): (Operand, Operand),
    which: &str,
) -> Result<(), String> {
    if !m.types.is_ptr(m.operand_ty(func, shadow)) {
        return Ok(());
    }
    let is_null = |o| matches!(m.as_constant(o).map(|c| &c.kind), Some(ConstKind::Null));
    if is_null(shadow) && !is_null(primal) {
        return Err(format!("{which} is null: derivatives are kept there; an argument without any is `enzyme_const`"));
    }
    if !is_null(shadow) && same_pointer(func, primal, shadow) {
        return Err(format!(
            "{which} is the argument itself, which derivatives would overwrite: it needs memory of its own, or the argument is \
             `enzyme_const`"
        ));
    }
    Ok(())
}

/// Are two pointers the same, whatever happens?
fn same_pointer(func: &Function, a: Operand, b: Operand) -> bool {
    let def = |o: Operand| o.local().and_then(|v| func.def_inst(v)).map(|i| &func.insts[i].kind);
    a == b
        || match (def(a), def(b)) {
            (
                Some(InstKind::Gep { elem_ty: s, base: x, indices: i, .. }),
                Some(InstKind::Gep { elem_ty: t, base: y, indices: j, .. }),
            ) => s == t && i == j && same_pointer(func, *x, *y),
            _ => false,
        }
}

/// The activity of an argument in reverse mode; an error if its marker does not fit.
pub(crate) fn activity(m: &Module, marker: Option<Activity>, ty: TypeId) -> Result<Activity, (Activity, &'static str)> {
    activity_in(m, Mode::Reverse, marker, ty)
}

/// The same in any mode.
pub(crate) fn activity_in(
    m: &Module,
    mode: Mode,
    marker: Option<Activity>,
    ty: TypeId,
) -> Result<Activity, (Activity, &'static str)> {
    let kind = if mode.is_forward() { Kind::Forward } else { Kind::Autodiff };
    let activity = marker.unwrap_or_else(|| default_activity(m, kind, ty));
    fits(m, kind, activity, ty).map(|()| activity).map_err(|why| (activity, why))
}

/// The arguments of a differentiated call, in order.
pub(crate) type Arguments<'a> = std::iter::Peekable<std::iter::Copied<std::slice::Iter<'a, Operand>>>;

/// What the name of the called function asks for.
fn kind(m: &Module, func: &Function, name: &str, args: &mut Arguments<'_>) -> Result<Kind, String> {
    Ok(match () {
        () if name.contains(CHECK) => Kind::Check(function_argument(m, func, args.next(), name)?),
        () if name.contains(CHECK_TANGENT) => Kind::CheckTangent(function_argument(m, func, args.next(), name)?),
        () if name.contains(FORWARD) || name.contains(TANGENTS) => Kind::Forward,
        () => Kind::Autodiff,
    })
}

/// Reads the options that stand next.
fn options(
    m: &Module,
    func: &Function,
    (kind, ret): (Kind, TypeId),
    args: &mut Arguments<'_>,
    style: &mut Style,
) -> Result<(), String> {
    while let Some(name) = args.peek().and_then(|arg| marker_name(m, func, *arg)) {
        let ours = matches!(kind, Kind::Autodiff | Kind::Forward);
        let is_void = matches!(m.types.get(ret), Type::Void);
        match name.as_str() {
            // Promises that nothing here depends on, and the results that a call does not return anyhow.
            "enzyme_noret" | "enzyme_nofree" | "enzyme_not_overwritten" | "enzyme_no_escaping_allocation" => {}
            "enzyme_active_return" if m.types.float_kind(ret).is_some() => {}
            "enzyme_dup_return" if m.types.is_ptr(ret) => {}
            "enzyme_active_return" | "enzyme_dup_return" => {
                let wanted = if name == "enzyme_dup_return" { "a pointer" } else { "a floating-point number" };
                return Err(format!("`{name}` is for functions that return {wanted}"));
            }
            "enzyme_primal_return" if is_void => return Err(format!("`{name}`, but the function returns nothing")),
            "enzyme_primal_return" if ours => style.primal_return = true,
            "enzyme_const_return" if ours => style.const_return = true,
            "enzyme_strong_zero" if ours => style.strong_zero = true,
            "enzyme_runtime_activity" if ours => style.runtime_activity = true,
            "enzyme_primal_return" | "enzyme_const_return" | "enzyme_strong_zero" | "enzyme_runtime_activity" => {
                return Err(format!("unsupported: `{name}` is implemented for `{AUTODIFF}` and `{FORWARD}` only"));
            }
            _ => return Ok(()),
        }
        args.next();
    }
    Ok(())
}

/// `enzyme_width, n`, if it stands next; otherwise one direction.
fn width(m: &Module, func: &Function, kind: Kind, args: &mut Arguments<'_>) -> Result<usize, String> {
    let width = batch_width(m, func, args)?.unwrap_or(1);
    if width > 1 && matches!(kind, Kind::Check(_)) {
        return Err("unsupported: a checked gradient has one set of shadows".to_owned());
    }
    Ok(width)
}

/// `enzyme_width, n`, if it stands next.
pub(crate) fn batch_width(m: &Module, func: &Function, args: &mut Arguments<'_>) -> Result<Option<usize>, String> {
    if args.peek().and_then(|arg| marker_name(m, func, *arg)).as_deref() != Some("enzyme_width") {
        return Ok(None);
    }
    args.next();
    match args.next().and_then(|n| m.as_int(n)) {
        Some(n @ 1..=MAX_WIDTH) => Ok(Some(n as usize)),
        _ => Err(format!("`enzyme_width` needs a constant from 1 to {MAX_WIDTH} behind it")),
    }
}

pub(crate) fn function_argument(
    m: &Module,
    func: &Function,
    arg: Option<Operand>,
    name: &str,
) -> Result<FuncId, String> {
    let arg = arg.ok_or_else(|| format!("`{name}` needs the function to differentiate"))?;
    m.as_function(arg).ok_or_else(|| {
        let what = match m.as_constant(arg).map(|c| &c.kind) {
            _ if marker_name(m, func, arg).is_some() => "a marker".to_owned(),
            Some(ConstKind::Null) => "a null pointer".to_owned(),
            Some(ConstKind::Global(g)) => format!("the variable `{}`", m.globals[*g].name),
            _ if !m.types.is_ptr(m.operand_ty(func, arg)) => describe(m, m.operand_ty(func, arg)),
            _ => {
                "a pointer that only the run knows (a function that calls through it can be differentiated)".to_owned()
            }
        };
        format!("the first argument of `{name}` is the name of the function to differentiate, not {what}")
    })
}

/// The activity a marker stands for; an error for markers that are not known.
pub(crate) fn marker(m: &Module, func: &Function, arg: Operand) -> Result<Option<Activity>, String> {
    Ok(Some(match marker_name(m, func, arg).as_deref() {
        None => return Ok(None),
        Some("enzyme_const") => Activity::Const,
        Some("enzyme_dup") => Activity::Dup,
        Some("enzyme_dupnoneed") => Activity::DupNoNeed,
        Some("enzyme_out") => Activity::Out,
        Some(other) => {
            return Err(format!(
                "`{other}` is no marker that is known before an argument: these are `enzyme_const`, `enzyme_dup`, \
                 `enzyme_dupnoneed` and `enzyme_out`"
            ));
        }
    }))
}

/// The name of the marker global that the argument reads (or whose address it is).
pub(crate) fn marker_name(m: &Module, func: &Function, arg: Operand) -> Option<String> {
    let address = match arg {
        Operand::Local(v) => match func.insts[func.def_inst(v)?].kind {
            InstKind::Load { ptr, .. } => ptr,
            InstKind::Cast { value, .. } => return marker_name(m, func, value),
            _ => return None,
        },
        constant => constant,
    };
    let mut constant = m.as_constant(address)?;
    if let ConstKind::Metadata(MdOperand::Str(text)) = &constant.kind {
        // `metadata !"enzyme_const"`, as compilers write it.
        return std::str::from_utf8(text).ok().filter(|t| t.starts_with("enzyme_")).map(str::to_owned);
    }
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
    let float = crate::program::externals::holds_float(m, ty);
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
pub(crate) fn check_type(m: &Module, func: &Function, arg: Operand, param: TypeId, which: &str) -> Result<(), String> {
    let ty = m.operand_ty(func, arg);
    let promoted = match (m.types.get(ty), m.types.get(param)) {
        (Type::Float(a), Type::Float(b)) => a.bits() >= b.bits(),
        (Type::Int(a), Type::Int(b)) => a >= b,
        _ => false,
    };
    if ty == param || promoted {
        return Ok(());
    }
    if marker_name(m, func, arg).is_some() {
        return Err(format!("{which} is missing: a marker stands in its place"));
    }
    let (given, needed) = (describe(m, ty), describe(m, param));
    Err(format!("{which} is {given} here, where {needed} is needed: nothing is converted on the way"))
}

/// A type in words.
fn describe(m: &Module, ty: TypeId) -> String {
    match m.types.get(ty) {
        Type::Float(kind) => format!("a `{}`", kind.keyword()),
        Type::Int(bits) => format!("an integer of {bits} bits"),
        Type::Ptr(_) => "a pointer".to_owned(),
        Type::Vector { .. } => "a vector".to_owned(),
        _ => "a structure".to_owned(),
    }
}

/// Refuses functions whose result has no adjoint to start from: a structure (or vector) with floats in it.
pub(crate) fn returns_number(m: &Module, f: &Function) -> Result<(), String> {
    if m.types.float_kind(f.ret).is_some() || !crate::program::externals::holds_float(m, f.ret) {
        return Ok(());
    }
    Err(structure(f))
}

/// Why the result of a function that returns a structure is not differentiated.
pub(crate) fn structure(f: &Function) -> String {
    format!(
        "`{}` returns a structure, which has no adjoint to start from, as a number has 1: in reverse mode results are written through \
         a pointer with `enzyme_dup`, whose shadow holds their adjoints",
        f.name
    )
}

/// A program whose calls were refused can be run up to there if what is left of them has something to read.
pub(crate) fn define_markers(m: &mut Module) {
    for id in m.globals.keys().collect::<Vec<_>>() {
        let global = &m.globals[id];
        if is_marker(&global.name) && global.init.is_none() && global.alias_of.is_none() {
            let ty = global.ty;
            m.globals[id].init = m.zero(ty).constant();
            m.globals[id].flags.linkage = "internal".to_owned();
        }
    }
}
