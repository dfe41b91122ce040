//! The arguments of a tangent, taken apart: each parameter of the primal, and behind a duplicated one its shadows or
//! tangents, one for each direction.

use super::super::call::{ActiveScalar, Call, parameter_name, result_leaves};
use super::super::region::Root;
use ad::Activity;
use ad::Judged;
use interp::value::Flat;
use interp::{Leaf, Program, Value};

/// One direction.
#[derive(Clone, Debug, Default)]
pub struct Direction {
    /// Duplicated pointers with their shadows.
    pub roots: Vec<Root>,
    /// Where the tangents of the active scalars are: argument and leaf, in the order of [`Call::scalars`].
    pub tangents: Vec<(usize, usize)>,
}

/// Takes the arguments apart; an error says what of the signature is not supported.
pub fn take_apart(program: &Program, judged: &Judged, args: &[Value]) -> Result<(Call, Vec<Direction>), String> {
    let module = &program.module;
    let primal = &module.functions[judged.primal];
    let mut directions = vec![Direction::default(); judged.mode.width()];
    let mut call = Call {
        result: result_leaves(program, judged.primal)?,
        components: result_leaves(program, judged.gradient)?,
        ..Call::empty(program, judged, args)
    };
    let declared = ir::debug::parameter_types(module, primal).unwrap_or_default();
    let mut next = 0;
    let mut take = || {
        let value =
            args.get(next).ok_or_else(|| format!("the call of the tangent of `{}` has too few arguments", primal.name));
        next += 1;
        value.map(|value| (next - 1, value))
    };
    for (index, param) in primal.params.iter().enumerate() {
        let (position, value) = take()?;
        call.indices.push(position);
        call.primal_args.push(value.clone());
        let activity = judged.activities.get(index).copied().unwrap_or(Activity::Const);
        if !activity.is_dup() {
            continue;
        }
        let name = parameter_name(primal, index);
        let flat = Flat::new(&module.types, &module.layout, param.ty)?;
        let single = flat.leaves.len() == 1;
        for (leaf, ((kind, _), (scalar, ()))) in flat.leaves.iter().zip(&value.leaves).enumerate() {
            let Leaf::Float(kind) = *kind else { continue };
            let name = if single { name.clone() } else { format!("{name}.{leaf}") };
            call.scalars.push(ActiveScalar { parameter: index, leaf, kind, bits: scalar.bits(), name });
        }
        for direction in &mut directions {
            let (position, shadow) = take()?;
            for (leaf, ((kind, _), ((p, ()), (s, ())))) in
                flat.leaves.iter().zip(value.leaves.iter().zip(&shadow.leaves)).enumerate()
            {
                match kind {
                    Leaf::Float(_) => direction.tangents.push((position, leaf)),
                    Leaf::Ptr if p.is_init() && s.is_init() => {
                        let noneed = activity == Activity::DupNoNeed;
                        direction.roots.push(Root {
                            name: name.clone(),
                            primal: p.as_ptr(),
                            shadow: s.as_ptr(),
                            noneed,
                            declared: declared.get(index).copied().flatten(),
                            at_run_time: judged.style.runtime_activity,
                        });
                    }
                    Leaf::Ptr | Leaf::Int(_) => {}
                }
            }
        }
    }
    let returned = call.result.len() * directions.len();
    if !call.components.is_empty() && call.components.len() != returned {
        return Err(format!(
            "`{}` returns {} numbers, but the tangents of the result of `{}` are {returned}",
            module.functions[judged.gradient].name,
            call.components.len(),
            primal.name
        ));
    }
    let kinds = call.scalars.iter().map(|s| s.kind);
    let tangents = directions.iter().flat_map(|d| d.tangents.iter().zip(kinds.clone()));
    call.tangents = tangents.map(|((argument, leaf), kind)| (*argument, *leaf, kind)).collect();
    call.roots = directions.first().map(|d| d.roots.clone()).unwrap_or_default();
    Ok((call, directions))
}
