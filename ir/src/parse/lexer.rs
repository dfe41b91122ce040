//! Tokens of `.ll` text, found on demand without copying.
//!
//! The rules are those of LLVM's own lexer: a word directly followed by `:` is a label (the fields of
//! specialised metadata nodes use the same form), names after a sigil may be quoted, `;` starts a comment.

use super::Fault;
use std::borrow::Cow;

/// A name as it stands in the text: quoted or not, escapes not yet resolved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Name<'a> {
    /// The text without sigil and quotes.
    pub raw: &'a str,
    /// Did it stand in quotes?
    pub quoted: bool,
}

impl<'a> Name<'a> {
    /// The number of an unnamed entity: `%12` but not `%"12"`.
    pub fn number(self) -> Option<u32> {
        if self.quoted || !self.raw.as_bytes()[0].is_ascii_digit() { None } else { self.raw.parse().ok() }
    }

    /// The name with its escapes resolved; an error if it is not UTF-8.
    pub fn text(self) -> Result<Cow<'a, str>, &'static str> {
        if !self.raw.contains('\\') {
            return Ok(Cow::Borrowed(self.raw));
        }
        String::from_utf8(unescape(self.raw)).map(Cow::Owned).map_err(|_| "a name that is not UTF-8 is not supported")
    }
}

