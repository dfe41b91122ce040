//! The reader of `.ll` text as LLVM 19 prints it: a hand-written recursive-descent parser.
//!
//! LLVM's own text is the complete form of a module, so that reading all of it loses nothing; every token
//! that is not understood is an error with its place. The text is expected to be valid (LLVM has verified
//! it); what the arenas cannot hold is refused by name, never dropped. Two things are not kept because they
//! mean nothing: comments, and the numbers of unnamed values, attribute groups and metadata nodes.
//!
//! Order of work. One pass over the lines finds where each top-level entity starts (`items`); then, in the
//! order in which they refer to each other: header lines, struct types, attribute groups, metadata, global
//! variables, function headers, function bodies. Each entity must end where the next one starts, so that no
//! text between them is skipped.

mod attrs;
mod body;
mod calls;
mod constants;
mod globals;
mod insts;
mod items;
mod lexer;
mod memory;
mod metadata;
mod types;

use crate::attr::Attrs;
use crate::metadata::SourceLoc;
use crate::module::{FuncId, GlobalId, Module};
use crate::types::{StructId, TypeId};
use crate::{DataLayout, MdId};
use body::{BlockNames, Body};
use lexer::{Lexer, Name, Tok};
use std::borrow::Cow;
use std::collections::HashMap;

/// Why a text was refused, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line of the text, from 1.
    pub line: u32,
    /// Column, from 1, in bytes.
    pub column: u32,
    /// The function around the place.
    pub function: Option<String>,
    /// The user's source line, where debug information gives one.
    pub source: Option<SourceLoc>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for ParseError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(source) = &self.source {
            write!(f, "{source}: ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(function) = &self.function {
            write!(f, ", in function `{function}`")?;
        }
        write!(f, " (line {}, column {} of the IR)", self.line, self.column)
    }
}

impl std::error::Error for ParseError {}

/// Reads a module from LLVM 19's text; `id` becomes its name.
pub fn parse(text: &str, id: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text, id);
    match parser.module() {
        Ok(()) => Ok(parser.module),
        Err(fault) => Err(parser.locate(*fault)),
    }
}

/// An error by its byte offset.
#[derive(Debug)]
struct Fault {
    pos: usize,
    message: String,
}

impl Fault {
    fn at(pos: usize, message: &str) -> Fault {
        Fault { pos, message: message.to_owned() }
    }
}

type PResult<T> = Result<T, Box<Fault>>;

/// How deep types, constants and metadata may nest before the text is refused.
const MAX_NESTING: u32 = 200;

/// What a name with `@` stands for.
#[derive(Clone, Copy)]
enum Symbol {
    Func(FuncId),
    Global(GlobalId),
}

