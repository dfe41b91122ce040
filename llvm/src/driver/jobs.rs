//! The commands that clang's driver would run.
//!
//! `clang -###` prints them instead of running them, one a line, every argument in double quotes with `"`, `\` and `$`
//! escaped. So the driver itself expands response files and configuration files, knows which option takes an argument,
//! and chooses linker, libraries and start files; nothing of that is known here.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Job {
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

/// What a compilation makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// An object file.
    Object,
    /// Assembly text.
    Assembly,
    /// LLVM IR as text.
    IrText,
    /// LLVM IR as bitcode.
    Bitcode,
}

/// Names of the actions in the arguments of clang's compiler proper.
const ACTIONS: [(&str, Action); 4] = [
    ("-emit-obj", Action::Object),
    ("-S", Action::Assembly),
    ("-emit-llvm", Action::IrText),
    ("-emit-llvm-bc", Action::Bitcode),
];

/// Actions after which there is nothing to differentiate.
const OTHER_ACTIONS: [&str; 12] = [
    "-E",
    "-Eonly",
    "-fsyntax-only",
    "-emit-pch",
    "-emit-module",
    "-emit-interface-stubs",
    "-analyze",
    "-ast-dump",
    "-ast-print",
    "-verify-pch",
    "-migrate",
    "-M",
];

/// Options that write something besides the output, or that only the front end reads, with their number of arguments.
const FRONT_ONLY: [(&str, usize); 8] = [
    ("-dependency-file", 1),
    ("-MT", 1),
    ("-MQ", 1),
    ("-MP", 0),
    ("-MG", 0),
    ("-sys-header-deps", 0),
    ("-H", 0),
    ("-header-include-file", 1),
];

impl Job {
    /// The commands in what `-###` printed, and what else it said.
    pub fn parse_all(printed: &[u8]) -> (Vec<Job>, String) {
        let (mut jobs, mut rest) = (Vec::new(), String::new());
        for line in printed.split(|b| *b == b'\n') {
            match Job::parse(line) {
                Some(job) => jobs.push(job),
                None => {
                    let text = String::from_utf8_lossy(line);
                    if text.contains("warning: ") || text.contains("error: ") {
                        rest.push_str(&text);
                        rest.push('\n');
                    }
                }
            }
        }
        (jobs, rest)
    }

    fn parse(line: &[u8]) -> Option<Job> {
        let mut rest = line.strip_prefix(b" \"")?;
        let (mut words, mut word) = (Vec::new(), Vec::new());
        loop {
            let (first, tail) = rest.split_first()?;
            rest = tail;
            match first {
                b'\\' => {
                    let (escaped, tail) = rest.split_first()?;
                    word.push(*escaped);
                    rest = tail;
                }
                b'"' => {
                    words.push(OsString::from_vec(std::mem::take(&mut word)));
                    match rest.strip_prefix(b" \"") {
                        Some(tail) => rest = tail,
                        None => break,
                    }
                }
                other => word.push(*other),
            }
        }
        let program = words.remove(0);
        Some(Job { program, arguments: words })
    }

    /// Is it the compiler proper?
    pub fn is_compiler(&self) -> bool {
        self.arguments.first().is_some_and(|a| a == "-cc1") || self.is_fortran()
    }

    /// Is it flang's compiler proper?
    pub fn is_fortran(&self) -> bool {
        self.arguments.first().is_some_and(|a| a == "-fc1")
    }

    /// Is it clang's assembler?
    pub fn is_assembler(&self) -> bool {
        self.arguments.first().is_some_and(|a| a == "-cc1as")
    }

    /// What a run of the compiler makes; `None` if that is no code.
    pub fn action(&self) -> Option<Action> {
        if self.arguments.iter().any(|a| OTHER_ACTIONS.iter().any(|o| a == o)) {
            return None;
        }
        self.arguments.iter().find_map(|a| ACTIONS.iter().find(|(name, _)| a == name).map(|(_, action)| *action))
    }

    /// Where it writes.
    pub fn output(&self) -> Option<&OsStr> {
        let at = self.arguments.iter().position(|a| a == "-o")?;
        self.arguments.get(at + 1).map(OsString::as_os_str)
    }

    /// What it compiles: the driver names it last.
    pub fn input(&self) -> Option<&OsStr> {
        self.arguments.last().map(OsString::as_os_str)
    }

    /// The level of optimisation in the compiler's arguments, as LLVM's pipelines name it: `O3`, `Os`.
    pub fn level(&self) -> &str {
        let mut levels = self.arguments.iter().filter_map(|a| a.to_str()).filter_map(|a| a.strip_prefix('-'));
        let known = ["O0", "O1", "O2", "O3", "Os", "Oz"];
        levels.rfind(|a| known.contains(a)).unwrap_or("O0")
    }

    /// Does the user want debug information?
    pub fn has_debug(&self) -> bool {
        self.arguments.iter().any(|a| a.as_bytes().starts_with(b"-debug-info-kind="))
    }

    /// May code for x86 use the registers of SSE2? (All processors with 64 bits have them.)
    pub fn has_sse(&self) -> bool {
        !self.arguments.iter().any(|a| a == "-sse" || a == "-sse2" || a == "+soft-float")
    }

