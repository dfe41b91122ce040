//! Instructions that touch memory, in text.

use super::lexer::Tok;
use super::{PResult, Parser};
use crate::inst::{Atomic, InstKind, Ordering, RmwOp};
use crate::types::{Type, TypeId};

impl Parser<'_> {
    /// `, align N`, or the alignment that the data layout gives.
    fn alignment(&mut self, ty: TypeId) -> PResult<u64> {
        if !self.accept_comma_word("align") {
            return Ok(self.module.layout.align_of(&self.module.types, ty));
        }
        let start = self.lex.start;
        let align = self.int()?;
        if align.is_power_of_two() { Ok(align) } else { self.fail_at(start, "an alignment that is no power of two") }
    }

    /// `syncscope("…")`, empty if there is none.
    fn scope(&mut self) -> PResult<String> {
        if !self.accept_word("syncscope") {
            return Ok(String::new());
        }
        self.punct(b'(')?;
        let Tok::Str(raw) = self.lex.tok else { return self.expected("a string") };
        let scope = self.decode(raw)?;
        self.lex.advance();
        self.punct(b')')?;
        Ok(scope)
    }

    fn ordering(&mut self) -> PResult<Ordering> {
        let ordering = match self.lex.tok {
            Tok::Word("unordered") => Ordering::Unordered,
            Tok::Word("monotonic") => Ordering::Monotonic,
            Tok::Word("acquire") => Ordering::Acquire,
            Tok::Word("release") => Ordering::Release,
            Tok::Word("acq_rel") => Ordering::AcqRel,
            Tok::Word("seq_cst") => Ordering::SeqCst,
            _ => return self.expected("an atomic ordering"),
        };
        self.lex.advance();
        Ok(ordering)
    }

    /// Scope and ordering.
    pub(super) fn atomic(&mut self) -> PResult<Atomic> {
        let scope = self.scope()?;
        Ok(Atomic { ordering: self.ordering()?, scope })
    }

    pub(super) fn load(&mut self) -> PResult<(InstKind, TypeId)> {
        let is_atomic = self.accept_word("atomic");
        let volatile = self.accept_word("volatile");
        let ty = self.ty()?;
        self.punct(b',')?;
        let (_, ptr) = self.typed_operand()?;
        let atomic = if is_atomic { Some(self.atomic()?) } else { None };
        let align = self.alignment(ty)?;
        Ok((InstKind::Load { ptr, align, volatile, atomic }, ty))
    }

    pub(super) fn store(&mut self) -> PResult<(InstKind, TypeId)> {
        let is_atomic = self.accept_word("atomic");
        let volatile = self.accept_word("volatile");
        let (ty, value) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, ptr) = self.typed_operand()?;
        let atomic = if is_atomic { Some(self.atomic()?) } else { None };
        let align = self.alignment(ty)?;
        Ok((InstKind::Store { value, ptr, align, volatile, atomic }, self.void))
    }

    pub(super) fn alloca(&mut self) -> PResult<(InstKind, TypeId)> {
        let inalloca = self.accept_word("inalloca");
        if self.lex.tok == Tok::Word("swifterror") {
            return self.unsupported("`swifterror` memory is");
        }
        let elem_ty = self.ty()?;
        let mut count = None;
        let saved = self.lex;
        if self.accept(b',') && self.at_type() {
            count = Some(self.typed_operand()?.1);
        } else {
            self.lex = saved;
        }
        let align = self.alignment(elem_ty)?;
        let saved = self.lex;
        let addr_space = if self.accept(b',') { self.addr_space()? } else { 0 };
        if addr_space == 0 {
            self.lex = saved;
        }
        let ty = self.module.types.intern(Type::Ptr(addr_space));
        Ok((InstKind::Alloca { elem_ty, count, align, addr_space, inalloca }, ty))
    }

    pub(super) fn cmpxchg(&mut self) -> PResult<(InstKind, TypeId)> {
        let weak = self.accept_word("weak");
        let volatile = self.accept_word("volatile");
        let (_, ptr) = self.typed_operand()?;
        self.punct(b',')?;
        let (ty, expected) = self.typed_operand()?;
        self.punct(b',')?;
        let (_, new) = self.typed_operand()?;
        let scope = self.scope()?;
        let success = self.ordering()?;
        let failure = self.ordering()?;
        let align = self.alignment(ty)?;
        let bit = self.module.types.int(1);
        let result = self.module.types.tuple(vec![ty, bit]);
        Ok((InstKind::CmpXchg { ptr, expected, new, align, weak, volatile, success, failure, scope }, result))
    }

    pub(super) fn atomicrmw(&mut self) -> PResult<(InstKind, TypeId)> {
        let volatile = self.accept_word("volatile");
        let Tok::Word(word) = self.lex.tok else { return self.expected("an atomic operation") };
        let Some(&op) = RmwOp::ALL.iter().find(|op| op.name() == word) else {
            return self.expected("an atomic operation");
        };
        self.lex.advance();
        let (_, ptr) = self.typed_operand()?;
        self.punct(b',')?;
        let (ty, value) = self.typed_operand()?;
        let scope = self.scope()?;
        let ordering = self.ordering()?;
        let align = self.alignment(ty)?;
        Ok((InstKind::AtomicRmw { op, ptr, value, align, volatile, ordering, scope }, ty))
    }

    pub(super) fn gep(&mut self) -> PResult<(InstKind, TypeId)> {
        let flags = self.gep_flags();
        let elem_ty = self.ty()?;
        self.punct(b',')?;
        let (mut ty, base) = self.typed_operand()?;
        let mut indices = Vec::new();
        loop {
            let saved = self.lex;
            if !(self.accept(b',') && self.at_type()) {
                self.lex = saved;
                break;
            }
            let (index_ty, index) = self.typed_operand()?;
            // A vector of indices makes a vector of pointers.
            if let (Type::Vector { len, .. }, true) = (self.module.types.get(index_ty), self.module.types.is_ptr(ty)) {
                let len = *len;
                ty = self.module.types.vector(len, ty);
            }
            indices.push(index);
        }
        Ok((InstKind::Gep { elem_ty, flags, base, indices }, ty))
    }
}