struct Parser<'a> {
    lex: Lexer<'a>,
    module: Module,
    void: TypeId,
    structs: HashMap<Cow<'a, str>, StructId>,
    symbols: HashMap<Cow<'a, str>, Symbol>,
    groups: HashMap<u32, Attrs>,
    /// The node behind each metadata number of the text.
    md_ids: Vec<Option<MdId>>,
    /// The function whose body is being read.
    body: Option<Box<Body<'a>>>,
    /// Blocks of other functions, by the names that constants know them by.
    blocks_of: HashMap<FuncId, BlockNames>,
    nesting: u32,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, id: &str) -> Parser<'a> {
        let mut module = Module { id: id.to_owned(), ..Module::default() };
        let void = module.types.void();
        Parser {
            lex: Lexer::new(text),
            module,
            void,
            structs: HashMap::new(),
            symbols: HashMap::new(),
            groups: HashMap::new(),
            md_ids: Vec::new(),
            body: None,
            blocks_of: HashMap::new(),
            nesting: 0,
        }
    }

    /// `source_filename = "…"` and the `target` lines.
    fn header(&mut self) -> PResult<()> {
        let start = self.lex.start;
        let key = match self.lex.tok {
            Tok::Word("target") => {
                self.lex.advance();
                self.lex.tok
            }
            tok => tok,
        };
        self.lex.advance();
        self.punct(b'=')?;
        let Tok::Str(raw) = self.lex.tok else { return self.expected("a string") };
        let text = self.decode(raw)?;
        self.lex.advance();
        match key {
            Tok::Word("source_filename") => self.module.source_filename = text,
            Tok::Word("triple") => self.module.triple = text,
            Tok::Word("datalayout") => {
                self.module.layout = DataLayout::parse(&text).map_err(|why| Fault::at(start, &why))?;
            }
            _ => {
                return Err(
                    Fault::at(start, "expected `source_filename`, `target triple` or `target datalayout`").into()
                );
            }
        }
        Ok(())
    }

    /// The error as users see it: line, function and source line.
    fn locate(&self, fault: Fault) -> ParseError {
        let pos = fault.pos.min(self.lex.text.len());
        let before = &self.lex.text.as_bytes()[..pos];
        let line_start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        ParseError {
            line: count(before.iter().filter(|b| **b == b'\n').count() + 1),
            column: count(pos - line_start + 1),
            function: self.body.as_ref().map(|b| b.func.name.clone()),
            source: self.source_near(pos),
            message: fault.message,
        }
    }

    /// The source line of the instruction or global variable around `pos`: its own `!dbg`, which stands behind the
    /// place of the error, or else that of the nearest instruction before, or else that of the function.
    fn source_near(&self, pos: usize) -> Option<SourceLoc> {
        let line = self.lex.text.get(pos..)?.split('\n').next().unwrap_or("");
        let own = line.split("!dbg !").nth(1).and_then(|tail| {
            let digits = tail.split(|c: char| !c.is_ascii_digit()).next()?;
            self.md_ids.get(digits.parse::<usize>().ok()?).copied().flatten()
        });
        let Some(body) = &self.body else {
            let variable = self.module.metadata[own?].node("var")?;
            return self.module.declaration_loc(variable);
        };
        let before = || body.func.insts.values().rev().find_map(|i| i.loc);
        own.or_else(before).and_then(|id| self.module.loc_of(id)).or_else(|| self.module.function_loc(&body.func))
    }

    // Small steps that all parts use.

    /// An error at the current token.
    fn fail<T>(&self, message: impl Into<String>) -> PResult<T> {
        self.fail_at(self.lex.start, message)
    }

    /// An error at a place that is already behind.
    fn fail_at<T>(&self, pos: usize, message: impl Into<String>) -> PResult<T> {
        Err(Box::new(Fault { pos, message: message.into() }))
    }

    fn expected<T>(&self, what: &str) -> PResult<T> {
        self.fail(format!("expected {what}, found {}", self.lex.tok))
    }

    /// Refuses what the arenas do not model; `what` ends with its verb.
    fn unsupported<T>(&self, what: impl std::fmt::Display) -> PResult<T> {
        self.fail(format!("unsupported: {what} not supported"))
    }

    /// Runs one level deeper, so that hostile nesting ends in an error and not in a stack overflow.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> PResult<T>) -> PResult<T> {
        if self.nesting >= MAX_NESTING {
            return self.unsupported(format!("nesting deeper than {MAX_NESTING} levels is"));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// Skips the punctuation if it is the current token.
    fn accept(&mut self, punct: u8) -> bool {
        let found = self.lex.tok == Tok::Punct(punct);
        if found {
            self.lex.advance();
        }
        found
    }

    fn punct(&mut self, punct: u8) -> PResult<()> {
        if self.accept(punct) { Ok(()) } else { self.expected(&format!("`{}`", char::from(punct))) }
    }

    /// Skips the word if it is the current token.
    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.lex.tok == Tok::Word(word);
        if found {
            self.lex.advance();
        }
        found
    }

    fn word(&mut self, word: &str) -> PResult<()> {
        if self.accept_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Skips a comma if `word` follows it, and the word too.
    fn accept_comma_word(&mut self, word: &str) -> bool {
        let saved = self.lex;
        let found = self.accept(b',') && self.accept_word(word);
        if !found {
            self.lex = saved;
        }
        found
    }

    /// An unsigned integer.
    fn int(&mut self) -> PResult<u64> {
        match self.lex.tok {
            Tok::Int(text) if text.parse::<u64>().is_ok() => Ok(self.lex.advance_with(text.parse().unwrap_or(0))),
            _ => self.expected("an unsigned integer"),
        }
    }

    /// A signed integer.
    fn signed(&mut self) -> PResult<i128> {
        match self.lex.tok {
            Tok::Int(text) => match text.parse() {
                Ok(value) => Ok(self.lex.advance_with(value)),
                Err(_) => self.fail("an integer out of range"),
            },
            _ => self.expected("an integer"),
        }
    }

    /// The name that a token carries, escapes resolved.
    fn name(&self, name: Name<'a>) -> PResult<Cow<'a, str>> {
        name.text().or_else(|why| self.fail(why))
    }
}
