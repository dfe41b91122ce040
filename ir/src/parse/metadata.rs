//! Metadata nodes, their operands, attachments and debug records in text.
//!
//! Specialised nodes are read generically, field by field, so that no class has to be known.

use super::lexer::{Tok, unescape};
use super::{PResult, Parser};
use crate::inst::DebugRecord;
use crate::metadata::{MdBody, MdField, MdId, MdNode, MdOperand};

impl<'a> Parser<'a> {
    /// `!12 = [distinct] node`
    pub(super) fn numbered_node(&mut self) -> PResult<()> {
        let Tok::MdNum(number) = self.lex.tok else { return self.expected("a metadata number") };
        let id = self.md_ref(number)?;
        self.lex.advance();
        self.punct(b'=')?;
        let distinct = self.accept_word("distinct");
        let body = self.node_body()?;
        self.module.metadata[id] = MdNode { distinct, body };
        Ok(())
    }

    /// `!llvm.ident = !{!0, …}`
    pub(super) fn named_node(&mut self) -> PResult<()> {
        let Tok::MdName(raw) = self.lex.tok else { return self.expected("a metadata name") };
        let name = self.decode(raw)?;
        self.lex.advance();
        self.punct(b'=')?;
        if self.lex.tok != Tok::Bang {
            return self.expected("`!{`");
        }
        self.lex.advance();
        self.punct(b'{')?;
        let mut nodes = Vec::new();
        while !self.accept(b'}') {
            if !nodes.is_empty() {
                self.punct(b',')?;
            }
            nodes.push(self.node_ref()?);
        }
        self.module.named_metadata.push((name, nodes));
        Ok(())
    }

    /// The node with that number in the text.
    fn md_ref(&mut self, number: u32) -> PResult<MdId> {
        match self.md_ids.get(number as usize).copied().flatten() {
            Some(id) => Ok(id),
            None => self.fail(format!("the metadata !{number} is not defined")),
        }
    }

    /// A reference to a node; a node written inline becomes a numbered one.
    fn node_ref(&mut self) -> PResult<MdId> {
        if let Tok::MdNum(number) = self.lex.tok {
            let id = self.md_ref(number)?;
            self.lex.advance();
            return Ok(id);
        }
        let distinct = self.accept_word("distinct");
        let body = self.node_body()?;
        Ok(self.module.metadata.push(MdNode { distinct, body }))
    }

    fn node_body(&mut self) -> PResult<MdBody> {
        match self.lex.tok {
            Tok::Bang => {
                self.lex.advance();
                self.punct(b'{')?;
                Ok(MdBody::Tuple(self.operands()?))
            }
            Tok::MdName(class) => {
                self.lex.advance();
                self.special(class)
            }
            _ => self.expected("a metadata node"),
        }
    }

    /// The operands of a tuple up to its closing brace.
    fn operands(&mut self) -> PResult<Vec<MdOperand>> {
        let mut out = Vec::new();
        while !self.accept(b'}') {
            if !out.is_empty() {
                self.punct(b',')?;
            }
            out.push(self.md_operand()?);
        }
        Ok(out)
    }

    /// The fields of a specialised node in parentheses.
    fn special(&mut self, class: &str) -> PResult<MdBody> {
        self.punct(b'(')?;
        let mut fields = Vec::new();
        while !self.accept(b')') {
            if !fields.is_empty() {
                self.punct(b',')?;
            }
            let name = match self.lex.tok {
                Tok::Label(name) => self.lex.advance_with(name.raw.to_owned()),
                _ => String::new(),
            };
            fields.push((name, self.field()?));
        }
        Ok(MdBody::Special { class: class.to_owned(), fields })
    }

    fn field(&mut self) -> PResult<MdField> {
        match self.lex.tok {
            Tok::Int(text) => match text.parse() {
                Ok(value) => Ok(self.lex.advance_with(MdField::Int(value))),
                Err(_) => self.fail("an integer out of range"),
            },
            Tok::Str(raw) => Ok(self.lex.advance_with(MdField::Str(unescape(raw)))),
            Tok::Word(word) if word != "null" && !self.at_type() => {
                let mut words = word.to_owned();
                self.lex.advance();
                while self.accept(b'|') {
                    let Tok::Word(next) = self.lex.tok else { return self.expected("a flag") };
                    words.push_str(" | ");
                    words.push_str(next);
                    self.lex.advance();
                }
                Ok(MdField::Words(words))
            }
            _ => Ok(MdField::Operand(self.md_operand()?)),
        }
    }

    /// An operand of a node, of a debug record, or behind `metadata` in a call.
    pub(super) fn md_operand(&mut self) -> PResult<MdOperand> {
        match self.lex.tok {
            Tok::Word("null") => Ok(self.lex.advance_with(MdOperand::Null)),
            Tok::MdNum(number) => {
                let id = self.md_ref(number)?;
                Ok(self.lex.advance_with(MdOperand::Node(id)))
            }
            Tok::Bang => {
                self.lex.advance();
                if let Tok::Str(raw) = self.lex.tok {
                    return Ok(self.lex.advance_with(MdOperand::Str(unescape(raw))));
                }
                self.punct(b'{')?;
                let body = self.nested(|p| p.operands())?;
                Ok(MdOperand::Inline(Box::new(MdNode { distinct: false, body: MdBody::Tuple(body) })))
            }
            Tok::MdName(class) => {
                self.lex.advance();
                let body = self.nested(|p| p.special(class))?;
                Ok(MdOperand::Inline(Box::new(MdNode { distinct: false, body })))
            }
            Tok::Word("distinct") => {
                self.lex.advance();
                let body = self.nested(|p| p.node_body())?;
                Ok(MdOperand::Inline(Box::new(MdNode { distinct: true, body })))
            }
            _ if self.at_type() => {
                let ty = self.ty()?;
                if let Tok::Local(_) = self.lex.tok {
                    return Ok(MdOperand::Local(self.operand(ty)?));
                }
                Ok(MdOperand::Const(self.constant(ty)?))
            }
            _ => self.expected("a metadata operand"),
        }
    }

    /// `!dbg !5 !tbaa !6 …` behind a function's header or a global (each with its separating comma if `comma`).
    pub(super) fn attachments(&mut self) -> PResult<Vec<(String, MdId)>> {
        let mut out = Vec::new();
        while let Tok::MdName(raw) = self.lex.tok {
            out.push(self.attachment(raw)?);
        }
        Ok(out)
    }

    /// A kind, whose token is the current one, and its node.
    pub(super) fn attachment(&mut self, raw: &'a str) -> PResult<(String, MdId)> {
        let kind = self.decode(raw)?;
        self.lex.advance();
        Ok((kind, self.node_ref()?))
    }

    /// `#dbg_value(…)`
    pub(super) fn debug_record(&mut self, word: &str) -> PResult<DebugRecord> {
        let Some(kind) = word.strip_prefix("dbg_") else { return self.expected("an instruction") };
        if !matches!(kind, "value" | "declare" | "assign" | "label") {
            return self.unsupported(format!("the debug record `#{word}` is"));
        }
        self.lex.advance();
        self.punct(b'(')?;
        let mut operands = Vec::new();
        while !self.accept(b')') {
            if !operands.is_empty() {
                self.punct(b',')?;
            }
            operands.push(self.md_operand()?);
        }
        Ok(DebugRecord { kind: kind.to_owned(), operands })
    }
}
