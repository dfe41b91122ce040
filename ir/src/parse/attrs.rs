//! Attributes in text (LangRef, "Parameter Attributes", "Function Attributes", "Attribute Groups").

use super::lexer::{Tok, unescape};
use super::{PResult, Parser};
use crate::attr::{Attr, AttrValue, Attrs};

/// What may follow the name of an attribute.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Flag,
    Int,
    Type,
    /// Free text in parentheses.
    Text,
    /// Nothing, or free text in parentheses.
    MaybeText,
}

/// The attributes of LLVM 19 by the form of their value.
fn form(name: &str) -> Option<Form> {
    Some(match name {
        "align" | "alignstack" | "dereferenceable" | "dereferenceable_or_null" => Form::Int,
        "byref" | "byval" | "elementtype" | "inalloca" | "preallocated" | "sret" => Form::Type,
        "allockind" | "allocsize" | "initializes" | "memory" | "nofpclass" | "range" | "vscale_range" => Form::Text,
        "uwtable" => Form::MaybeText,
        "allocalign"
        | "allocptr"
        | "alwaysinline"
        | "builtin"
        | "cold"
        | "convergent"
        | "coro_only_destroy_when_complete"
        | "dead_on_unwind"
        | "disable_sanitizer_instrumentation"
        | "fn_ret_thunk_extern"
        | "hot"
        | "hybrid_patchable"
        | "immarg"
        | "inlinehint"
        | "inreg"
        | "jumptable"
        | "minsize"
        | "mustprogress"
        | "naked"
        | "nest"
        | "noalias"
        | "nobuiltin"
        | "nocallback"
        | "nocapture"
        | "nocf_check"
        | "noduplicate"
        | "nofree"
        | "noimplicitfloat"
        | "noinline"
        | "nomerge"
        | "nonlazybind"
        | "nonnull"
        | "noprofile"
        | "norecurse"
        | "noredzone"
        | "noreturn"
        | "nosanitize_bounds"
        | "nosanitize_coverage"
        | "nosync"
        | "noundef"
        | "nounwind"
        | "null_pointer_is_valid"
        | "optdebug"
        | "optforfuzzing"
        | "optnone"
        | "optsize"
        | "presplitcoroutine"
        | "readnone"
        | "readonly"
        | "returned"
        | "returns_twice"
        | "safestack"
        | "sanitize_address"
        | "sanitize_hwaddress"
        | "sanitize_memory"
        | "sanitize_memtag"
        | "sanitize_numerical_stability"
        | "sanitize_thread"
        | "shadowcallstack"
        | "signext"
        | "skipprofile"
        | "speculatable"
        | "speculative_load_hardening"
        | "ssp"
        | "sspreq"
        | "sspstrong"
        | "strictfp"
        | "swiftasync"
        | "swifterror"
        | "swiftself"
        | "willreturn"
        | "writable"
        | "writeonly"
        | "zeroext" => Form::Flag,
        _ => return None,
    })
}

impl<'a> Parser<'a> {
    /// Attributes of a parameter, argument or return value.
    pub(super) fn value_attrs(&mut self) -> PResult<Attrs> {
        let mut attrs = Attrs::default();
        while let Some(attr) = self.attr()? {
            attrs.0.push(attr);
        }
        Ok(attrs)
    }

    /// Attributes of a function or call site, groups expanded. `align` ends them: on a function it is the
    /// alignment of its code.
    pub(super) fn fn_attrs(&mut self) -> PResult<Attrs> {
        let mut attrs = Attrs::default();
        loop {
            if let Tok::Group(number) = self.lex.tok {
                match self.groups.get(&number) {
                    Some(group) => attrs.0.extend_from_slice(&group.0),
                    None => return self.fail(format!("the attribute group #{number} is not defined")),
                }
                self.lex.advance();
            } else if self.lex.tok == Tok::Word("align") {
                return Ok(attrs);
            } else {
                match self.attr()? {
                    Some(attr) => attrs.0.push(attr),
                    None => return Ok(attrs),
                }
            }
        }
    }

    /// `attributes #0 = { … }`
    pub(super) fn attr_group(&mut self) -> PResult<()> {
        self.word("attributes")?;
        let Tok::Group(number) = self.lex.tok else { return self.expected("an attribute group") };
        self.lex.advance();
        self.punct(b'=')?;
        self.punct(b'{')?;
        let mut attrs = Attrs::default();
        while !self.accept(b'}') {
            match self.attr()? {
                Some(attr) => attrs.0.push(attr),
                None => return self.expected("an attribute or `}`"),
            }
        }
        match self.groups.insert(number, attrs) {
            None => Ok(()),
            Some(_) => self.fail(format!("the attribute group #{number} is defined twice")),
        }
    }

    /// One attribute, if the current token starts one.
    fn attr(&mut self) -> PResult<Option<Attr>> {
        let (name, value) = match self.lex.tok {
            Tok::Str(raw) => {
                self.lex.advance();
                let value = if self.accept(b'=') { Some(self.attr_string()?) } else { None };
                (self.decode(raw)?, AttrValue::Str(value))
            }
            Tok::Word(word) => match form(word) {
                Some(form) => {
                    self.lex.advance();
                    (word.to_owned(), self.attr_value(form)?)
                }
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok(Some(Attr { name, value }))
    }

    fn attr_value(&mut self, form: Form) -> PResult<AttrValue> {
        let parenthesis = self.lex.tok == Tok::Punct(b'(');
        match form {
            Form::Flag => Ok(AttrValue::Flag),
            Form::MaybeText if !parenthesis => Ok(AttrValue::Flag),
            Form::Text | Form::MaybeText if parenthesis => Ok(AttrValue::Text(self.lex.parenthesised()?.to_owned())),
            Form::Text | Form::MaybeText => self.expected("`(`"),
            Form::Int => {
                // `align 8`, `align(8)`, and `align=8` in a group.
                self.accept(b'=');
                let parenthesis = self.accept(b'(');
                let value = self.int()?;
                if parenthesis {
                    self.punct(b')')?;
                }
                Ok(AttrValue::Int(value))
            }
            Form::Type => {
                self.punct(b'(')?;
                let ty = self.ty()?;
                self.punct(b')')?;
                Ok(AttrValue::Type(ty))
            }
        }
    }

    fn attr_string(&mut self) -> PResult<String> {
        let Tok::Str(raw) = self.lex.tok else { return self.expected("a string") };
        let text = self.decode(raw)?;
        self.lex.advance();
        Ok(text)
    }

    /// The text of a string, which must be UTF-8.
    pub(super) fn decode_bytes(&mut self, raw: &'a str) -> PResult<Vec<u8>> {
        Ok(unescape(raw))
    }

    /// A string as text.
    pub(super) fn decode(&mut self, raw: &'a str) -> PResult<String> {
        String::from_utf8(unescape(raw)).or_else(|_| self.fail("a string that is not UTF-8 is not supported here"))
    }
}
