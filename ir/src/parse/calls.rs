//! `call` and `invoke` in text.

use super::lexer::Tok;
use super::{PResult, Parser};
use crate::asm::InlineAsm;
use crate::attr::Attrs;
use crate::constant::ConstKind;
use crate::inst::{Bundle, Call, InstKind, Operand, TailKind};
use crate::types::{Type, TypeId};

impl Parser<'_> {
    /// The rest of `tail call …`.
    pub(super) fn marked_call(&mut self, tail: TailKind) -> PResult<(InstKind, TypeId)> {
        self.word("call")?;
        self.call(tail)
    }

    pub(super) fn call(&mut self, tail: TailKind) -> PResult<(InstKind, TypeId)> {
        let fast = self.fast_math();
        let (mut call, ty) = self.call_body()?;
        (call.tail, call.fast) = (tail, fast);
        Ok((InstKind::Call(Box::new(call)), ty))
    }

    pub(super) fn invoke(&mut self) -> PResult<(InstKind, TypeId)> {
        let (call, ty) = self.call_body()?;
        self.word("to")?;
        let normal = self.label()?;
        self.word("unwind")?;
        let unwind = self.label()?;
        Ok((InstKind::Invoke { call: Box::new(call), normal, unwind }, ty))
    }

    /// From the calling convention to the operand bundles.
    fn call_body(&mut self) -> PResult<(Call, TypeId)> {
        let cc = self.calling_convention()?;
        let ret_attrs = self.value_attrs()?;
        if self.addr_space()? != 0 {
            return self.unsupported("a function outside address space 0 is");
        }
        // Either the return type, or the whole type of the function.
        let ty = self.ty()?;
        let whole = match self.module.types.get(ty) {
            Type::Func { ret, .. } => Some((*ret, ty)),
            _ => None,
        };
        let callee = match self.lex.tok {
            Tok::Word("asm") => self.inline_asm()?,
            _ => {
                let ptr = self.module.types.ptr();
                self.operand(ptr)?
            }
        };
        let (types, args, arg_attrs) = self.arguments()?;
        let (ret, fn_ty) = whole.unwrap_or_else(|| (ty, self.module.types.func(ty, types)));
        let fn_attrs = self.fn_attrs()?;
        let bundles = self.bundles()?;
        let (tail, fast) = Default::default();
        Ok((Call { callee, fn_ty, args, arg_attrs, ret_attrs, fn_attrs, tail, cc, fast, bundles }, ret))
    }

    /// `asm sideeffect "text", "constraints"`
    fn inline_asm(&mut self) -> PResult<Operand> {
        self.word("asm")?;
        let mut flags = Vec::new();
        while let Tok::Word(word) = self.lex.tok {
            if !["sideeffect", "alignstack", "inteldialect", "unwind"].contains(&word) {
                return self.expected("the text of inline assembly");
            }
            flags.push(word.to_owned());
            self.lex.advance();
        }
        let template = self.asm_text()?;
        self.punct(b',')?;
        let constraints = self.asm_text()?;
        let ptr = self.module.types.ptr();
        let kind = ConstKind::InlineAsm(InlineAsm { template, constraints, flags });
        Ok(Operand::Const(self.module.constants.intern(ptr, kind)))
    }

    fn asm_text(&mut self) -> PResult<Vec<u8>> {
        let Tok::Str(raw) = self.lex.tok else { return self.expected("a text of inline assembly") };
        let text = self.decode_bytes(raw)?;
        self.lex.advance();
        Ok(text)
    }

    /// `(T attrs value, …)`: types, values, attributes.
    fn arguments(&mut self) -> PResult<(Vec<TypeId>, Vec<Operand>, Vec<Attrs>)> {
        self.punct(b'(')?;
        let (mut types, mut args, mut attrs) = (Vec::new(), Vec::new(), Vec::new());
        while !self.accept(b')') {
            if !args.is_empty() {
                self.punct(b',')?;
            }
            let ty = self.ty()?;
            types.push(ty);
            attrs.push(self.value_attrs()?);
            args.push(self.operand(ty)?);
        }
        Ok((types, args, attrs))
    }

    /// `[ "tag"(T value, …), … ]`
    fn bundles(&mut self) -> PResult<Vec<Bundle>> {
        let mut bundles = Vec::new();
        if !self.accept(b'[') {
            return Ok(bundles);
        }
        while !self.accept(b']') {
            if !bundles.is_empty() {
                self.punct(b',')?;
            }
            let Tok::Str(raw) = self.lex.tok else { return self.expected("the tag of an operand bundle") };
            let tag = self.decode(raw)?;
            self.lex.advance();
            self.punct(b'(')?;
            let mut inputs = Vec::new();
            while !self.accept(b')') {
                if !inputs.is_empty() {
                    self.punct(b',')?;
                }
                inputs.push(self.typed_operand()?.1);
            }
            bundles.push(Bundle { tag, inputs });
        }
        Ok(bundles)
    }
}
