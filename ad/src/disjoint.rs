//! What the synthesiser knows of aliasing and LLVM cannot see: the records on the tape are memory of the gradient's own.
//!
//! No access of the primal, nor one to a shadow, reaches a record. Said as scoped alias metadata (LangRef, "'noalias' and
//! 'alias.scope' Metadata"): accesses to records are in one scope, all others of the gradient's functions are not. So a loop
//! that writes to the tape can be vectorised, and what it loads repeatedly stays in registers. One scope serves all
//! functions of a module, also those of derivatives of derivatives: a statement less strong than one for each
//! would be, and true of each.

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

/// A node that refers to itself, as the domain and the scopes do.
fn distinct(m: &mut Module, operands: impl FnOnce(MdOperand) -> Vec<MdOperand>) -> MdId {
    let id = m.metadata.push(MdNode { distinct: true, body: MdBody::Tuple(Vec::new()) });
    m.metadata[id].body = MdBody::Tuple(operands(MdOperand::Node(id)));
    id
}

/// Marks an access to a record.
pub fn is_record(metadata: &mut Vec<(String, MdId)>, list: MdId) {
    metadata.push((ALIAS_SCOPE.to_owned(), list));
}

/// Is it an access to a record?
pub fn of(inst: &ir::Inst, list: MdId) -> bool {
    inst.metadata(ALIAS_SCOPE) == Some(list)
}

/// Forgets the program's own scopes. What they say holds for accesses of one passage through the scope (LangRef,
/// "llvm.experimental.noalias.scope.decl"); a load that is made again is in none, and earlier passages may have written what it reads.
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
    for inst in order {
        let data = &f.insts[inst];
        let accesses = matches!(data.kind, InstKind::Load { .. } | InstKind::Store { .. });
        if !accesses || of(data, list) {
            continue;
        }
        let node = match data.metadata(NOALIAS) {
            None => list,
            Some(old) => {
                let mut both = m.metadata[old].operands().to_vec();
                both.extend(
                    m.metadata[list].operands().iter().filter(|o| !m.metadata[old].operands().contains(o)).cloned(),
                );
                m.metadata.push(MdNode { distinct: false, body: MdBody::Tuple(both) })
            }
        };
        let metadata = &mut f.insts[inst].metadata;
        metadata.retain(|(name, _)| name != NOALIAS);
        metadata.push((NOALIAS.to_owned(), node));
    }
}
