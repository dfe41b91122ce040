//! Variadic arguments: those of the call itself, or those a `va_list` in interpreted memory leads to.
//!
//! The list is that of the System V ABI for x86-64 (§3.5.7):
//! `{ i32 gp_offset, i32 fp_offset, ptr overflow_arg_area, ptr reg_save_area }`. General registers are saved in the
//! first 48 bytes of the save area, vector registers in the next 128.

use crate::engine::Engine;
use crate::library::Library;
use crate::machine::{Loss, Machine};
use crate::memory::Memory;
use crate::memory::shadow::Shadow;
use crate::outcome::{Fault, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::value::{Leaf, Pointer, Scalar, Tag};
use ir::FloatKind;

const GENERAL_END: u64 = 48;
const VECTOR_END: u64 = 176;

/// Where a library function takes its variadic arguments from.
#[derive(Debug)]
pub enum Arguments<'a, S> {
    /// The call, from this leaf on.
    Call(&'a ShimCall<'a, S>, usize),
    /// A `va_list`.
    List(Pointer),
}

impl<'a, S: Shadow> Arguments<'a, S> {
    /// The variadic arguments of a call.
    pub fn of(call: &'a ShimCall<'a, S>) -> Arguments<'a, S> {
        Arguments::Call(call, call.fixed)
    }

    /// The next integer of that many bits.
    pub fn int<M: Machine<Shadow = S>, L: Library>(&mut self, interp: &mut Engine<'_, M, L>, bits: u8) -> Res<u64> {
        Ok(self.next(interp, Leaf::Int(bits))?.lo)
    }

    /// The next pointer.
    pub fn ptr<M: Machine<Shadow = S>, L: Library>(&mut self, interp: &mut Engine<'_, M, L>) -> Res<Pointer> {
        Ok(self.next(interp, Leaf::Ptr)?.as_ptr())
    }

    /// The bits of the next `double` or `long double`.
    pub fn float<M: Machine<Shadow = S>, L: Library>(
        &mut self,
        interp: &mut Engine<'_, M, L>,
        kind: FloatKind,
    ) -> Res<u128> {
        Ok(self.next(interp, Leaf::Float(kind))?.bits())
    }

    fn next<M: Machine<Shadow = S>, L: Library>(&mut self, interp: &mut Engine<'_, M, L>, wanted: Leaf) -> Res<Scalar> {
        match self {
            Arguments::Call(call, next) => {
                let index = *next;
                *next += 1;
                let Some(given) = call.leaves.get(index) else {
                    return Err(Fault::ub(UbKind::Library, "a format asks for more arguments than there are"));
                };
                if !compatible(*given, wanted) {
                    let (given, wanted) = (describe(*given), describe(wanted));
                    let text = format!("a format asks for {wanted} where argument {} is {given}", index + 1);
                    return Err(Fault::ub(UbKind::Library, text));
                }
                if let Some(shadow) = call.shadows.get(index).filter(|s| !s.is_absent()) {
                    interp.machine.lost(shadow, Loss::Library, call.at);
                }
                call.leaf(index)
            }
            Arguments::List(list) => from_list(interp, *list, wanted),
        }
    }
}

fn from_list<M: Machine, L: Library>(interp: &mut Engine<'_, M, L>, list: Pointer, wanted: Leaf) -> Res<Scalar> {
    let value = take(&mut interp.memory, list, wanted)?;
    match value.tag {
        Tag::Init => Ok(value),
        Tag::Undef => {
            Err(Fault::ub(UbKind::Uninitialised, "a variadic argument given to the library is uninitialised"))
        }
        Tag::Poison => Err(Fault::ub(UbKind::Poison, "a variadic argument given to the library is poison")),
    }
}

/// Takes the next argument off a list.
pub fn take<S: Shadow>(memory: &mut Memory<S>, list: Pointer, wanted: Leaf) -> Res<Scalar> {
    let at = next_place(memory, list, wanted)?;
    memory.load(at, wanted, 1)
}

/// Moves a list on, and says where the argument is that it was at.
pub fn next_place<S: Shadow>(memory: &mut Memory<S>, list: Pointer, wanted: Leaf) -> Res<Pointer> {
    let float = wanted.is_float();
    let by_stack = wanted == Leaf::Float(FloatKind::X86Fp80);
    let (field, end, step) = if float { (list.offset(4), VECTOR_END, 16) } else { (list, GENERAL_END, 8) };
    let offset = memory.load(field, Leaf::Int(32), 4)?;
    if offset.tag != Tag::Init {
        return Err(Fault::ub(UbKind::Uninitialised, "the list of variadic arguments is uninitialised"));
    }
    let at = if !by_stack && offset.lo + step <= end {
        memory.store(field, Leaf::Int(32), Scalar::word(offset.lo + step), 4)?;
        memory.load_ptr(list.offset(16), 8)?.as_ptr().offset(offset.lo as i64)
    } else {
        let mut at = memory.load_ptr(list.offset(8), 8)?.as_ptr();
        let mut size = 8;
        if by_stack {
            at = at.offset((at.addr.next_multiple_of(16) - at.addr) as i64);
            size = 16;
        }
        memory.store(list.offset(8), Leaf::Ptr, Scalar::ptr(at.offset(size)), 8)?;
        at
    };
    Ok(at)
}

/// May an argument of one kind be read as the other? Integers that are wider than asked for are cut, as the ABI allows;
/// a pointer and a `long` share their registers.
fn compatible(given: Leaf, wanted: Leaf) -> bool {
    match (given, wanted) {
        (Leaf::Int(given), Leaf::Int(wanted)) => given >= wanted || given < 32,
        (Leaf::Ptr, Leaf::Ptr | Leaf::Int(64)) | (Leaf::Int(64), Leaf::Ptr) => true,
        (Leaf::Float(given), Leaf::Float(wanted)) => given == wanted,
        (Leaf::Ptr, Leaf::Int(_) | Leaf::Float(_))
        | (Leaf::Int(_), Leaf::Ptr | Leaf::Float(_))
        | (Leaf::Float(_), Leaf::Int(_) | Leaf::Ptr) => false,
    }
}

fn describe(leaf: Leaf) -> String {
    match leaf {
        Leaf::Int(bits) => format!("an integer of {bits} bits"),
        Leaf::Float(kind) => format!("a floating-point number ({})", kind.keyword()),
        Leaf::Ptr => "a pointer".to_owned(),
    }
}
