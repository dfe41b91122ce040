//! Structures that are passed by value in several registers.
//!
//! The psABI passes a small structure piece by piece (System V, AMD64, "Parameter Passing"): of `struct { double x, y; }`
//! a function takes two parameters, and a call gives two numbers for each structure. A differentiated call names
//! structures, as its source does: `enzyme_dup, p, dp` arrives as a marker, the pieces of `p`, the pieces of `dp`. Here
//! such arguments are brought into the order of the parameters, each piece with its own marker and shadow.
//!
//! Which parameters belong together is known from [`crate::program::pieces`].

use crate::base::blocks;
use crate::mode::{Activity, Kind};
use crate::program::cell;
use crate::program::pieces::groups;
use crate::request::entry_points::is_entry_point;
use crate::request::markers::{Arguments, default_activity, marker, marker_name};
use ir::{Attrs, BlockId, FuncId, Function, GepFlags, InstId, InstKind, Module, Operand, Type, TypeId};

/// Bytes that one register takes of a structure.
const EIGHTBYTE: u64 = 8;

/// Where registers ran out, a call passes in memory what the function takes in pieces: loads them.
pub(crate) fn unpack(m: &mut Module) {
    for id in m.functions.keys().collect::<Vec<_>>() {
        let func = &m.functions[id];
        let asked = |inst: &InstId| {
            let call = func.insts[*inst].kind.as_call()?;
            let name = &m.functions[m.as_function(call.callee)?].name;
            let function = usize::from(call.arg_attrs.first()?.has("sret"));
            let of = is_entry_point(name).then(|| m.as_function(*call.args.get(function)?))??;
            let packed =
                |attrs: &Attrs| attrs.ty("byval").is_some_and(|ty| in_pieces(m, &m.functions[of], ty).is_some());
            call.arg_attrs.iter().any(packed).then_some((*inst, of))
        };
        let sites: Vec<(InstId, FuncId)> = func.inst_order().filter_map(|(_, inst)| asked(&inst)).collect();
        if sites.is_empty() {
            continue;
        }
        let mut func = m.functions[id].clone();
        for (inst, of) in sites {
            unpack_at(m, &mut func, inst, of);
        }
        m.functions[id] = func;
    }
}

/// Loads the pieces of the structures that a call passes in memory.
fn unpack_at(m: &mut Module, func: &mut Function, inst: InstId, of: FuncId) {
    let place = |b: &BlockId| func.blocks[*b].insts.iter().position(|i| *i == inst).map(|at| (*b, at));
    let Some((block, at)) = func.layout.iter().find_map(place) else { return };
    let mut kind = func.insts[inst].kind.clone();
    let Some(call) = kind.as_call_mut() else { return };
    let (byte, ptr) = (m.types.int(8), m.types.ptr());
    let given = std::mem::take(&mut call.args).into_iter().zip(std::mem::take(&mut call.arg_attrs));
    let mut loads = Vec::new();
    for (arg, attrs) in given {
        let Some(pieces) = attrs.ty("byval").and_then(|ty| in_pieces(m, &m.functions[of], ty)) else {
            call.args.push(arg);
            call.arg_attrs.push(attrs);
            continue;
        };
        for (ty, offset) in pieces.into_iter().zip((0..).step_by(EIGHTBYTE as usize)) {
            let indices = vec![m.int(64, offset)];
            let mut add = |kind: InstKind, ty: TypeId| {
                let new = blocks::like(m, func, inst, kind, ty);
                loads.push(new);
                func.insts[new].result.map_or(arg, Operand::Local)
            };
            let base = InstKind::Gep { elem_ty: byte, flags: GepFlags::default(), base: arg, indices };
            let from = add(base, ptr);
            call.args.push(add(InstKind::Load { ptr: from, align: 8, volatile: false, atomic: None }, ty));
            call.arg_attrs.push(Attrs::default());
        }
    }
    let types = call.args.iter().map(|arg| m.operand_ty(func, *arg)).collect();
    call.fn_ty = m.types.func(func.insts[inst].ty, types);
    func.insts[inst].kind = kind;
    func.blocks[block].insts.splice(at..at, loads);
}

