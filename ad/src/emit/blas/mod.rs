//! Routines of BLAS and LAPACK: their derivatives are made of such routines, as the rows of the table say
//! (`rules::blas`).
//!
//! A program that calls such a routine has a body of it, so that every analysis knows what the call does. Only the
//! functions that the synthesis would make from that body (the augmented forward and the reverse, or the tangent) are
//! made from the row instead: [`crate::reverse::blas`], [`crate::forward::blas`]. They call the library that the
//! program is linked with, as the program does. Callers do not see the difference, and neither does a second
//! differentiation.
//!
//! What the reverse needs of matrices that may be overwritten before it runs is copied to the tape, packed: as many
//! numbers as the matrix has, where the body would keep one for each multiplication.
//!
//! Where a row says nothing (a fault is planted, a zero adjoint is to stay zero whatever it is multiplied with, the
//! library lacks a routine), the body is differentiated.

pub mod lower;
mod operands;
mod spelling;

use crate::mode::Style;
use crate::program::attributes::ROUTINE;
use ir::{AttrValue, FloatKind, Function, Module, Type};
use ir::{FuncId, Origin, Role};
use rules::blas::{Kind, Routine, Spelling, is_kernel, reached};

/// A routine with a row, as a module spells it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) routine: &'static Routine,
    pub(crate) spelling: Spelling,
}

/// The row that stands for the body of a function.
pub(crate) fn rule(m: &Module, func: &Function, style: Style) -> Option<Rule> {
    let Some(AttrValue::Str(Some(name))) = func.attrs.get(ROUTINE) else { return None };
    let (routine, spelling) = Spelling::of(name)?;
    let rule = Rule { routine, spelling };
    let callable = |r: &&Routine| m.function(&spelling.name(r)).is_some_and(|f| rule.fits(m, r, &m.functions[f]));
    let plain = !style.strong_zero && !style.runtime_activity;
    (plain && rule.fits(m, routine, func) && reached(routine).iter().all(callable)).then_some(rule)
}

impl Rule {
    fn float(self) -> FloatKind {
        if self.spelling.format == 'd' { FloatKind::Double } else { FloatKind::Float }
    }

    /// Has a function the parameters and the result of the routine, with counts of 32 bits?
    fn fits(self, m: &Module, routine: &Routine, func: &Function) -> bool {
        #[derive(PartialEq)]
        enum Class {
            Int,
            Float,
            Pointer,
        }
        let by_value = self.spelling.cblas || is_kernel(routine);
        let mut wanted = Vec::new();
        if by_value && routine.has_layout() {
            wanted.push(Class::Int);
        }
        for (_, kind) in routine.operands() {
            match kind {
                Kind::Data(_) => wanted.extend([Class::Pointer, Class::Int]),
                Kind::Packed(_) | Kind::Info => wanted.push(Class::Pointer),
                Kind::Scalar => wanted.push(Class::Float),
                _ => wanted.push(Class::Int),
            }
        }
        let is_float = |ty| m.types.float_kind(ty) == Some(self.float());
        let is = |(ty, class): (ir::TypeId, &Class)| match class {
            _ if !by_value => m.types.is_ptr(ty),
            Class::Int => matches!(m.types.get(ty), Type::Int(32)),
            Class::Float => is_float(ty),
            Class::Pointer => m.types.is_ptr(ty),
        };
        let result = if routine.returns() { is_float(func.ret) } else { matches!(m.types.get(func.ret), Type::Void) };
        result && !func.vararg && func.params.len() == wanted.len() && {
            func.params.iter().map(|p| p.ty).zip(&wanted).all(is)
        }
    }
}

/// The instruction of the body that the derivative stands for.
pub(crate) fn origin(func: &Function, id: FuncId, role: Role) -> Option<Origin> {
    let call = func.inst_order().map(|(_, inst)| inst).find(|i| func.insts[*i].kind.as_call().is_some())?;
    let own = Origin { func: id, inst: call, role };
    Some(Origin { role, ..func.insts[call].origin.unwrap_or(own) })
}
