//! Shadows that are functions (`__enzyme_todense`), laid out in memory to be judged.
//!
//! The program calls a copy of the derivative that calls functions where the derivative loads and stores. What is
//! judged is the derivative, on a copy of the memory: in the place of such a shadow it gets a block as large as what
//! its argument leads to, filled with what the program's function loads. The program then executes its own call.

use ad::{Activity, Dense, DenseShadow, Judged};
use interp::{AllocInfo, AllocKind, Interp, Leaf, Life, Limits, Memory, Plain, Pointer, Program, Scalar, Value};
use ir::Type;

/// More bytes than this are not laid out.
const MOST: u64 = 1 << 24;

/// The memory with the shadows in it, and the arguments of the derivative.
pub(super) fn laid_out(
    program: &Program,
    (judged, dense): (&Judged, &Dense),
    (memory, given): (&Memory<()>, &[Value]),
    limits: &Limits,
) -> Result<(Memory<()>, Vec<Value>), String> {
    let params = program.module.functions[judged.function].params.len();
    let mut args = given.get(..params).ok_or("fewer arguments than parameters")?.to_vec();
    let mut memory = memory.clone();
    let mut rest = given[params..].iter();
    for shadow in &dense.shadows {
        let extra: Vec<Value> = rest.by_ref().take(shadow.extra).cloned().collect();
        let primal = primal_of(judged, params, shadow.param).ok_or("a shadow belongs to no argument")?;
        let primal = args[primal].first().ok_or("an argument is no pointer")?.as_ptr();
        let block: AllocInfo = memory
            .info(primal)
            .filter(|block| block.life == Life::Live && (block.base..=block.base + block.size).contains(&primal.addr))
            .ok_or("the argument leads to no memory, so that it is not known how large its shadow is")?;
        let size = block.base + block.size - primal.addr;
        if size > MOST {
            return Err(format!("the shadow would have {size} bytes"));
        }
        let start = given[shadow.param].first().map_or(0, Scalar::bits) as u64;
        let at;
        (memory, at) = filled(program, memory, (*shadow, &extra), (start, size), limits)?;
        args[shadow.param] = Value::ptr(at);
    }
    Ok((memory, args))
}

/// The argument whose shadow a parameter is.
fn primal_of(judged: &Judged, params: usize, shadow: usize) -> Option<usize> {
    let dups = judged.activities.iter().filter(|activity| activity.is_dup()).count();
    let shadows = params - usize::from(judged.seeded) - judged.activities.len();
    let each = shadows.checked_div(dups)?;
    let mut at = 0;
    for activity in &judged.activities {
        let next = at + 1 + if Activity::is_dup(*activity) { each } else { 0 };
        if (at..next).contains(&shadow) {
            return Some(at);
        }
        at = next;
    }
    None
}

/// A block of that size with what the function loads, from that offset on.
fn filled(
    program: &Program,
    mut memory: Memory<()>,
    (shadow, extra): (DenseShadow, &[Value]),
    (start, size): (u64, u64),
    limits: &Limits,
) -> Result<(Memory<()>, Pointer), String> {
    let module = &program.module;
    let load = &module.functions[shadow.load];
    let kind = module.types.float_kind(load.ret).ok_or("what is loaded is no number")?;
    let Some(Type::Int(bits)) = load.params.first().map(|param| module.types.get(param.ty)) else {
        return Err("the function that loads gets no offset".to_owned());
    };
    let step = module.size_of(load.ret);
    let at = memory.allocate(size, 16, AllocKind::Runtime, None).map_err(|fault| fault.message)?;
    let mut interp = Interp::with_memory(program, Plain, memory, limits.clone());
    for n in 0..size / step {
        let offset = u128::from(start.wrapping_add(n * step)) & (u128::MAX >> (128 - bits.min(&128)));
        let mut args = vec![Value::scalar(Scalar::wide(offset))];
        args.extend(extra.iter().take(load.params.len() - 1).cloned());
        let number = interp.call(shadow.load, &args).map_err(|stop| format!("loading from the shadow: {stop}"))?;
        let number = number.first().ok_or("what is loaded is no number")?;
        let place = at.offset((n * step) as i64);
        interp.memory.store(place, Leaf::Float(kind), number, 1).map_err(|fault| fault.message)?;
    }
    Ok((interp.into_parts().1, at))
}
