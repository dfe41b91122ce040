//! Command lines of Enzyme's plugin, as `adj cc` and `adj opt` understand them.
//!
//! What loads the plugin does nothing here. Of its options (`-mllvm -enzyme-…`), those that ask for what can be asked
//! for in each call do so for all calls; those that tune or print are noted; what would change answers in another way,
//! or is not known, is an error.

use adjudicate::Error;
use std::ffi::OsString;

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    /// `enzyme_strong_zero` in each call.
    StrongZero,
    /// `enzyme_runtime_activity` in each call.
    RuntimeActivity,
    /// It makes derivatives faster or smaller, or prints something.
    Tunes,
    /// It is taken for granted that something is inactive, or that numbers have another precision.
    Changes,
}

/// Options of the plugin, without `-enzyme-`.
const OPTIONS: [(&str, Effect); 43] = [
    ("strong-zero", Effect::StrongZero),
    ("runtime-activity", Effect::RuntimeActivity),
    ("aggressive-aa", Effect::Tunes),
    ("attributor", Effect::Tunes),
    ("blas-copy", Effect::Tunes),
    ("cache-never", Effect::Tunes),
    ("coalese", Effect::Tunes),
    ("fast-math", Effect::Tunes),
    ("inline", Effect::Tunes),
    ("inline-count", Effect::Tunes),
    ("lapack-copy", Effect::Tunes),
    ("loose-types", Effect::Tunes),
    ("max-int-offset", Effect::Tunes),
    ("max-type-depth", Effect::Tunes),
    ("max-type-offset", Effect::Tunes),
    ("memmove-warning", Effect::Tunes),
    ("mincut-cache", Effect::Tunes),
    ("new-cache", Effect::Tunes),
    ("phi-restructure", Effect::Tunes),
    ("postopt", Effect::Tunes),
    ("preopt", Effect::Tunes),
    ("print", Effect::Tunes),
    ("print-activity", Effect::Tunes),
    ("print-diffuse", Effect::Tunes),
    ("print-perf", Effect::Tunes),
    ("print-type", Effect::Tunes),
    ("print-unnecessary", Effect::Tunes),
    ("rematerialize", Effect::Tunes),
    ("runtime-error", Effect::Tunes),
    ("rust-type", Effect::Tunes),
    ("smallbool", Effect::Tunes),
    ("strict-aliasing", Effect::Tunes),
    ("type-warning", Effect::Tunes),
    ("vectorize-at-leaf-nodes", Effect::Tunes),
    ("zero-cache", Effect::Tunes),
    ("assume-unknown-nofree", Effect::Changes),
    ("emptyfn-inactive", Effect::Changes),
    ("enable", Effect::Changes),
    ("global-activity", Effect::Changes),
    ("globals-default-inactive", Effect::Changes),
    ("julia-addr-load", Effect::Tunes),
    ("nonmarkedglobals-inactive", Effect::Changes),
    ("truncate-all", Effect::Changes),
];

/// A command line as `adj` takes it: that of `adj opt` may be one of LLVM's `opt`.
pub fn read(mut arguments: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    if arguments.get(1).is_some_and(|command| command == "opt") {
        let (plugin, rest) = Plugin::of_opt(arguments.split_off(2))?;
        eprint!("{}", plugin.note().unwrap_or_default());
        arguments.extend(rest);
        let ad::Everywhere { strong_zero, runtime_activity } = plugin.everywhere;
        arguments.extend(strong_zero.then(|| "--strong-zero".into()));
        arguments.extend(runtime_activity.then(|| "--runtime-activity".into()));
    }
    Ok(arguments)
}

/// How a library is loaded, by clang and by the linker.
const LOADS: [&str; 5] = ["fplugin=", "fpass-plugin=", "load=", "mllvm=-load=", "load-pass-plugin="];

/// What of a command line was meant for the plugin.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plugin {
    /// What each call asks for.
    pub everywhere: ad::Everywhere,
    /// Options that have no meaning here, as they were given.
    noted: Vec<String>,
}

