//! Check 1 of the verifier for functions: all that is referred to exists, so that the later checks cannot index astray.

use super::{Checker, VerifyError};
use crate::attr::{AttrValue, Attrs};
use crate::constant::ConstKind;
use crate::entity::{EntityRef, SecondaryMap};
use crate::function::{InstId, ValueDef};
use crate::inst::{Inst, InstKind, Operand};
use crate::metadata::{MdId, MdOperand};
use crate::types::{Type, TypeId};

impl Checker<'_> {
    pub(super) fn ids(&mut self) {
        let func = self.func;
        let mut types = vec![("return", func.ret)];
        types.extend(func.params.iter().map(|p| ("parameter", p.ty)));
        types.extend(func.values.values().map(|v| ("value", v.ty)));
        for (what, ty) in types {
            if !self.known_type(ty) {
                self.unknown(format!("the {what} type {ty}"));
            }
        }
        for (i, param) in func.params.iter().enumerate() {
            if func.values.get(param.value).is_none_or(|v| v.def != ValueDef::Param(i as u32) || v.ty != param.ty) {
                self.unknown(format!("the value {} of parameter {i}", param.value));
            }
        }
        if func.personality.is_some_and(|c| c.index() >= self.module.constants.len()) {
            self.unknown("the personality".to_owned());
        }
        let attrs = func.params.iter().map(|p| &p.attrs).chain([&func.attrs, &func.ret_attrs]);
        if !attrs.into_iter().all(|a| self.known_attrs(a)) {
            self.unknown("the type of an attribute".to_owned());
        }
        for id in func.metadata.iter().map(|m| m.1) {
            self.known_node(id);
        }
        for &block in &func.layout {
            if !func.blocks.is_valid(block) {
                self.unknown(format!("the block {block}"));
            } else if let Some(inst) = func.blocks[block].insts.iter().find(|i| !func.insts.is_valid(**i)) {
                self.unknown(format!("the instruction {inst} of block {block}"));
            }
        }
        if self.errors.is_empty() {
            let mut in_layout = SecondaryMap::new();
            func.layout.iter().for_each(|b| in_layout[*b] = true);
            for (_, inst) in func.inst_order() {
                self.inst_ids(inst, &in_layout);
            }
        }
    }

    /// Names of instructions cannot be printed here: they may be what is unknown.
    fn unknown(&mut self, what: String) {
        self.errors.push(VerifyError {
            function: Some(self.func.name.clone()),
            block: None,
            inst: None,
            source: None,
            message: format!("{what} does not exist"),
        });
    }

    fn known_type(&self, ty: TypeId) -> bool {
        ty.index() < self.module.types.len()
    }

    fn known_node(&mut self, id: MdId) {
        if !self.module.metadata.is_valid(id) {
            self.unknown(format!("the metadata node {id}"));
        }
    }

    fn known_attrs(&self, attrs: &Attrs) -> bool {
        attrs.0.iter().all(|a| !matches!(a.value, AttrValue::Type(ty) if !self.known_type(ty)))
    }

    fn inst_ids(&mut self, id: InstId, in_layout: &SecondaryMap<crate::BlockId, bool>) {
        let func = self.func;
        let inst = &func.insts[id];
        let unknown_value = |operand: &Operand| match operand {
            Operand::Local(value) => !func.values.is_valid(*value),
            Operand::Const(constant) => constant.index() >= self.module.constants.len(),
        };
        if let Some(operand) = inst.kind.operands().iter().find(|o| unknown_value(o)) {
            self.unknown(format!("the operand {operand:?} of {id}"));
        }
        let local_md = |operand: &Operand| match self.module.as_constant(*operand).map(|c| &c.kind) {
            Some(ConstKind::Metadata(MdOperand::Local(local))) => unknown_value(local),
            _ => false,
        };
        if self.errors.is_empty() && inst.kind.operands().iter().any(local_md) {
            self.unknown(format!("a metadata operand of {id}"));
        }
        let mut blocks = inst.kind.successors();
        if let InstKind::Phi { incoming, .. } = &inst.kind {
            blocks.extend(incoming.iter().map(|i| i.1));
        }
        if let Some(block) = blocks.iter().find(|b| !in_layout[**b]) {
            self.unknown(format!("the block {block}, which {id} names,"));
        }
        if let InstKind::Switch { cases, .. } = &inst.kind
            && cases.iter().any(|(c, _)| c.index() >= self.module.constants.len())
        {
            self.unknown(format!("a case of {id}"));
        }
        if !self.types_of(inst).into_iter().all(|ty| self.known_type(ty)) {
            self.unknown(format!("a type of {id}"));
        }
        if let Some(call) = inst.kind.as_call() {
            let attrs = call.arg_attrs.iter().chain([&call.ret_attrs, &call.fn_attrs]);
            if !attrs.into_iter().all(|a| self.known_attrs(a)) {
                self.unknown(format!("the type of an attribute of {id}"));
            }
        }
        if inst.result.is_some_and(|v| !func.values.is_valid(v)) {
            self.unknown(format!("the result of {id}"));
        }
        for node in inst.metadata.iter().map(|m| m.1).chain(inst.loc) {
            self.known_node(node);
        }
        for operand in inst.debug_records.iter().flat_map(|r| &r.operands) {
            match operand {
                MdOperand::Node(node) => self.known_node(*node),
                MdOperand::Local(local) if unknown_value(local) => {
                    self.unknown(format!("an operand of a debug record of {id}"))
                }
                _ => {}
            }
        }
    }

    fn types_of(&self, inst: &Inst) -> Vec<TypeId> {
        let mut types = vec![inst.ty];
        match &inst.kind {
            InstKind::Alloca { elem_ty, .. } | InstKind::Gep { elem_ty, .. } => types.push(*elem_ty),
            kind => types.extend(kind.as_call().map(|c| c.fn_ty)),
        }
        types
    }

    /// Return type and parameters of a function type.
    pub(super) fn signature(&self, ty: TypeId) -> Option<(TypeId, &[TypeId], bool)> {
        match self.module.types.get(ty) {
            Type::Func { ret, params, vararg } => Some((*ret, params, *vararg)),
            _ => None,
        }
    }
}