    fn replace_output(&mut self, output: &OsStr) {
        match self.arguments.iter().position(|a| a == "-o") {
            Some(at) if at + 1 < self.arguments.len() => self.arguments[at + 1] = output.to_owned(),
            _ => {
                self.arguments.insert(1, "-o".into());
                self.arguments.insert(2, output.to_owned());
            }
        }
    }

    /// The front end alone: bitcode with names and debug locations, for the messages of differentiation; unoptimised,
    /// if it can make that.
    pub fn front(&self, output: &OsStr, extra: &[OsString]) -> Job {
        let mut job = self.clone();
        for argument in &mut job.arguments {
            if ACTIONS.iter().any(|(name, _)| argument == name) {
                *argument = "-emit-llvm-bc".into();
            }
        }
        job.arguments.retain(|a| a != "-discard-value-names");
        job.replace_output(output);
        let (raw, debug): (&[&str], &[&str]) = match self.is_fortran() {
            true => (&[], &["-debug-info-kind=standalone"]),
            false => {
                (&["-disable-llvm-passes", "-disable-O0-optnone"], &["-debug-info-kind=limited", "-dwarf-version=5"])
            }
        };
        let mut more: Vec<OsString> = raw.iter().map(Into::into).collect();
        if !self.has_debug() {
            more.extend(debug.iter().map(OsString::from));
        }
        more.extend_from_slice(extra);
        job.arguments.splice(1..1, more);
        job
    }

    /// What of the arguments the translation of IR needs, without input and output.
    pub fn back_arguments(&self) -> Vec<OsString> {
        let mut out = Vec::new();
        let mut left = self.arguments.iter();
        while let Some(argument) = left.next() {
            if let Some((_, count)) = FRONT_ONLY.iter().find(|(name, _)| argument == name) {
                left.by_ref().take(*count).for_each(drop);
            } else if argument == "-x" || argument == "-o" {
                left.next();
            } else {
                out.push(argument.clone());
            }
        }
        out.pop();
        out
    }

    /// The translation of IR with the arguments that [`Job::back_arguments`] kept.
    pub fn back(program: &OsStr, kept: &[OsString], action: Action, input: &OsStr, output: &OsStr) -> Job {
        let name = ACTIONS.iter().find(|(_, a)| *a == action).map_or("-emit-obj", |(name, _)| *name);
        let mut arguments: Vec<OsString> = Vec::new();
        for argument in kept {
            let is_action = ACTIONS.iter().any(|(name, _)| argument == name);
            arguments.push(if is_action { name.into() } else { argument.clone() });
        }
        if kept.first().is_none_or(|first| first != "-fc1") {
            arguments.push("-Wno-override-module".into());
        }
        arguments.extend(["-o".into(), output.to_owned(), "-x".into(), "ir".into(), input.to_owned()]);
        Job { program: program.to_owned(), arguments }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = concat!(
        "Debian clang version 19.1.7\nTarget: x86_64-pc-linux-gnu\n",
        "clang: warning: argument unused during compilation: '-Lx' [-Wunused-command-line-argument]\n (in-process)\n",
        r#" "/usr/bin/clang" "-cc1" "-emit-obj" "-dependency-file" "a.d" "-MT" "a.o" "-O3" "-D" "T=\"a b\"" "-o" "/tmp/a-1.o" "-x" "c" "a\\b.c""#,
        "\n \"/usr/bin/ld\" \"-o\" \"prog\" \"/tmp/a-1.o\" \"x.o\"\n",
    );

    #[test]
    fn commands_are_read_with_their_quotes() {
        let (jobs, said) = Job::parse_all(PRINTED.as_bytes());
        assert_eq!(jobs.len(), 2);
        assert!(jobs[0].is_compiler() && !jobs[1].is_compiler());
        assert_eq!(jobs[0].action(), Some(Action::Object));
        assert_eq!((jobs[0].output(), jobs[0].input()), (Some("/tmp/a-1.o".as_ref()), Some("a\\b.c".as_ref())));
        assert!(jobs[0].arguments.contains(&OsString::from("T=\"a b\"")));
        assert_eq!(jobs[0].level(), "O3");
        assert_eq!(said.lines().count(), 1);
    }

    #[test]
    fn the_two_halves_share_the_options() {
        let job = &Job::parse_all(PRINTED.as_bytes()).0[0];
        let front = job.front("raw.bc".as_ref(), &[]);
        assert_eq!((front.action(), front.output()), (Some(Action::Bitcode), Some("raw.bc".as_ref())));
        assert!(front.arguments.contains(&"a.d".into()) && front.has_debug() && !job.has_debug());
        let back = Job::back(&job.program, &job.back_arguments(), Action::Assembly, "g.ll".as_ref(), "g.s".as_ref());
        assert_eq!((back.action(), back.input()), (Some(Action::Assembly), Some("g.ll".as_ref())));
        assert_eq!((back.output(), back.level()), (Some("g.s".as_ref()), "O3"));
        // The list of headers was written by the front end.
        assert!(!back.arguments.contains(&"a.d".into()) && !back.arguments.contains(&"a\\b.c".into()));
    }

    #[test]
    fn preprocessing_makes_no_code() {
        let (jobs, _) = Job::parse_all(b" \"clang\" \"-cc1\" \"-E\" \"-o\" \"-\" \"-x\" \"c\" \"a.c\"\n");
        assert_eq!(jobs[0].action(), None);
    }
}
