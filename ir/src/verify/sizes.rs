//! Limits on types, so that computing a size neither overflows nor runs for ever: a struct may not contain
//! itself by value, nesting and the number of fields are bounded, and a size fits in 61 bits.

use crate::entity::EntityRef;
use crate::types::{Type, TypeId, Types};

/// How deep types may contain each other by value.
const MAX_DEPTH: u32 = 250;
/// How many scalars a type may have when its structs are written out (an array counts once).
const MAX_FIELDS: u64 = 1 << 20;
/// Largest size of a type in bits.
const MAX_BITS: u128 = 1 << 61;

/// What is known of a type.
#[derive(Clone, Copy)]
struct Extent {
    /// At least its size in memory, whatever the layout.
    bits: u128,
    fields: u64,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Done(Extent),
}

/// Checks all types of a module; the error names the first that is beyond a limit.
pub(crate) fn check(types: &Types) -> Result<(), String> {
    let mut states = vec![State::New; types.len()];
    for index in 0..types.len() {
        visit(types, &mut states, TypeId::new(index), 0)?;
    }
    Ok(())
}

fn visit(types: &Types, states: &mut [State], ty: TypeId, depth: u32) -> Result<Extent, String> {
    let name = || match types.get(ty) {
        Type::Named(id) => format!("the type `%{}`", types.named(*id).name),
        _ => "a type".to_owned(),
    };
    match states[ty.index()] {
        State::Done(extent) => return Ok(extent),
        State::Open => return Err(format!("{} contains itself", name())),
        State::New => {}
    }
    if depth > MAX_DEPTH {
        return Err(format!("{} is nested more than {MAX_DEPTH} levels deep", name()));
    }
    states[ty.index()] = State::Open;
    let scalar = |bits: u32| Extent { bits: u128::from(bits), fields: 1 };
    let extent = match types.get(ty) {
        Type::Int(bits) => scalar(*bits),
        Type::Float(kind) => scalar(kind.bits()),
        Type::Ptr(_) => scalar(64),
        Type::Vector { len, elem } => times(visit(types, states, *elem, depth + 1)?, u64::from(*len)),
        Type::Array { len, elem } => times(visit(types, states, *elem, depth + 1)?, *len),
        Type::Struct { .. } | Type::Named(_) => {
            let mut sum = Extent { bits: 0, fields: 1 };
            for field in types.fields(ty).map_or(&[][..], |f| f.0) {
                let field = visit(types, states, *field, depth + 1)?;
                sum.bits += field.bits;
                sum.fields = sum.fields.saturating_add(field.fields);
            }
            sum
        }
        // Parameters of a function type are not contained in it.
        Type::Void | Type::Func { .. } | Type::Label | Type::Token | Type::Metadata => scalar(0),
    };
    if extent.bits > MAX_BITS {
        return Err(format!("{} is too large", name()));
    }
    if extent.fields > MAX_FIELDS {
        return Err(format!("{} has more than {MAX_FIELDS} fields", name()));
    }
    states[ty.index()] = State::Done(extent);
    Ok(extent)
}

/// An array. Each element may need up to 16 bytes of padding.
fn times(elem: Extent, len: u64) -> Extent {
    Extent { bits: (elem.bits + 128) * u128::from(len), fields: elem.fields }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn limits() {
        let refused = |text: &str, why: &str| {
            let error = parse(text, "test").expect_err(why);
            assert!(error.message.contains(why), "{error}");
        };
        refused("%a = type { i32, %b }\n%b = type { [2 x %a] }\n", "contains itself");
        refused("@x = external global [18446744073709551615 x i64]\n", "too large");
        let doubling: String = (1..60).map(|i| format!("%s{i} = type {{ %s{0}, %s{0} }}\n", i - 1)).collect();
        refused(&format!("%s0 = type {{ double, double }}\n{doubling}"), "fields");
        let chain: String = (1..9999).map(|i| format!("%s{i} = type {{ %s{} }}\n", i + 1)).collect();
        refused(&format!("{chain}%s9999 = type {{ i8 }}\n"), "levels deep");
        parse("%node = type { double, ptr }\n@x = external global [1000000000 x %node]\n", "test").unwrap();
    }
}
