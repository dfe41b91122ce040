//! Constants and constant expressions in text.

use super::lexer::{Tok, unescape};
use super::{Fault, PResult, Parser, Symbol};
use crate::constant::{ConstExpr, ConstId, ConstKind};
use crate::float_text;
use crate::inst::{BinOp, CastOp, GepFlags};
use crate::types::{Type, TypeId};

impl Parser<'_> {
    /// A type and a constant of it.
    pub(super) fn typed_constant(&mut self) -> PResult<ConstId> {
        let ty = self.ty()?;
        self.constant(ty)
    }

    /// A constant of type `ty`.
    pub(super) fn constant(&mut self, ty: TypeId) -> PResult<ConstId> {
        self.nested(|p| p.constant_kind(ty))
    }

    fn constant_kind(&mut self, ty: TypeId) -> PResult<ConstId> {
        let start = self.lex.start;
        let kind = match self.lex.tok {
            Tok::Int(text) => {
                let kind = self.int_constant(ty, text)?;
                self.lex.advance();
                kind
            }
            Tok::Float(text) => {
                let Some(kind) = self.module.types.float_kind(ty) else {
                    return self.expected("a constant of that type");
                };
                match float_text::parse(text, kind) {
                    Ok(bits) => self.lex.advance_with(ConstKind::Float(bits)),
                    Err(why) => return self.fail(format!("{why}: {text}")),
                }
            }
            Tok::Word(word) => return self.word_constant(ty, word),
            Tok::Global(name) => {
                let name = self.name(name)?;
                match self.symbols.get(&name) {
                    Some(Symbol::Func(id)) => self.lex.advance_with(ConstKind::Function(*id)),
                    Some(Symbol::Global(id)) => self.lex.advance_with(ConstKind::Global(*id)),
                    None => return self.fail(format!("`@{name}` is not defined")),
                }
            }
            Tok::Bytes(raw) => self.lex.advance_with(ConstKind::Bytes(unescape(raw))),
            Tok::Punct(b'[') => ConstKind::Aggregate(self.elements(b'[', b']')?),
            Tok::Punct(b'{') => ConstKind::Aggregate(self.elements(b'{', b'}')?),
            Tok::Punct(b'<') => {
                self.lex.advance();
                if self.lex.tok == Tok::Punct(b'{') {
                    let elements = self.elements(b'{', b'}')?;
                    self.punct(b'>')?;
                    ConstKind::Aggregate(elements)
                } else {
                    ConstKind::Aggregate(self.list(b'>')?)
                }
            }
            _ => return self.expected("a constant"),
        };
        self.check_shape(ty, &kind, start)?;
        Ok(self.module.constants.intern(ty, kind))
    }

    /// The number of elements and their types must be those of the type, or later phases would index astray.
    fn check_shape(&self, ty: TypeId, kind: &ConstKind, start: usize) -> PResult<()> {
        let types = &self.module.types;
        let fits = match kind {
            ConstKind::Aggregate(elements) => {
                types.element_count(ty) == Some(elements.len() as u64)
                    && (elements.iter().enumerate())
                        .all(|(i, e)| types.element(ty, i as u64) == Some(self.module.constants.get(*e).ty))
            }
            ConstKind::Bytes(bytes) => matches!(types.get(ty), Type::Array { len, elem }
                if *len == bytes.len() as u64 && *types.get(*elem) == Type::Int(8)),
            ConstKind::Null => types.is_ptr(ty),
            ConstKind::Function(_) | ConstKind::Global(_) | ConstKind::BlockAddress(..) => types.is_ptr(ty),
            ConstKind::TokenNone => *types.get(ty) == Type::Token,
            _ => true,
        };
        if fits {
            Ok(())
        } else {
            Err(Fault::at(start, "the constant does not have the type that stands before it").into())
        }
    }

    fn int_constant(&mut self, ty: TypeId, text: &str) -> PResult<ConstKind> {
        let Type::Int(bits) = *self.module.types.get(ty) else { return self.expected("a constant of that type") };
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.trim_start_matches('+')),
        };
        let max = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        match digits.parse::<u128>() {
            Ok(v) if !negative && v <= max => Ok(ConstKind::Int(v)),
            Ok(v) if negative && v <= 1 << (bits - 1) => Ok(ConstKind::Int(v.wrapping_neg() & max)),
            _ => self.fail(format!("the integer {text} does not fit in i{bits}")),
        }
    }

    /// Elements with their types between two brackets.
    fn elements(&mut self, open: u8, close: u8) -> PResult<Vec<ConstId>> {
        self.punct(open)?;
        self.list(close)
    }

    /// Elements with their types up to a closing bracket.
    fn list(&mut self, close: u8) -> PResult<Vec<ConstId>> {
        let mut out = Vec::new();
        while !self.accept(close) {
            if !out.is_empty() {
                self.punct(b',')?;
            }
            out.push(self.typed_constant()?);
        }
        Ok(out)
    }

    fn word_constant(&mut self, ty: TypeId, word: &str) -> PResult<ConstId> {
        let is_bool = *self.module.types.get(ty) == Type::Int(1);
        let kind = match word {
            "null" => ConstKind::Null,
            "undef" => ConstKind::Undef,
            "poison" => ConstKind::Poison,
            "zeroinitializer" => ConstKind::Zero,
            "none" => ConstKind::TokenNone,
            "true" if is_bool => ConstKind::Int(1),
            "false" if is_bool => ConstKind::Int(0),
            "splat" => {
                self.lex.advance();
                return self.splat(ty);
            }
            "getelementptr" => {
                self.lex.advance();
                return self.gep_constant(ty);
            }
            "blockaddress" => {
                self.lex.advance();
                return self.block_address(ty);
            }
            "dso_local_equivalent" | "no_cfi" | "ptrauth" => {
                return self.unsupported(format!("the constant `{word}` is"));
            }
            "asm" => return self.unsupported("inline assembly is"),
            _ => match BinOp::ALL.iter().find(|op| op.name() == word) {
                Some(op) => return self.binary_constant(ty, *op),
                None => match CastOp::ALL.iter().find(|op| op.name() == word) {
                    Some(op) => return self.cast_constant(ty, *op),
                    None => return self.expected("a constant"),
                },
            },
        };
        self.check_shape(ty, &kind, self.lex.start)?;
        self.lex.advance();
        Ok(self.module.constants.intern(ty, kind))
    }

    /// `(@function, %block)`
    fn block_address(&mut self, ty: TypeId) -> PResult<ConstId> {
        self.punct(b'(')?;
        let Tok::Global(name) = self.lex.tok else { return self.expected("a function") };
        let name = self.name(name)?;
        let Some(Symbol::Func(func)) = self.symbols.get(&name).copied() else { return self.expected("a function") };
        self.lex.advance();
        self.punct(b',')?;
        let block = self.block_of(func)?;
        self.punct(b')')?;
        let kind = ConstKind::BlockAddress(func, block);
        self.check_shape(ty, &kind, self.lex.start)?;
        Ok(self.module.constants.intern(ty, kind))
    }

    fn splat(&mut self, ty: TypeId) -> PResult<ConstId> {
        let Type::Vector { len, .. } = *self.module.types.get(ty) else {
            return self.fail("`splat` of a type that is no vector");
        };
        self.punct(b'(')?;
        let lane = self.typed_constant()?;
        self.punct(b')')?;
        let kind = ConstKind::Aggregate(vec![lane; len as usize]);
        self.check_shape(ty, &kind, self.lex.start)?;
        Ok(self.module.constants.intern(ty, kind))
    }

    /// `inbounds`, `nusw`, `nuw`
    pub(super) fn gep_flags(&mut self) -> GepFlags {
        let mut flags = GepFlags::default();
        loop {
            match self.lex.tok {
                Tok::Word("inbounds") => flags.inbounds = true,
                Tok::Word("nusw") => flags.nusw = true,
                Tok::Word("nuw") => flags.nuw = true,
                _ => return flags,
            }
            self.lex.advance();
        }
    }

    fn gep_constant(&mut self, ty: TypeId) -> PResult<ConstId> {
        let flags = self.gep_flags();
        let in_range = if self.accept_word("inrange") {
            self.punct(b'(')?;
            let low = self.signed()?;
            self.punct(b',')?;
            let high = self.signed()?;
            self.punct(b')')?;
            Some((low, high))
        } else {
            None
        };
        self.punct(b'(')?;
        let elem_ty = self.ty()?;
        self.punct(b',')?;
        let base = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.accept(b',') {
            indices.push(self.typed_constant()?);
        }
        self.punct(b')')?;
        let expr = ConstExpr::Gep { elem_ty, flags, in_range, base, indices };
        Ok(self.module.constants.intern(ty, ConstKind::Expr(expr)))
    }

    fn binary_constant(&mut self, ty: TypeId, op: BinOp) -> PResult<ConstId> {
        if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Xor) {
            return self.fail(format!("there are no `{}` constant expressions", op.name()));
        }
        self.lex.advance();
        let (mut nuw, mut nsw) = (false, false);
        loop {
            match self.lex.tok {
                Tok::Word("nuw") => nuw = true,
                Tok::Word("nsw") => nsw = true,
                _ => break,
            }
            self.lex.advance();
        }
        self.punct(b'(')?;
        let lhs = self.typed_constant()?;
        self.punct(b',')?;
        let rhs = self.typed_constant()?;
        self.punct(b')')?;
        Ok(self.module.constants.intern(ty, ConstKind::Expr(ConstExpr::Binary { op, nuw, nsw, lhs, rhs })))
    }

    fn cast_constant(&mut self, ty: TypeId, op: CastOp) -> PResult<ConstId> {
        use CastOp::*;
        if !matches!(op, Trunc | PtrToInt | IntToPtr | BitCast | AddrSpaceCast) {
            return self.fail(format!("there are no `{}` constant expressions", op.name()));
        }
        self.lex.advance();
        self.punct(b'(')?;
        let value = self.typed_constant()?;
        self.word("to")?;
        let to = self.ty()?;
        if to != ty {
            return self.fail("the constant does not have the type that stands before it");
        }
        self.punct(b')')?;
        Ok(self.module.constants.intern(ty, ConstKind::Expr(ConstExpr::Cast(op, value))))
    }
}
