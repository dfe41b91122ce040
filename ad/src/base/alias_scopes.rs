//! What the synthesiser knows of aliasing and LLVM cannot see: tape, shadows and the primal's memory are disjoint.
//!
//! No access of the primal, nor one to a shadow, reaches a record. Said as scoped alias metadata (LangRef, "'noalias'
//! and 'alias.scope' Metadata"): accesses to records are in one scope, all others of the gradient's functions are not.
//! So a loop that writes to the tape can be vectorised, and what it loads repeatedly stays in registers. One scope
//! serves all functions of a module, also those of derivatives of derivatives: a statement less strong than one for
//! each would be, and true of each.
//!
//! No access of the primal reaches a shadow. The shadows of a gradient are the primal's memory to its own derivative,
//! so each differentiation has a scope for its shadows, of which the accesses of its primal are none. Of a pointer that
//! may turn out constant, which is its own shadow then, nothing is said.

use crate::base::names::is_in_one_piece;
use ir::hash::HashMap;
use ir::{Function, InstKind, MdBody, MdId, MdNode, MdOperand, Module};

const ALIAS_SCOPE: &str = "alias.scope";
const NOALIAS: &str = "noalias";

/// Where the module remembers the list with the scope.
const NAMED: &str = "adj.records";

/// The list that consists of the scope of records.
pub fn records(m: &mut Module) -> MdId {
    if let Some((_, nodes)) = m.named_metadata.iter().find(|(name, _)| name == NAMED) {
        return nodes[0];
    }
    let domain = distinct(m, |own| vec![own, MdOperand::Str(b"adj".to_vec())]);
    let scope = distinct(m, |own| vec![own, MdOperand::Node(domain), MdOperand::Str(b"records of the tape".to_vec())]);
    let list = m.metadata.push(MdNode { distinct: false, body: MdBody::Tuple(vec![MdOperand::Node(scope)]) });
    m.named_metadata.push((NAMED.to_owned(), vec![list]));
    list
}

/// A new list with a scope for the shadows of one differentiation.
pub fn shadows(m: &mut Module) -> MdId {
    let domain = distinct(m, |own| vec![own, MdOperand::Str(b"adj".to_vec())]);
    let scope = distinct(m, |own| vec![own, MdOperand::Node(domain), MdOperand::Str(b"shadows".to_vec())]);
    m.metadata.push(MdNode { distinct: false, body: MdBody::Tuple(vec![MdOperand::Node(scope)]) })
}

/// A node that refers to itself, as the domain and the scopes do.
fn distinct(m: &mut Module, operands: impl FnOnce(MdOperand) -> Vec<MdOperand>) -> MdId {
    let id = m.metadata.push(MdNode { distinct: true, body: MdBody::Tuple(Vec::new()) });
    m.metadata[id].body = MdBody::Tuple(operands(MdOperand::Node(id)));
    id
}

/// Marks an access as one of a list.
pub fn is_in(metadata: &mut Vec<(String, MdId)>, list: MdId) {
    metadata.push((ALIAS_SCOPE.to_owned(), list));
}

/// Is it an access to a record?
pub fn of(inst: &ir::Inst, list: MdId) -> bool {
    inst.metadata(ALIAS_SCOPE) == Some(list)
}

/// Forgets the program's own scopes. What they say holds for accesses of one passage through the scope (LangRef,
/// "llvm.experimental.noalias.scope.decl"); a load that is made again is in none, and earlier passages may have written
/// what it reads.
pub fn leave_scopes(metadata: &mut Vec<(String, MdId)>) {
    metadata.retain(|(name, _)| name != ALIAS_SCOPE && name != NOALIAS);
}

/// Takes back what was said of the accesses to records of a function.
pub fn forget(f: &mut Function, list: MdId) {
    for inst in f.insts.values_mut() {
        inst.metadata.retain(|said| *said != (ALIAS_SCOPE.to_owned(), list));
    }
}

/// Says of all other accesses of a finished function that they are not to records.
pub fn others(m: &mut Module, f: &mut Function, list: MdId) {
    let order: Vec<_> = f.inst_order().map(|(_, i)| i).collect();
    let mut lists = Lists::default();
    for inst in order {
        let data = &f.insts[inst];
        // What is said of a call is said of all that its body does (LLVM's inliner hands it on).
        let accesses = matches!(data.kind, InstKind::Load { .. } | InstKind::Store { .. }) || is_in_one_piece(m, data);
        if !accesses || of(data, list) {
            continue;
        }
        is_none(m, &mut f.insts[inst].metadata, (list, &mut lists));
    }
}

/// Lists made of two.
pub type Lists = HashMap<(MdId, MdId), MdId>;

/// Says of an access that it is none of a list's.
pub fn is_none(m: &mut Module, metadata: &mut Vec<(String, MdId)>, (list, lists): (MdId, &mut Lists)) {
    let node = match metadata.iter().find(|(name, _)| name == NOALIAS) {
        None => list,
        Some((_, old)) => *lists.entry((*old, list)).or_insert_with(|| {
            let mut both = m.metadata[*old].operands().to_vec();
            both.extend(
                m.metadata[list].operands().iter().filter(|o| !m.metadata[*old].operands().contains(o)).cloned(),
            );
            m.metadata.push(MdNode { distinct: false, body: MdBody::Tuple(both) })
        }),
    };
    metadata.retain(|(name, _)| name != NOALIAS);
    metadata.push((NOALIAS.to_owned(), node));
}
