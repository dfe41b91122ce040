//! Splits Rust text into code, comments and literals, as far as the checks need it.
//!
//! One pass over the characters with the lexical grammar of the Rust reference: nested block comments, raw strings
//! with their hashes, byte and C strings, character literals told from lifetimes. The code keeps its shape (every
//! line and column stays), while comments and the insides of literals become spaces, so a word found in the code is
//! really there.

/// A Rust text, taken apart.
pub struct Source {
    /// The text with comments and the insides of literals blanked, one entry a line.
    pub code: Vec<String>,
    /// The insides of the string literals as written, each with the line it starts on, counted from 1.
    pub strings: Vec<(usize, String)>,
    /// For every line whether it belongs to a `#[cfg(test)]` item.
    pub in_tests: Vec<bool>,
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
    code: String,
    strings: Vec<(usize, String)>,
}

/// Takes a Rust text apart.
pub fn split(text: &str) -> Source {
    let mut lexer = Lexer {
        chars: text.chars().collect(),
        at: 0,
        line: 1,
        code: String::with_capacity(text.len()),
        strings: Vec::new(),
    };
    while lexer.at < lexer.chars.len() {
        lexer.step();
    }
    let code: Vec<String> = lexer.code.lines().map(str::to_owned).collect();
    let in_tests = test_lines(&code);
    Source { code, strings: lexer.strings, in_tests }
}

impl Lexer {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    /// Takes one character over as it is.
    fn keep(&mut self) {
        let c = self.peek(0);
        if c == '\n' {
            self.line += 1;
        }
        self.code.push(c);
        self.at += 1;
    }

    /// Takes one character over as a space; ends of lines stay.
    fn blank(&mut self) {
        let c = self.peek(0);
        if c == '\n' {
            self.line += 1;
        }
        self.code.push(if c == '\n' { '\n' } else { ' ' });
        self.at += 1;
    }

    /// Whether the character before is part of a word, so that an `r` here is no prefix of a literal.
    fn in_word(&self) -> bool {
        self.at > 0 && (self.chars[self.at - 1].is_alphanumeric() || self.chars[self.at - 1] == '_')
    }

    fn step(&mut self) {
        match (self.peek(0), self.peek(1)) {
            ('/', '/') => {
                while self.at < self.chars.len() && self.peek(0) != '\n' {
                    self.blank();
                }
            }
            ('/', '*') => self.block_comment(),
            ('"', _) => self.string(),
            ('r', '"' | '#') if !self.in_word() => self.raw_string(1),
            ('b' | 'c', 'r') if !self.in_word() && matches!(self.peek(2), '"' | '#') => self.raw_string(2),
            ('\'', _) => self.quote(),
            _ => self.keep(),
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0_usize;
        while self.at < self.chars.len() {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.blank();
                }
                ('*', '/') => {
                    depth -= 1;
                    self.blank();
                }
                _ => {}
            }
            self.blank();
            if depth == 0 {
                break;
            }
        }
    }

    fn string(&mut self) {
        let line = self.line;
        self.keep();
        let start = self.at;
        while self.at < self.chars.len() && self.peek(0) != '"' {
            if self.peek(0) == '\\' {
                self.blank();
            }
            if self.at < self.chars.len() {
                self.blank();
            }
        }
        self.strings.push((line, self.chars[start..self.at].iter().collect()));
        if self.at < self.chars.len() {
            self.keep();
        }
    }

    /// A raw string whose prefix has `prefix` letters; a raw identifier is kept as it is.
    fn raw_string(&mut self, prefix: usize) {
        let mut hashes = 0;
        while self.peek(prefix + hashes) == '#' {
            hashes += 1;
        }
        if self.peek(prefix + hashes) != '"' {
            self.keep();
            return;
        }
        let line = self.line;
        for _ in 0..=prefix + hashes {
            self.keep();
        }
        let start = self.at;
        let closes = |lexer: &Self| lexer.peek(0) == '"' && (1..=hashes).all(|ahead| lexer.peek(ahead) == '#');
        while self.at < self.chars.len() && !closes(self) {
            self.blank();
        }
        self.strings.push((line, self.chars[start..self.at].iter().collect()));
        for _ in 0..=hashes {
            if self.at < self.chars.len() {
                self.keep();
            }
        }
    }

    /// A character literal, or a lifetime.
    fn quote(&mut self) {
        let literal = self.peek(1) == '\\' || self.peek(2) == '\'';
        self.keep();
        if !literal {
            return;
        }
        if self.peek(0) == '\\' {
            self.blank();
        }
        self.blank();
        while self.at < self.chars.len() && self.peek(0) != '\'' {
            self.blank();
        }
        if self.at < self.chars.len() {
            self.keep();
        }
    }
}

/// The lines of `#[cfg(test)]` items: from the attribute to the end of the braces that follow, or to a `;`.
fn test_lines(code: &[String]) -> Vec<bool> {
    let mut marks = vec![false; code.len()];
    let mut line = 0;
    while line < code.len() {
        if !code[line].trim_start().starts_with("#[cfg(test)]") {
            line += 1;
            continue;
        }
        let mut depth = 0_usize;
        let mut done = false;
        while line < code.len() && !done {
            marks[line] = true;
            for c in code[line].chars() {
                match c {
                    '{' => depth += 1,
                    '}' => {
                        depth = depth.saturating_sub(1);
                        done |= depth == 0;
                    }
                    ';' => done |= depth == 0,
                    _ => {}
                }
            }
            line += 1;
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn comments_and_literals_leave_the_code() {
        let text =
            "let a = \"unsafe\"; // unsafe\n/* unsafe /* nested */ unsafe */ let b = 'u';\nlet c: &'static str;\n";
        let source = split(text);
        assert_eq!(source.code[0].trim_end(), "let a = \"      \";");
        assert_eq!(source.code[1].trim(), "let b = ' ';");
        assert_eq!(source.code[2], "let c: &'static str;");
        assert_eq!(source.strings, [(1, "unsafe".to_owned())]);
    }

    #[test]
    fn every_line_keeps_its_length() {
        let text = "x(\"a\\\"b\", r#\"q\"q\"#, b\"z\", br\"w\", '\\'', '\\\\', 'a');\nfn f<'a>(r#type: &'a str) {}\n";
        let source = split(text);
        for (line, code) in text.lines().zip(&source.code) {
            assert_eq!(line.chars().count(), code.chars().count());
        }
        let inside: Vec<&str> = source.strings.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(inside, ["a\\\"b", "q\"q", "z", "w"]);
        assert_eq!(source.code[1], "fn f<'a>(r#type: &'a str) {}");
    }

    #[test]
    fn strings_over_lines_count_lines() {
        let source = split("let a = \"x\ny\";\nlet b = \"z\";\n");
        assert_eq!(source.strings, [(1, "x\ny".to_owned()), (3, "z".to_owned())]);
    }

    #[test]
    fn test_items_end_where_their_braces_end() {
        let text = "#[cfg(test)]\nmod tests;\nfn a() {}\n#[cfg(test)]\nmod more {\n fn b() {}\n}\nfn c() {}\n";
        let source = split(text);
        assert_eq!(source.in_tests, [true, true, false, true, true, true, true, false]);
    }

    #[test]
    fn unfinished_text_ends() {
        for text in ["\"abc", "r#\"abc", "/* abc", "'\\", "'a", "\"abc\\"] {
            assert_eq!(split(text).code.len(), 1, "{text}");
        }
    }
}
