//! Types in text.

use super::lexer::Tok;
use super::{PResult, Parser};
use crate::types::{FloatKind, Type, TypeId};

/// Widest integer that is modelled; constants carry 128 bits.
const MAX_INT_BITS: u32 = 128;

impl Parser<'_> {
    /// A type, function types included.
    pub(super) fn ty(&mut self) -> PResult<TypeId> {
        let mut ty = self.nested(|p| p.simple_ty())?;
        while self.lex.tok == Tok::Punct(b'(') {
            ty = self.function_ty(ty)?;
        }
        Ok(ty)
    }

    /// Can the current token start a type?
    pub(super) fn at_type(&self) -> bool {
        match self.lex.tok {
            Tok::Word(w) => is_type_word(w),
            Tok::Local(_) => true,
            Tok::Punct(p) => matches!(p, b'{' | b'[' | b'<'),
            _ => false,
        }
    }

    fn simple_ty(&mut self) -> PResult<TypeId> {
        let ty = match self.lex.tok {
            Tok::Word(word) => return self.word_ty(word),
            Tok::Local(name) => {
                let id = match self.structs.get(&self.name(name)?) {
                    Some(id) => *id,
                    None => return self.fail(format!("the type `%{}` is not defined", name.raw)),
                };
                self.lex.advance();
                Type::Named(id)
            }
            Tok::Punct(b'{') => Type::Struct { fields: self.fields()?, packed: false },
            Tok::Punct(b'[') => {
                self.lex.advance();
                let len = self.int()?;
                self.word("x")?;
                let elem = self.ty()?;
                self.punct(b']')?;
                Type::Array { len, elem }
            }
            Tok::Punct(b'<') => return self.angle_ty(),
            _ => return self.expected("a type"),
        };
        Ok(self.module.types.intern(ty))
    }

    fn word_ty(&mut self, word: &str) -> PResult<TypeId> {
        let ty = match word {
            "ptr" => {
                self.lex.advance();
                let space = self.addr_space()?;
                return Ok(self.module.types.intern(Type::Ptr(space)));
            }
            "void" => Type::Void,
            "label" => Type::Label,
            "token" => Type::Token,
            "metadata" => Type::Metadata,
            "half" => Type::Float(FloatKind::Half),
            "bfloat" => Type::Float(FloatKind::BFloat),
            "float" => Type::Float(FloatKind::Float),
            "double" => Type::Float(FloatKind::Double),
            "x86_fp80" => Type::Float(FloatKind::X86Fp80),
            "fp128" => Type::Float(FloatKind::Fp128),
            "ppc_fp128" => return self.unsupported("the type `ppc_fp128` is"),
            "x86_mmx" => return self.unsupported("the type `x86_mmx` is"),
            "x86_amx" => return self.unsupported("the type `x86_amx` is"),
            "target" => return self.unsupported("target extension types are"),
            _ => match int_width(word) {
                Some(bits) if (1..=MAX_INT_BITS).contains(&bits) => Type::Int(bits),
                Some(_) => {
                    return self.unsupported(format!("the integer type `{word}`, wider than {MAX_INT_BITS} bits, is"));
                }
                None => return self.expected("a type"),
            },
        };
        self.lex.advance();
        Ok(self.module.types.intern(ty))
    }

    /// `addrspace(N)`, 0 if there is none.
    pub(super) fn addr_space(&mut self) -> PResult<u32> {
        if !self.accept_word("addrspace") {
            return Ok(0);
        }
        self.punct(b'(')?;
        let start = self.lex.start;
        let space = self.int()?;
        self.punct(b')')?;
        u32::try_from(space).or_else(|_| self.fail_at(start, "an address space out of range"))
    }

    /// `{ T, … }`
    pub(super) fn fields(&mut self) -> PResult<Vec<TypeId>> {
        self.punct(b'{')?;
        let mut fields = Vec::new();
        while !self.accept(b'}') {
            if !fields.is_empty() {
                self.punct(b',')?;
            }
            fields.push(self.ty()?);
        }
        Ok(fields)
    }

    /// `<N x T>` or `<{ T, … }>`
    fn angle_ty(&mut self) -> PResult<TypeId> {
        self.punct(b'<')?;
        let ty = if self.lex.tok == Tok::Punct(b'{') {
            Type::Struct { fields: self.fields()?, packed: true }
        } else if self.lex.tok == Tok::Word("vscale") {
            return self.unsupported("scalable vectors are");
        } else {
            let start = self.lex.start;
            let len = self.int()?;
            self.word("x")?;
            let elem = self.ty()?;
            let Ok(len) = u32::try_from(len) else { return self.fail_at(start, "a vector length out of range") };
            Type::Vector { len, elem }
        };
        self.punct(b'>')?;
        Ok(self.module.types.intern(ty))
    }

    fn function_ty(&mut self, ret: TypeId) -> PResult<TypeId> {
        self.punct(b'(')?;
        let (mut params, mut vararg) = (Vec::new(), false);
        while !self.accept(b')') {
            if !params.is_empty() {
                self.punct(b',')?;
            }
            if self.lex.tok == Tok::Ellipsis {
                self.lex.advance();
                self.punct(b')')?;
                vararg = true;
                break;
            }
            params.push(self.ty()?);
        }
        Ok(self.module.types.intern(Type::Func { ret, params, vararg }))
    }
}

fn int_width(word: &str) -> Option<u32> {
    let digits = word.strip_prefix('i')?;
    // A width that overflows is still an integer type, and too wide.
    (!digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())).then(|| digits.parse().unwrap_or(u32::MAX))
}

fn is_type_word(word: &str) -> bool {
    const WORDS: [&str; 15] = [
        "ptr",
        "void",
        "label",
        "token",
        "metadata",
        "half",
        "bfloat",
        "float",
        "double",
        "x86_fp80",
        "fp128",
        "ppc_fp128",
        "x86_mmx",
        "x86_amx",
        "target",
    ];
    WORDS.contains(&word) || int_width(word).is_some()
}