impl Plugin {
    /// Takes the plugin's options out of clang's arguments.
    pub fn of_clang(arguments: Vec<OsString>) -> Result<(Plugin, Vec<OsString>), Error> {
        let mut plugin = Plugin::default();
        let mut out: Vec<OsString> = Vec::new();
        let mut rest = arguments.into_iter().peekable();
        while let Some(argument) = rest.next() {
            let text = argument.to_str().unwrap_or_default();
            let words: Vec<&str> = text.strip_prefix("-Wl,").map_or_else(|| vec![text], |all| all.split(',').collect());
            let loads = |word: &&str| {
                let bare = word.trim_start_matches('-');
                LOADS.iter().any(|option| bare.strip_prefix(option).is_some_and(is_plugin))
            };
            if words.iter().any(loads) {
                continue;
            }
            let word = |at: usize| words.get(at).copied().unwrap_or_default();
            if let Some(option) =
                word(0).strip_prefix("-mllvm=").or_else(|| Some(word(1)).filter(|_| word(0) == "-mllvm"))
                && let Some(option) = option_in(option)
            {
                plugin.take(option)?;
                continue;
            }
            let next = rest.peek().and_then(|next| next.to_str()).unwrap_or_default().to_owned();
            match text {
                "-mllvm" if option_in(&next).is_some() => {
                    plugin.take(option_in(&next).unwrap_or_default())?;
                    rest.next();
                }
                // `-Xclang -load -Xclang PATH`
                "-Xclang" if is_plugin(next.rsplit('=').next().unwrap_or_default()) => {
                    rest.next();
                    if out.ends_with(&["-Xclang".into(), "-load".into()]) {
                        out.truncate(out.len() - 2);
                    }
                }
                "-Xclang" if option_in(&next).is_some() && out.ends_with(&["-Xclang".into(), "-mllvm".into()]) => {
                    plugin.take(option_in(&next).unwrap_or_default())?;
                    rest.next();
                    out.truncate(out.len() - 2);
                }
                _ => out.push(argument),
            }
        }
        Ok((plugin, out))
    }

    /// The arguments of LLVM's `opt` as those of `adj opt`: passes on both sides of `enzyme` stand before and after.
    pub fn of_opt(arguments: Vec<OsString>) -> Result<(Plugin, Vec<OsString>), Error> {
        let mut plugin = Plugin::default();
        let mut out: Vec<OsString> = Vec::new();
        let mut rest = arguments.into_iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_str().unwrap_or_default();
            let name = text.strip_prefix("--").or_else(|| text.strip_prefix('-')).unwrap_or_default();
            let (name, value) =
                name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value.to_owned())));
            match name {
                "load" | "load-pass-plugin" => {
                    let path = value.or_else(|| rest.next()?.into_string().ok()).unwrap_or_default();
                    if !is_plugin(&path) {
                        return Err(Error::Usage(format!("`{text}`: no plugin but Enzyme's can be stood in for")));
                    }
                }
                "passes" => {
                    let passes = value.or_else(|| rest.next()?.into_string().ok()).unwrap_or_default();
                    let (before, after) = around(&passes)
                        .ok_or_else(|| Error::Usage(format!("`{passes}`: `enzyme` is not among the passes")))?;
                    let sides =
                        [("--before", before), ("--after", after)].into_iter().filter(|(_, passes)| !passes.is_empty());
                    out.extend(sides.flat_map(|(side, passes)| [side.into(), passes.into()]));
                }
                "enzyme" => {}
                "S" if out.iter().any(|given| given == "-S") => {}
                _ => match option_in(text) {
                    Some(option) => plugin.take(option)?,
                    None => out.push(argument),
                },
            }
        }
        Ok((plugin, out))
    }

    /// An option, such as `preopt=0`.
    fn take(&mut self, option: &str) -> Result<(), Error> {
        let (name, value) = option.split_once('=').unwrap_or((option, "1"));
        let on = !["0", "false"].contains(&value);
        match OPTIONS.iter().find(|(known, _)| *known == name).map(|(_, effect)| *effect) {
            Some(Effect::StrongZero) => self.everywhere.strong_zero = on,
            Some(Effect::RuntimeActivity) => self.everywhere.runtime_activity = on,
            Some(Effect::Tunes) => self.noted.push(format!("-enzyme-{option}")),
            // What is so anyhow.
            Some(Effect::Changes) if on == (name == "enable") => {}
            Some(Effect::Changes) => {
                return Err(Error::Usage(format!(
                    "`-enzyme-{option}` would change derivatives: say in the program what is inactive (`enzyme_const`, \
                     `__enzyme_inactivefn`, `__enzyme_inactive_global`)"
                )));
            }
            None => {
                return Err(Error::Usage(format!(
                    "`-enzyme-{option}` is not known here, and may change derivatives: leave it out"
                )));
            }
        }
        Ok(())
    }

    /// What is said of options without meaning.
    pub fn note(&self) -> Option<String> {
        (!self.noted.is_empty()).then(|| format!("adj: note: {} changes nothing here\n", self.noted.join(", ")))
    }
}