/// Resolves `\\` and `\XX`.
pub(super) fn unescape(raw: &str) -> Vec<u8> {
    let bytes = raw.as_bytes();
    let hex = |i: usize| bytes.get(i).and_then(|b| char::from(*b).to_digit(16));
    let (mut out, mut i) = (Vec::with_capacity(bytes.len()), 0);
    while i < bytes.len() {
        match (bytes[i], hex(i + 1), hex(i + 2)) {
            (b'\\', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 3;
            }
            (b'\\', ..) if bytes.get(i + 1) == Some(&b'\\') => {
                out.push(b'\\');
                i += 2;
            }
            (byte, ..) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    out
}

/// A token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tok<'a> {
    /// End of the text.
    Eof,
    /// A keyword or other bare word.
    Word(&'a str),
    /// `name:`
    Label(Name<'a>),
    /// `%name`
    Local(Name<'a>),
    /// `@name`
    Global(Name<'a>),
    /// `$name`
    Comdat(Name<'a>),
    /// `!name`
    MdName(&'a str),
    /// `!12`
    MdNum(u32),
    /// `!` before `{` or `"`
    Bang,
    /// `#12`
    Group(u32),
    /// `#dbg_value`: the word after `#`
    Record(&'a str),
    /// `"…"`, escapes not resolved
    Str(&'a str),
    /// `c"…"`, escapes not resolved
    Bytes(&'a str),
    /// `12`, `-3`
    Int(&'a str),
    /// `1.0e+00`, `0x3FF0000000000000`, `0xK…`
    Float(&'a str),
    /// `...`
    Ellipsis,
    /// One of `= , * ( ) [ ] { } < > | :`
    Punct(u8),
    /// What no token can start with, or what lacks its end: the reason.
    Bad(&'static str),
}

impl std::fmt::Display for Tok<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Tok::Eof => f.write_str("the end of the text"),
            Tok::Word(w) | Tok::Int(w) | Tok::Float(w) => write!(f, "`{w}`"),
            Tok::Label(n) => write!(f, "`{}:`", n.raw),
            Tok::Local(n) => write!(f, "`%{}`", n.raw),
            Tok::Global(n) => write!(f, "`@{}`", n.raw),
            Tok::Comdat(n) => write!(f, "`${}`", n.raw),
            Tok::MdName(n) => write!(f, "`!{n}`"),
            Tok::MdNum(n) => write!(f, "`!{n}`"),
            Tok::Bang => f.write_str("`!`"),
            Tok::Group(n) => write!(f, "`#{n}`"),
            Tok::Record(n) => write!(f, "`#{n}`"),
            Tok::Str(s) => write!(f, "`\"{s}\"`"),
            Tok::Bytes(s) => write!(f, "`c\"{s}\"`"),
            Tok::Ellipsis => f.write_str("`...`"),
            Tok::Punct(p) => write!(f, "`{}`", char::from(*p)),
            Tok::Bad(why) => f.write_str(why),
        }
    }
}

/// Is the byte one of those that names and words consist of?
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut i = 0;
    while i < 256 {
        let b = i as u8;
        table[i] = b.is_ascii_alphanumeric() || matches!(b, b'-' | b'$' | b'.' | b'_');
        i += 1;
    }
    table
};

/// The lexer: a position in the text, and the current token.
#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    pub text: &'a str,
    /// Where the current token starts.
    pub start: usize,
    /// Where the current token ends.
    pub end: usize,
    /// The current token.
    pub tok: Tok<'a>,
}

impl<'a> Lexer<'a> {
    /// A lexer that stands on the first token.
    pub fn new(text: &'a str) -> Lexer<'a> {
        let mut lexer = Lexer { text, start: 0, end: 0, tok: Tok::Eof };
        lexer.advance();
        lexer
    }

    /// Goes to the first token at or after byte `offset`.
    pub fn seek(&mut self, offset: usize) {
        self.end = offset;
        self.advance();
    }

    /// Goes to the next token.
    pub fn advance(&mut self) {
        let bytes = self.text.as_bytes();
        let mut i = self.end;
        loop {
            match bytes.get(i) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => i += 1,
                Some(b';') => i += self.text[i..].find('\n').unwrap_or(bytes.len() - i),
                _ => break,
            }
        }
        self.start = i;
        self.end = i;
        self.tok = match bytes.get(i) {
            None => Tok::Eof,
            Some(b) => self.token(*b),
        };
    }

    /// Goes to the next token and passes `value` through.
    pub fn advance_with<T>(&mut self, value: T) -> T {
        self.advance();
        value
    }

    fn byte(&self, i: usize) -> u8 {
        self.text.as_bytes().get(i).copied().unwrap_or(0)
    }

    /// End of the run of word bytes from `i`.
    fn run(&self, i: usize) -> usize {
        let rest = &self.text.as_bytes()[i.min(self.text.len())..];
        i + rest.iter().position(|b| !WORD[*b as usize]).unwrap_or(rest.len())
    }

    fn token(&mut self, first: u8) -> Tok<'a> {
        let i = self.start;
        match first {
            b'%' => self.name(Tok::Local),
            b'@' => self.name(Tok::Global),
            b'$' if self.byte(self.run(i)) != b':' => self.name(Tok::Comdat),
            b'!' => self.metadata(),
            b'#' => {
                let end = self.run(i + 1);
                let word = &self.text[i + 1..end];
                self.end = end;
                if word.is_empty() {
                    Tok::Bad("a stray `#`")
                } else {
                    word.parse().map_or(Tok::Record(word), Tok::Group)
                }
            }
            b'"' => match self.quoted(i) {
                Some(raw) if self.byte(self.end) == b':' => {
                    self.end += 1;
                    Tok::Label(Name { raw, quoted: true })
                }
                Some(raw) => Tok::Str(raw),
                None => Tok::Bad("a string without end"),
            },
            b'c' if self.byte(i + 1) == b'"' => self.quoted(i + 1).map_or(Tok::Bad("a string without end"), Tok::Bytes),
            b'=' | b',' | b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'|' | b':' => {
                self.end = i + 1;
                Tok::Punct(first)
            }
            b'+' => self.number(),
            _ if WORD[first as usize] => self.word(first),
            _ => {
                self.end = i + self.text[i..].chars().next().map_or(1, char::len_utf8);
                Tok::Bad("a character that no token starts with")
            }
        }
    }

    /// A word, a label or a number.
    fn word(&mut self, first: u8) -> Tok<'a> {
        let (i, end) = (self.start, self.run(self.start));
        let raw = &self.text[i..end];
        self.end = end;
        if self.byte(end) == b':' {
            self.end += 1;
            return Tok::Label(Name { raw, quoted: false });
        }
        if first.is_ascii_digit() || (first == b'-' && self.byte(i + 1).is_ascii_digit()) {
            return self.number();
        }
        if raw == "..." { Tok::Ellipsis } else { Tok::Word(raw) }
    }

    fn number(&mut self) -> Tok<'a> {
        let i = self.start;
        let digits = |lexer: &Lexer<'a>, mut at: usize| {
            while lexer.byte(at).is_ascii_digit() {
                at += 1;
            }
            at
        };
        if self.byte(i) == b'0' && self.byte(i + 1) == b'x' {
            self.end = self.run(i);
            return Tok::Float(&self.text[i..self.end]);
        }
        let mut at = digits(self, i + usize::from(matches!(self.byte(i), b'+' | b'-')));
        let mut float = false;
        if self.byte(at) == b'.' {
            float = true;
            at = digits(self, at + 1);
            if matches!(self.byte(at), b'e' | b'E') {
                at = digits(self, at + 1 + usize::from(matches!(self.byte(at + 1), b'+' | b'-')));
            }
        }
        self.end = at.max(i + 1);
        let text = &self.text[i..self.end];
        if float { Tok::Float(text) } else { Tok::Int(text) }
    }

    /// The text between the quotes, the first of which stands at `open`; goes behind the second.
    fn quoted(&mut self, open: usize) -> Option<&'a str> {
        let length = self.text[open + 1..].find('"');
        self.end = length.map_or(self.text.len(), |n| open + 2 + n);
        Some(&self.text[open + 1..open + 1 + length?])
    }

    fn name(&mut self, make: fn(Name<'a>) -> Tok<'a>) -> Tok<'a> {
        let i = self.start + 1;
        if self.byte(i) == b'"' {
            return match self.quoted(i) {
                Some(raw) if !raw.is_empty() => make(Name { raw, quoted: true }),
                _ => Tok::Bad("a name without end"),
            };
        }
        self.end = self.run(i);
        if self.end == i {
            Tok::Bad("a sigil without name")
        } else {
            make(Name { raw: &self.text[i..self.end], quoted: false })
        }
    }

    fn metadata(&mut self) -> Tok<'a> {
        let i = self.start + 1;
        self.end = i;
        while WORD[self.byte(self.end) as usize] || self.byte(self.end) == b'\\' {
            self.end += 1;
        }
        let word = &self.text[i..self.end];
        match word.as_bytes().first() {
            None => Tok::Bang,
            Some(b) if b.is_ascii_digit() => {
                word.parse().map_or(Tok::Bad("a metadata number out of range"), Tok::MdNum)
            }
            Some(_) => Tok::MdName(word),
        }
    }

    /// The text between the parenthesis that is the current token and its partner; goes behind that.
    pub fn parenthesised(&mut self) -> Result<&'a str, Fault> {
        let (open, bytes) = (self.start, self.text.as_bytes());
        let (mut depth, mut in_string) = (0, false);
        for (i, b) in bytes.iter().enumerate().skip(open) {
            match b {
                b'"' => in_string = !in_string,
                b'(' if !in_string => depth += 1,
                b')' if !in_string => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                self.seek(i + 1);
                return Ok(&self.text[open + 1..i]);
            }
        }
        Err(Fault::at(open, "a parenthesis without end"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Tok<'_>> {
        let mut lexer = Lexer::new(text);
        let mut out = Vec::new();
        while lexer.tok != Tok::Eof {
            out.push(lexer.tok);
            lexer.advance();
        }
        out
    }

    fn name(raw: &str) -> Name<'_> {
        Name { raw, quoted: false }
    }

    #[test]
    fn every_form() {
        let quoted = Name { raw: "a b", quoted: true };
        assert_eq!(
            tokens("%x @y. $z %\"a b\""),
            [Tok::Local(name("x")), Tok::Global(name("y.")), Tok::Comdat(name("z")), Tok::Local(quoted)]
        );
        assert_eq!(
            tokens("for.end: 12: \"a b\": $l:"),
            [Tok::Label(name("for.end")), Tok::Label(name("12")), Tok::Label(quoted), Tok::Label(name("$l"))]
        );
        assert_eq!(
            tokens("!0 !dbg !{ #1 #dbg_value"),
            [Tok::MdNum(0), Tok::MdName("dbg"), Tok::Bang, Tok::Punct(b'{'), Tok::Group(1), Tok::Record("dbg_value")]
        );
        assert_eq!(
            tokens("-12 1.5e-03 0xK3FFF ... c\"\\00\" \"s\" ; comment"),
            [
                Tok::Int("-12"),
                Tok::Float("1.5e-03"),
                Tok::Float("0xK3FFF"),
                Tok::Ellipsis,
                Tok::Bytes("\\00"),
                Tok::Str("s")
            ]
        );
        assert_eq!(tokens("\"open"), [Tok::Bad("a string without end")]);
        assert_eq!(
            tokens("% ^"),
            [Tok::Bad("a sigil without name"), Tok::Bad("a character that no token starts with")]
        );
    }

    #[test]
    fn escapes() {
        assert_eq!(unescape("a\\0A\\\\b\\zz\\4"), b"a\n\\b\\zz\\4");
    }
}
