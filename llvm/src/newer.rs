//! Text of a newer LLVM in the words of LLVM 19.
//!
//! LLVM reads what older versions wrote, and not the reverse. Compilers that bring their own LLVM (rustc, Zig, flang,
//! Julia) write text of versions 20 to 22, which differs in a few words. Each is said here in older words that promise
//! no more than it does (LangRef of both versions), or left out where it is a promise that nobody has to know of:
//!
//! | newer | here |
//! |---|---|
//! | `captures(none)` | `nocapture` |
//! | `captures(…)` of parts of an address, `initializes(…)`, `dead_on_return`, `nocreateundeforpoison`, `noext`, … | nothing |
//! | `icmp samesign` | `icmp` |
//! | `memory(errnomem: …, target_mem0: …)` | `memory(…)`: `errno` is other memory, and a target's is inaccessible |
//! | `llvm.lifetime.start(ptr)` | `llvm.lifetime.start(i64 -1, ptr)`: of unknown size |
//! | fields of debug information (`keyInstructions`, `atomGroup`, …) | nothing |
//!
//! Lines stay where they are. Bitcode is left alone: it is to be given as text.

use std::borrow::Cow;

/// Words without arguments that are left out.
const WORDS: [&str; 9] = [
    "samesign",
    "nocreateundeforpoison",
    "dead_on_return",
    "noext",
    "sanitize_type",
    "sanitize_alloc_token",
    "nodivergencesource",
    "nooutline",
    "hybrid_patchable",
];

/// Words that are left out with what stands in parentheses behind them.
const CALLS: [&str; 2] = ["initializes", "dead_on_return"];

/// Fields of debug information that are left out, with their values.
const FIELDS: [&str; 7] =
    ["keyInstructions", "atomGroup", "atomRank", "numExtraInhabitants", "enumKind", "dataSize", "bitStride"];

/// What says that text may be newer.
const SIGNS: [&str; 4] = ["captures(", "errnomem", "target_mem", "llvm.lifetime."];

/// The text in the words of LLVM 19; what is none, or has none of the newer words, as it is.
pub(crate) fn in_older_words(bytes: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Cow::Borrowed(bytes) };
    let signs = SIGNS.iter().chain(&WORDS).chain(&CALLS).chain(&FIELDS);
    if !signs.into_iter().any(|sign| text.contains(sign)) {
        return Cow::Borrowed(bytes);
    }
    let mut writer =
        Writer { text, at: 0, out: String::with_capacity(text.len()), declares: false, in_metadata: false };
    writer.run();
    if writer.out == text { Cow::Borrowed(bytes) } else { Cow::Owned(writer.out.into_bytes()) }
}

struct Writer<'a> {
    text: &'a str,
    at: usize,
    out: String,
    /// The line is a declaration.
    declares: bool,
    /// It is a node of metadata.
    in_metadata: bool,
}

impl<'a> Writer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Copies so many bytes.
    fn copy(&mut self, count: usize) {
        self.out.push_str(&self.rest()[..count]);
        self.at += count;
    }

    fn run(&mut self) {
        let mut starts_line = true;
        while let Some(c) = self.rest().chars().next() {
            if starts_line {
                self.declares = self.rest().trim_start().starts_with("declare");
                self.in_metadata = self.rest().starts_with('!');
            }
            starts_line = c == '\n';
            match c {
                ';' => self.copy(self.rest().find('\n').unwrap_or(self.rest().len())),
                '"' => self.copy(quoted(self.rest())),
                '@' | '%' | '!' | '#' | '$' => self.name(c),
                _ if is_word(c) => self.word(),
                _ => self.copy(c.len_utf8()),
            }
        }
    }

    /// A name, which is no word; that of an intrinsic which has lost an argument gets it back.
    fn name(&mut self, sign: char) {
        let rest = self.rest();
        if rest[1..].starts_with('"') {
            self.copy(1);
            return;
        }
        let length = 1 + length(&rest[1..]);
        let name = &rest[..length];
        self.copy(length);
        let is_lifetime =
            sign == '@' && ["@llvm.lifetime.start", "@llvm.lifetime.end"].iter().any(|n| name.starts_with(n));
        if is_lifetime && self.rest().starts_with("(ptr") {
            self.copy(1);
            self.out.push_str(if self.declares { "i64, " } else { "i64 -1, " });
        }
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = length(rest);
        let (word, behind) = (&rest[..length], &rest[length..]);
        let group = behind.starts_with('(').then(|| in_parentheses(behind)).flatten();
        match (word, group) {
            ("captures", Some(group)) if group.trim() == "none" => self.replace(length + group.len() + 2, "nocapture"),
            ("captures", Some(group)) => self.leave_out(length + group.len() + 2),
            ("memory", Some(group)) if group.contains("errnomem") || group.contains("target_mem") => {
                let memory = format!("memory({})", memory(group));
                self.replace(length + group.len() + 2, &memory);
            }
            // The label of a block.
            _ if behind.starts_with(':') && !self.in_metadata => self.copy(length),
            (_, Some(group)) if CALLS.contains(&word) => self.leave_out(length + group.len() + 2),
            (_, None) if WORDS.contains(&word) => self.leave_out(length),
            _ if FIELDS.contains(&word) && behind.starts_with(": ") => {
                let end = behind.find([',', ')']).unwrap_or(behind.len());
                self.leave_out_field(length + end);
            }
            _ => self.copy(length),
        }
    }

    fn replace(&mut self, count: usize, by: &str) {
        self.at += count;
        self.out.push_str(by);
    }

    /// Leaves out so many bytes and the space behind them.
    fn leave_out(&mut self, count: usize) {
        self.at += count;
        if self.rest().starts_with(' ') {
            self.at += 1;
        } else if self.out.ends_with(' ') {
            self.out.pop();
        }
    }

    /// Leaves out so many bytes and a comma beside them.
    fn leave_out_field(&mut self, count: usize) {
        self.at += count;
        if self.rest().starts_with(", ") {
            self.at += 2;
        } else if self.out.ends_with(", ") {
            self.out.truncate(self.out.len() - 2);
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-$._".contains(c)
}

/// How long the word or name is that a text begins with.
fn length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// How long the string is that a text begins with. A quote within it is written `\22`.
fn quoted(text: &str) -> usize {
    text[1..].find('"').map_or(text.len(), |end| end + 2)
}

/// What stands in the parentheses that a text begins with.
fn in_parentheses(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(&text[1..at]);
        }
    }
    None
}