/// The option of the plugin in an argument.
fn option_in(argument: &str) -> Option<&str> {
    argument.strip_prefix("--enzyme-").or_else(|| argument.strip_prefix("-enzyme-"))
}

/// Is it the plugin's library (`ClangEnzyme-19.so`, `LLVMEnzyme-19.so`, `LLDEnzyme-19.so`)?
fn is_plugin(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.contains("Enzyme") && [".so", ".dylib", ".dll"].iter().any(|end| name.contains(end))
}

/// The passes before and after `enzyme`, at the top level of a pipeline.
fn around(passes: &str) -> Option<(String, String)> {
    let (mut depth, mut start, mut parts) = (0_usize, 0, Vec::new());
    for (at, c) in passes.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            ')' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&passes[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&passes[start..]);
    let at = parts.iter().position(|part| *part == "enzyme" || part.starts_with("enzyme<"))?;
    Some((parts[..at].join(","), parts[at + 1..].join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn clang(line: &str) -> (Plugin, String) {
        let (plugin, rest) = Plugin::of_clang(words(line)).unwrap();
        (plugin, rest.join(" ".as_ref()).into_string().unwrap())
    }

    #[test]
    fn what_loads_the_plugin_is_taken_out() {
        for load in [
            "-fplugin=/opt/ClangEnzyme-19.so",
            "-fpass-plugin=LLVMEnzyme-19.so",
            "-Xclang -load -Xclang ./ClangEnzyme-19.so",
            "-Xclang -fpass-plugin=/x/LLVMEnzyme-19.so",
            "-Wl,-mllvm=-load=/x/LLDEnzyme-19.so",
            "-Wl,-mllvm,-load=/x/LLDEnzyme-19.so",
            "-Wl,--load-pass-plugin=/x/LLDEnzyme-19.so",
        ] {
            assert_eq!(clang(&format!("-O2 {load} a.c")), (Plugin::default(), "-O2 a.c".to_owned()), "{load}");
        }
        // Others are clang's business.
        let other = "-fplugin=/opt/other.so -Xclang -load -Xclang other.so -mllvm -inline-threshold=3 -Wl,-z,now";
        assert_eq!(clang(other), (Plugin::default(), other.to_owned()));
    }

    #[test]
    fn options_ask_or_are_noted_or_refused() {
        let (plugin, rest) = clang("-mllvm -enzyme-strong-zero=1 a.c -Xclang -mllvm -Xclang -enzyme-runtime-activity");
        assert!(plugin.everywhere.strong_zero && plugin.everywhere.runtime_activity && plugin.note().is_none());
        assert_eq!(rest, "a.c");
        let (plugin, rest) = clang("-mllvm -enzyme-preopt=0 -mllvm=-enzyme-print a.c -Wl,-mllvm=-enzyme-inline=1");
        assert_eq!(plugin.everywhere, ad::Everywhere::default());
        assert!(plugin.note().unwrap().contains("-enzyme-preopt=0, -enzyme-print, -enzyme-inline=1"));
        assert_eq!(rest, "a.c");
        // What is so anyhow.
        assert!(clang("-mllvm -enzyme-globals-default-inactive=0 -mllvm -enzyme-enable=1").0.note().is_none());
        for refused in ["globals-default-inactive=1", "enable=0", "truncate-all", "no-such-thing"] {
            let error = Plugin::of_clang(words(&format!("-mllvm -enzyme-{refused} a.c"))).unwrap_err();
            assert!(error.to_string().contains(&format!("-enzyme-{refused}")), "{error}");
        }
    }

    #[test]
    fn passes_stand_before_and_after() {
        let opt = |line: &str| {
            let rest = Plugin::of_opt(words(line)).unwrap().1;
            rest.join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(
            opt("in.ll -load-pass-plugin=./LLVMEnzyme-19.so -passes=enzyme -o out.ll -S -S"),
            "in.ll -o out.ll -S"
        );
        assert_eq!(opt("-load /x/LLVMEnzyme-19.so -enzyme in.bc"), "in.bc");
        let passes = "--passes=function(mem2reg,sroa),enzyme,function(instsimplify,simplifycfg),globaldce in.ll";
        let sides = "--before function(mem2reg,sroa) --after function(instsimplify,simplifycfg),globaldce in.ll";
        assert_eq!(opt(passes), sides);
        assert!(Plugin::of_opt(words("-passes=mem2reg in.ll")).is_err());
        assert!(Plugin::of_opt(words("-load ./other.so in.ll")).is_err());
    }
}
