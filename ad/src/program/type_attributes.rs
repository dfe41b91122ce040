//! `"enzyme_type"` attributes: what front ends say of the memory behind a pointer.
//!
//! The text lists the types by path: `{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer}` is a pointer to memory with
//! a `double` at its start and an integer 8 bytes further; `-1` stands for every place. rustc and Julia's compiler
//! write it on parameters of functions and on arguments of calls. Each entry one step behind a pointer becomes a call
//! that tells the same ([`crate::program::annotations`]), at the beginning of the function or before the call. Entries
//! behind two pointers or more say less than the loads that lead there, and what is `Anything` or `Unknown` says
//! nothing.

use crate::base::builder::plain_call;
use crate::base::names;
use ir::{AttrValue, Attrs, FuncId, Inst, InstId, InstKind, Module, Operand};

const ATTRIBUTE: &str = "enzyme_type";

/// What an entry tells: the name of the telling function, and the place if it is a single one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    teller: &'static str,
    size: u64,
    at: Option<u64>,
}

/// Turns the attributes of a module into calls; they are dropped.
pub fn apply(m: &mut Module) {
    for id in m.functions.keys().collect::<Vec<_>>() {
        let mut first = Vec::new();
        for i in 0..m.functions[id].params.len() {
            let entries = take(&mut m.functions[id].params[i].attrs);
            let param = m.functions[id].param(i);
            first.extend(entries.into_iter().map(|e| (param, e)));
        }
        if m.functions[id].is_declaration() {
            continue;
        }
        let entry = m.functions[id].entry();
        for (block, inst) in m.functions[id].inst_order().collect::<Vec<_>>() {
            let Some(call) = m.functions[id].insts[inst].kind.as_call_mut() else { continue };
            let told: Vec<(Operand, Entry)> = call
                .arg_attrs
                .iter_mut()
                .zip(&call.args)
                .flat_map(|(attrs, arg)| take(attrs).into_iter().map(|e| (*arg, e)))
                .collect();
            let new: Vec<InstId> = told.into_iter().flat_map(|t| tell(m, id, t)).collect();
            let insts = &mut m.functions[id].blocks[block].insts;
            if let Some(at) = insts.iter().position(|i| *i == inst) {
                insts.splice(at..at, new);
            }
        }
        let new: Vec<InstId> = first.into_iter().flat_map(|t| tell(m, id, t)).collect();
        m.functions[id].blocks[entry].insts.splice(0..0, new);
    }
}

/// The entries of the attribute, which is taken away.
fn take(attrs: &mut Attrs) -> Vec<Entry> {
    let text = match attrs.get(ATTRIBUTE) {
        Some(AttrValue::Str(Some(text))) => text.clone(),
        _ => return Vec::new(),
    };
    attrs.0.retain(|a| a.name != ATTRIBUTE);
    parse(&text)
}

/// `{[path]:kind, …}`
fn parse(text: &str) -> Vec<Entry> {
    let mut out = Vec::new();
    for item in text.split('[').skip(1) {
        let Some((path, kind)) = item.split_once("]:") else { continue };
        let path: Option<Vec<i64>> = path.split(',').map(|n| n.trim().parse().ok()).collect();
        let Some([-1 | 0, at]) = path.as_deref() else { continue };
        let at = u64::try_from(*at).ok();
        let (teller, size) = match kind.trim_end_matches([',', ' ', '}']) {
            "Float@double" => ("__enzyme_double", 8),
            "Float@float" => ("__enzyme_float", 4),
            "Pointer" => ("__enzyme_pointer", 8),
            "Integer" => ("__enzyme_integer", 1),
            _ => continue,
        };
        out.push(Entry { teller, size, at });
    }
    out
}

/// The instructions that tell it.
fn tell(m: &mut Module, id: FuncId, (pointer, entry): (Operand, Entry)) -> Vec<InstId> {
    let func = &m.functions[id];
    if !m.types.is_ptr(m.operand_ty(func, pointer)) {
        return Vec::new();
    }
    let (ptr, i8t, i64t, void) = (m.types.ptr(), m.types.int(8), m.types.int(64), m.types.void());
    let (mut out, mut args, mut params) = (Vec::new(), vec![pointer], vec![ptr]);
    if let Some(at) = entry.at {
        let indices = vec![m.int(64, u128::from(at))];
        let gep = Inst::new(InstKind::Gep { elem_ty: i8t, flags: Default::default(), base: pointer, indices }, ptr);
        let gep = m.functions[id].create_inst(gep, true);
        args =
            vec![m.functions[id].insts[gep].result.map_or(pointer, Operand::Local), m.int(64, u128::from(entry.size))];
        params.push(i64t);
        out.push(gep);
    }
    let name = format!("adj.{}.{}", entry.teller, params.len());
    let teller = names::declare(m, &name, void, &params);
    let fn_ty = m.types.func(void, params);
    let call = plain_call(m.function_address(teller), fn_ty, args, String::new());
    let call = m.functions[id].create_inst(Inst::new(InstKind::Call(Box::new(call)), void), false);
    out.push(call);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_one_step_behind_the_pointer_are_read() {
        let found =
            parse("{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer, [-1,16,0]:Float@float, [-1,24]:Anything}");
        let entry = |teller, size, at| Entry { teller, size, at: Some(at) };
        assert_eq!(found, [entry("__enzyme_double", 8, 0), entry("__enzyme_integer", 1, 8)]);
        assert_eq!(
            parse("{[-1]:Pointer, [-1,-1]:Float@float}"),
            [Entry { teller: "__enzyme_float", size: 4, at: None }]
        );
        assert_eq!(parse("{}"), []);
    }
}
