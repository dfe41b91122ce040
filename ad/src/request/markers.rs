//! Markers and arguments of calls that ask for derivatives.
//!
//! A marker is an argument that reads one of the globals `enzyme_const`, `enzyme_dup`, …, or in IR a string of metadata
//! of that name; without one, a float by value is active, a pointer duplicated and everything else constant.

use crate::mode::{Activity, Kind, Mode};
use crate::program::device;
use crate::program::externals;
use crate::request::held_function::held;
use ir::{ConstExpr, ConstKind, FuncId, Function, InstKind, MdOperand, Module, Operand, Type, TypeId};

/// Directions at most: each duplicated argument is copied that often.
pub(crate) const MAX_WIDTH: u128 = 64;

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
            "{which} is the argument itself, which derivatives would overwrite: it needs memory of its own, or the \
             argument is `enzyme_const`"
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
pub(crate) type Arguments = std::iter::Peekable<std::vec::IntoIter<Operand>>;

/// `enzyme_width, n`, if it stands next.
pub(crate) fn batch_width(
    m: &Module,
    func: &Function,
    args: &mut std::iter::Peekable<impl Iterator<Item = Operand>>,
) -> Result<Option<usize>, String> {
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
    held(m, func, arg).ok_or_else(|| {
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
    let before = name[..start].trim_start_matches(device::DEVICE);
    before.chars().all(|c| c.is_ascii_alphanumeric() || c == '_').then(|| &name[start..])
}

pub(crate) fn default_activity(m: &Module, kind: Kind, ty: TypeId) -> Activity {
    match m.types.get(m.types.scalar(ty)) {
        Type::Float(_) if kind.is_forward() => Activity::Dup,
        Type::Float(_) => Activity::Out,
        Type::Ptr(_) => Activity::Dup,
        _ => Activity::Const,
    }
}

pub(crate) fn fits(m: &Module, kind: Kind, activity: Activity, ty: TypeId) -> Result<(), &'static str> {
    let float = externals::holds_float(m, ty);
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
    if m.types.float_kind(f.ret).is_some() || !externals::holds_float(m, f.ret) {
        return Ok(());
    }
    Err(structure(f))
}

/// Why the result of a function that returns a structure is not differentiated.
pub(crate) fn structure(f: &Function) -> String {
    format!(
        "`{}` returns a structure, which has no adjoint to start from, as a number has 1: in reverse mode results are \
         written through a pointer with `enzyme_dup`, whose shadow holds their adjoints",
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