/// The types of the pieces in which a function takes such a structure, if it takes one so and none in memory.
fn in_pieces(m: &Module, f: &Function, ty: TypeId) -> Option<Vec<TypeId>> {
    let size = m.size_of(ty);
    let in_memory = f.params.iter().any(|param| param.attrs.ty("byval") == Some(ty));
    let leaves = cell::leaves(m, ty, &[]);
    let holds = |(n, piece): (usize, &TypeId)| {
        let offset = n as u64 * EIGHTBYTE;
        let float = leaves.iter().any(|leaf| leaf.offset == offset && leaf.cell.float().is_some());
        let is_float = m.types.float_kind(m.types.scalar(*piece)).is_some();
        is_float == float && offset + m.size_of(*piece) <= size
    };
    let mut at = 0;
    groups(m, f).into_iter().filter(|_| !in_memory).find_map(|length| {
        let pieces: Vec<TypeId> = f.params[at..at + length].iter().map(|param| param.ty).collect();
        at += length;
        (length > 1 && pieces.iter().enumerate().all(holds)).then_some(pieces)
    })
}

/// Does the marker of a structure concern a piece of this type?
pub(crate) fn has_marker(m: &Module, ty: TypeId) -> bool {
    matches!(m.types.get(m.types.scalar(ty)), Type::Float(_) | Type::Ptr(_))
}

/// The arguments from here on, those of the structure that stands next in the order of its parameters: each piece
/// behind the structure's marker, before its own shadows. Integers have neither. `None` if they are in that order
/// already.
pub(crate) fn in_order(
    m: &Module,
    func: &Function,
    kind: Kind,
    (f, first, pieces): (&Function, usize, usize),
    (args, width): (Arguments, usize),
) -> Result<Option<Vec<Operand>>, String> {
    let given: Vec<Operand> = args.collect();
    let marked = given.first().map_or(Ok(None), |arg| marker(m, func, *arg))?;
    let default = |n: usize| default_activity(m, kind, f.params[first + n].ty);
    let activity = marked.or_else(|| (0..pieces).map(default).find(|activity| activity.is_dup()));
    let sets = if activity.is_some_and(Activity::is_dup) { 1 + width } else { 1 };
    let of = |n: usize| if has_marker(m, f.params[first + n].ty) { (true, sets) } else { (false, 1) };
    Ok(by_piece((m, func), &given, marked.is_some(), (pieces, sets), of))
}

/// The same for the values of a structure in so many calls.
pub(crate) fn batch_in_order(
    m: &Module,
    func: &Function,
    pieces: usize,
    (args, marked, sets): (Arguments, bool, usize),
) -> Option<Vec<Operand>> {
    by_piece((m, func), &args.collect::<Vec<_>>(), marked, (pieces, sets), |_| (true, sets))
}

/// Arguments in which a structure stands so many times behind its marker, as its pieces: for each, whether the marker
/// concerns it, and how many of its values are wanted.
fn by_piece(
    (m, func): (&Module, &Function),
    given: &[Operand],
    marked: bool,
    (pieces, sets): (usize, usize),
    of: impl Fn(usize) -> (bool, usize),
) -> Option<Vec<Operand>> {
    let start = usize::from(marked);
    let end = start + pieces * sets;
    // Pieces that are given one by one, each with a marker of its own, are in that order.
    let values = given.get(start..end).filter(|all| all.iter().all(|a| marker_name(m, func, *a).is_none()))?;
    let mut out = Vec::with_capacity(given.len());
    for n in 0..pieces {
        let (concerned, wanted) = of(n);
        out.extend(given.first().filter(|_| marked && concerned));
        out.extend((0..wanted).map(|set| values[set * pieces + n]));
    }
    out.extend(&given[end..]);
    Some(out)
}
