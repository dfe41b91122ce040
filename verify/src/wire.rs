//! Questions and answers as bytes, between the process that proves and the one that asks the solver.
//!
//! Both are the same build, so there is no version to negotiate; what cannot be read is no message. Lists and texts
//! have their length before them, numbers are little-endian.

use crate::question::{Op, Symbol, Word};
use rug::Rational;

/// What one worker is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    /// The solver's own limit, in milliseconds.
    pub(crate) limit: u32,
    /// The solver's own limit, in MiB.
    pub(crate) memory: u32,
    /// Whether the assumptions that contradict each other are wanted.
    pub(crate) core: bool,
    /// The variables whose values are wanted.
    pub(crate) variables: Vec<String>,
    /// The question.
    pub(crate) words: Vec<Word>,
}

/// What it answers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// There is a model: of each variable the value, as `n/d` or as a decimal.
    Satisfiable(Vec<(String, String)>),
    /// There is none; the assumptions by which, in the order of the question, if they were wanted.
    Unsatisfiable(Vec<u32>),
    /// The solver gave up, and what it says.
    Unknown(String),
    /// The question makes no sense.
    Refused(String),
}

/// What every reply begins with, so that nothing else is taken for one.
const MARK: &[u8] = b"adjudicate\n";

impl Request {
    /// The bytes, after their number.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = vec![0; 4];
        put(&mut out, self.limit);
        put(&mut out, self.memory);
        out.push(self.core.into());
        put(&mut out, self.variables.len() as u32);
        for name in &self.variables {
            put_text(&mut out, name);
        }
        put(&mut out, self.words.len() as u32);
        for word in &self.words {
            put_word(&mut out, word);
        }
        let length = (out.len() - 4) as u32;
        out[..4].copy_from_slice(&length.to_le_bytes());
        out
    }

    /// The request of these bytes (without their number).
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Request> {
        let mut input = Input(bytes);
        let (limit, memory, core) = (input.number()?, input.number()?, input.byte()? != 0);
        let variables = (0..input.number()?).map(|_| input.text()).collect::<Option<_>>()?;
        let words = (0..input.number()?).map(|_| input.word()).collect::<Option<_>>()?;
        input.0.is_empty().then_some(Request { limit, memory, core, variables, words })
    }
}

impl Reply {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = MARK.to_vec();
        match self {
            Reply::Satisfiable(values) => {
                out.push(0);
                put(&mut out, values.len() as u32);
                for (name, value) in values {
                    put_text(&mut out, name);
                    put_text(&mut out, value);
                }
            }
            Reply::Unsatisfiable(core) => {
                out.push(1);
                put(&mut out, core.len() as u32);
                core.iter().for_each(|&index| put(&mut out, index));
            }
            Reply::Unknown(why) => {
                out.push(2);
                put_text(&mut out, why);
            }
            Reply::Refused(why) => {
                out.push(3);
                put_text(&mut out, why);
            }
        }
        out
    }

    /// The reply of these bytes; none while some are missing.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Reply> {
        let mut input = Input(bytes.strip_prefix(MARK)?);
        let reply = match input.byte()? {
            0 => {
                let pairs = (0..input.number()?).map(|_| Some((input.text()?, input.text()?)));
                Reply::Satisfiable(pairs.collect::<Option<_>>()?)
            }
            1 => Reply::Unsatisfiable((0..input.number()?).map(|_| input.number()).collect::<Option<_>>()?),
            2 => Reply::Unknown(input.text()?),
            3 => Reply::Refused(input.text()?),
            _ => return None,
        };
        input.0.is_empty().then_some(reply)
    }
}

fn put(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put(out, text.len() as u32);
    out.extend(text.as_bytes());
}

fn put_word(out: &mut Vec<u8>, word: &Word) {
    match word {
        Word::Number(value) => {
            out.push(0);
            put_text(out, &value.to_string());
        }
        Word::Truth(value) => out.extend([1, u8::from(*value)]),
        Word::Named(symbol) => {
            out.push(2);
            put_symbol(out, symbol);
        }
        Word::Apply(op, count) => {
            out.extend([3, *op as u8]);
            put(out, *count);
        }
        Word::Declare(symbol) => {
            out.push(4);
            put_symbol(out, symbol);
        }
        Word::Define { label, proposition } => {
            out.extend([5, u8::from(*proposition)]);
            put_text(out, label);
        }
        Word::Meaning => out.push(6),
        Word::Assumption => out.push(7),
    }
}

fn put_symbol(out: &mut Vec<u8>, symbol: &Symbol) {
    out.push(u8::from(matches!(symbol, Symbol::Label(_))));
    put_text(out, symbol.name());
}

/// What is still to be read.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn symbol(&mut self) -> Option<Symbol> {
        let label = self.byte()? != 0;
        let name = self.text()?;
        Some(if label { Symbol::Label(name) } else { Symbol::Variable(name) })
    }

    fn word(&mut self) -> Option<Word> {
        Some(match self.byte()? {
            0 => Word::Number(self.text()?.parse::<Rational>().ok()?),
            1 => Word::Truth(self.byte()? != 0),
            2 => Word::Named(self.symbol()?),
            3 => Word::Apply(*Op::ALL.get(usize::from(self.byte()?))?, self.number()?),
            4 => Word::Declare(self.symbol()?),
            5 => {
                let proposition = self.byte()? != 0;
                Word::Define { label: self.text()?, proposition }
            }
            6 => Word::Meaning,
            7 => Word::Assumption,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> Request {
        let label = || Symbol::Label("t1".to_owned());
        let mut words = vec![
            Word::Declare(Symbol::Variable("größe".to_owned())),
            Word::Declare(label()),
            Word::Number(Rational::from((-7, 3))),
            Word::Truth(true),
            Word::Truth(false),
            Word::Define { label: "t2".to_owned(), proposition: true },
            Word::Define { label: "t3".to_owned(), proposition: false },
            Word::Named(label()),
            Word::Named(Symbol::Variable("größe".to_owned())),
            Word::Meaning,
            Word::Assumption,
        ];
        words.extend(Op::ALL.iter().enumerate().map(|(index, op)| Word::Apply(*op, index as u32)));
        Request { limit: 10_000, memory: 2048, core: true, variables: vec!["größe".to_owned()], words }
    }

    #[test]
    fn a_request_comes_back_as_it_was() {
        let request = request();
        let bytes = request.to_bytes();
        let (length, rest) = bytes.split_first_chunk().expect("a number");
        assert_eq!(u32::from_le_bytes(*length) as usize, rest.len());
        assert_eq!(Request::from_bytes(rest), Some(request));
    }

    #[test]
    fn a_reply_comes_back_as_it_was_and_a_part_of_it_is_none() {
        let values = [("x", "-1/3"), ("d!1", "1.41421356237309504880")];
        let replies = [
            Reply::Satisfiable(values.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec()),
            Reply::Unsatisfiable(vec![0, 7]),
            Reply::Unknown("canceled".to_owned()),
            Reply::Refused("a sum of truth values".to_owned()),
        ];
        for reply in replies {
            let bytes = reply.to_bytes();
            assert!((0..bytes.len()).all(|end| Reply::from_bytes(&bytes[..end]).is_none()), "{reply:?}");
            assert_eq!(Reply::from_bytes(&bytes), Some(reply));
        }
        assert_eq!(Reply::from_bytes(b"z3 4.8"), None);
    }
}