/// What may be done to memory.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Access {
    reads: bool,
    writes: bool,
}

impl Access {
    fn of(word: &str) -> Access {
        let (reads, writes) = match word {
            "none" => (false, false),
            "read" => (true, false),
            "write" => (false, true),
            _ => (true, true),
        };
        Access { reads, writes }
    }

    fn or(self, other: Access) -> Access {
        Access { reads: self.reads || other.reads, writes: self.writes || other.writes }
    }

    fn word(self) -> &'static str {
        match (self.reads, self.writes) {
            (false, false) => "none",
            (true, false) => "read",
            (false, true) => "write",
            (true, true) => "readwrite",
        }
    }
}

/// `errno` belongs to other memory, and a target's own to what is inaccessible. A kind of memory that is not named is
/// accessed as the first word says, or not at all.
fn memory(group: &str) -> String {
    let mut default = Access::of("none");
    let mut named: Vec<(&str, Access)> = Vec::new();
    for part in group.split(',').map(str::trim) {
        match part.split_once(':') {
            Some((kind, access)) => named.push((kind.trim(), Access::of(access.trim()))),
            None => default = Access::of(part),
        }
    }
    let of = |kind: &str| named.iter().find(|(name, _)| *name == kind).map_or(default, |(_, access)| *access);
    let other = default.or(of("errnomem"));
    let of_targets = named.iter().filter(|(kind, _)| kind.starts_with("target_mem")).map(|(_, access)| *access);
    let inaccessible = of_targets.fold(of("inaccessiblemem"), Access::or);
    let mut parts = vec![other.word().to_owned()];
    for (kind, access) in [("argmem", of("argmem")), ("inaccessiblemem", inaccessible)] {
        if access != other {
            parts.push(format!("{kind}: {}", access.word()));
        }
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn older(text: &str) -> String {
        String::from_utf8(in_older_words(text.as_bytes()).into_owned()).expect("text stays text")
    }

    #[test]
    fn newer_words_are_said_in_older_ones() {
        for (newer, expected) in [
            ("ptr captures(none) %x", "ptr nocapture %x"),
            ("ptr readonly captures(address_is_null) %x)", "ptr readonly %x)"),
            ("ptr captures(ret: address, provenance) %x", "ptr %x"),
            ("ptr writeonly initializes((0, 8), (16, 24)) %x", "ptr writeonly %x"),
            ("ptr dead_on_return noalias %x, ptr dead_on_return)", "ptr noalias %x, ptr)"),
            ("%c = icmp samesign ult i32 %a, %b", "%c = icmp ult i32 %a, %b"),
            ("attributes #0 = { nocreateundeforpoison nounwind }", "attributes #0 = { nounwind }"),
            (
                "declare void @llvm.lifetime.start.p0(ptr captures(none)) #1",
                "declare void @llvm.lifetime.start.p0(i64, ptr nocapture) #1",
            ),
            (
                "  call void @llvm.lifetime.end.p0(ptr nonnull %x)",
                "  call void @llvm.lifetime.end.p0(i64 -1, ptr nonnull %x)",
            ),
            (
                "  call void @llvm.lifetime.end.p0(i64 8, ptr %x) samesign",
                "  call void @llvm.lifetime.end.p0(i64 8, ptr %x)",
            ),
            ("!DILocation(line: 1, scope: !2, atomGroup: 1, atomRank: 2)", "!DILocation(line: 1, scope: !2)"),
            ("!DISubprogram(keyInstructions: true, line: 1)", "!DISubprogram(line: 1)"),
        ] {
            assert_eq!(older(newer), expected);
        }
    }

    #[test]
    fn effects_on_memory_promise_no_more_than_before() {
        for (newer, expected) in [
            ("argmem: read, errnomem: write", "write, argmem: read, inaccessiblemem: none"),
            ("errnomem: none", "none"),
            ("read, errnomem: none", "read"),
            ("argmem: readwrite, target_mem0: none, target_mem1: none", "none, argmem: readwrite"),
            ("target_mem0: write", "none, inaccessiblemem: write"),
        ] {
            assert_eq!(memory(newer), expected, "{newer}");
        }
    }

    #[test]
    fn names_strings_and_comments_are_left_alone() {
        for text in [
            "@samesign = global i32 0 ; samesign captures(none)\n",
            "@\"a samesign b\" = global i32 0\n",
            "%samesign = add i32 %captures, 1 ; nocreateundeforpoison\n",
            "!0 = !{!\"samesign\", !\"captures(none)\"}\n",
            "#0 = samesignal\n",
            "samesign:\n",
            "dataSize:        ; preds = %enumKind, captures(none)\n",
        ] {
            assert_eq!(older(text), text);
        }
    }
}
