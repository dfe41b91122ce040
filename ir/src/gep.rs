//! What a `getelementptr` adds to its base: bytes, and indices times bytes.
//!
//! LangRef, "getelementptr": the first index counts objects of the element type, each further one elements of what the
//! one before it has led to. A member of a structure is named by a constant and lies where the layout puts it; elements
//! of an array lie one after the other.

use crate::{Module, Operand, Type, TypeId};

/// An offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offset {
    /// Bytes that members of structures lie ahead.
    pub bytes: u64,
    /// Indices, constant or not, with the bytes that each counts, in their order. An index has a sign, and may be
    /// narrower or wider than an address.
    pub scaled: Vec<(Operand, u64)>,
}

/// The offset of an element; `None` where an index is none of its type, or is a vector's and not constant.
pub fn offset(m: &Module, elem_ty: TypeId, indices: &[Operand]) -> Option<Offset> {
    let (mut out, mut ty) = (Offset::default(), elem_ty);
    for (n, index) in indices.iter().enumerate() {
        match m.types.get(ty) {
            _ if n == 0 => out.scaled.push((*index, m.size_of(ty))),
            Type::Array { elem, .. } => {
                ty = *elem;
                out.scaled.push((*index, m.size_of(ty)));
            }
            _ => {
                let member = u64::try_from(m.as_int(*index)?).ok()?;
                out.bytes = out.bytes.checked_add(m.layout.element_offset(&m.types, ty, member)?)?;
                ty = m.types.element(ty, member)?;
            }
        }
    }
    Some(out)
}

/// What a `getelementptr` adds to its base, if that is constant.
pub fn constant_offset(m: &Module, elem_ty: TypeId, indices: &[Operand]) -> Option<i64> {
    let offset = offset(m, elem_ty, indices)?;
    let terms = offset
        .scaled
        .iter()
        .map(|(index, scale)| Some(signed(m, *index, m.as_int(*index)?).wrapping_mul(*scale as i64)));
    terms.sum::<Option<i64>>().map(|by| by.wrapping_add(offset.bytes as i64))
}

/// The signed value of an integer constant, given its bits.
pub fn signed(m: &Module, operand: Operand, value: u128) -> i64 {
    let bits = match m.as_constant(operand).map(|c| m.types.get(c.ty)) {
        Some(Type::Int(bits)) => *bits,
        _ => 64,
    };
    if bits >= 64 { value as i64 } else { ((value as i64) << (64 - bits)) >> (64 - bits) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::InstKind;

    fn of(pointer: &str) -> Option<Offset> {
        let text = format!(
            "%pair = type {{ i8, [3 x double], i32 }}\ndefine void @f(ptr %p, i64 %i, i32 %j) {{\n  %q = {pointer}\n  \
             ret void\n}}\n"
        );
        let m = crate::parse(&text, "test").expect("the test's IR parses");
        let f = m.functions.values().next()?;
        let (_, inst) = f.inst_order().next()?;
        let InstKind::Gep { elem_ty, indices, .. } = &f.insts[inst].kind else { return None };
        offset(&m, *elem_ty, indices)
    }

    #[test]
    fn members_are_where_the_layout_puts_them_and_indices_count_elements() {
        let strides = |o: &Offset| o.scaled.iter().map(|(_, by)| *by).collect::<Vec<_>>();
        let plain = of("getelementptr double, ptr %p, i64 %i").expect("an offset");
        assert_eq!((plain.bytes, strides(&plain)), (0, vec![8]));
        // { i8, seven bytes of nothing, three doubles, i32, four bytes of nothing }
        let inner = of("getelementptr %pair, ptr %p, i64 %i, i32 1, i32 %j").expect("an offset");
        assert_eq!((inner.bytes, strides(&inner)), (8, vec![40, 8]));
        let last = of("getelementptr %pair, ptr %p, i64 0, i32 2").expect("an offset");
        assert_eq!((last.bytes, strides(&last)), (32, vec![40]));
        let rows = of("getelementptr [4 x [2 x i16]], ptr %p, i64 1, i64 %i, i64 1").expect("an offset");
        assert_eq!((rows.bytes, strides(&rows)), (0, vec![16, 4, 2]));
    }

    #[test]
    fn an_element_of_a_vector_is_named_by_a_constant() {
        let third = of("getelementptr <4 x float>, ptr %p, i64 0, i32 2").expect("an offset");
        assert_eq!(third.bytes, 8);
        assert_eq!(of("getelementptr <4 x float>, ptr %p, i64 0, i64 %i"), None);
    }
}
