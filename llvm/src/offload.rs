//! Programs for a host and a device: CUDA and HIP sources are compiled twice, and the two modules become one.
//!
//! What the device defines gets another name, beginning with [`DEVICE`], since host and device may define functions and
//! variables of the same name. `llvm-link` does the rest; the result has the host's layout, with which those of NVPTX
//! and AMDGPU agree for all types that are kept in memory but pointers to shared and local memory, which are wider
//! here.

use std::collections::HashSet;
use std::time::Duration;

use crate::error::Error;
use crate::several;
use crate::source::Language;

/// What the names of a device begin with.
pub const DEVICE: &str = "device.";

/// The options with which the host's part of a source is compiled.
pub(crate) fn host_flags(language: Language) -> &'static [&'static str] {
    match language {
        Language::Cuda => &["--cuda-host-only", "-nogpuinc", "-nogpulib", "-Xclang", "-target-sdk-version=12.0"],
        Language::Hip => &["--cuda-host-only", "-nogpuinc", "-nogpulib"],
        Language::C | Language::Cxx | Language::Fortran | Language::Ir => &[],
    }
}

/// Those for the device's part.
pub(crate) fn device_flags(language: Language) -> &'static [&'static str] {
    match language {
        Language::Cuda => &[
            "--cuda-device-only",
            "-nogpuinc",
            "-nogpulib",
            "-Xclang",
            "-target-sdk-version=12.0",
            "--offload-arch=sm_80",
            "-Xclang",
            "-target-feature",
            "-Xclang",
            "+ptx80",
        ],
        Language::Hip => &["--cuda-device-only", "-nogpuinc", "-nogpulib", "--offload-arch=gfx90a"],
        Language::C | Language::Cxx | Language::Fortran | Language::Ir => &[],
    }
}

/// Links the device's module into the host's.
pub(crate) fn link(file: &str, host: &str, device: &str, timeout: Duration) -> Result<String, Error> {
    let parts = vec![("host".to_owned(), host.to_owned()), ("device".to_owned(), renamed(device))];
    several::link(file, parts, timeout)
}

/// The text of a device's module in which all that it defines is called differently.
fn renamed(text: &str) -> String {
    let mut names = HashSet::new();
    for line in text.lines() {
        let defined = if let Some(rest) = line.strip_prefix("define ") {
            rest.find('@').and_then(|at| symbol(&rest[at + 1..]))
        } else if let Some((rest, sigil)) =
            line.strip_prefix('@').map(|r| (r, '@')).or(line.strip_prefix('$').map(|r| (r, '$')))
        {
            let name = symbol(rest);
            let after = name.map_or("", |name| &rest[name.len()..]);
            name.filter(|_| sigil == '$' || !after.starts_with(" = external"))
        } else {
            None
        };
        names.extend(defined.filter(|name| !name.trim_matches('"').starts_with("llvm.")));
    }
    let mut out = String::with_capacity(text.len());
    // Lists of what an optimiser must keep have done their work; they lie in spaces that the linker does not join.
    let kept = |line: &&str| !line.starts_with("@llvm.compiler.used =") && !line.starts_with("@llvm.used =");
    for line in text.lines().filter(kept) {
        rename_line(line, &names, &mut out);
        out.push('\n');
    }
    out
}

/// The name at the start of a text, with its quotes if it has them.
fn symbol(text: &str) -> Option<&str> {
    let end = match text.strip_prefix('"') {
        Some(quoted) => quoted.find('"')? + 2,
        None => text.find(|c: char| !is_of_name(c)).unwrap_or(text.len()),
    };
    (end > 0).then(|| &text[..end])
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-$._".contains(c)
}

fn rename_line(line: &str, names: &HashSet<&str>, out: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c == '"' || c == '@' || is_of_name(c)) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let sigil = rest.starts_with('@') || rest.starts_with('$');
        let word = if sigil { symbol(&rest[1..]) } else { symbol(rest) };
        let Some(word) = word else {
            // A sign alone.
            let next = rest.chars().next().map_or(1, char::len_utf8);
            out.push_str(&rest[..next]);
            rest = &rest[next..];
            continue;
        };
        if sigil && names.contains(word) {
            out.push_str(&format!("{}\"{DEVICE}{}\"", &rest[..1], word.trim_matches('"')));
        } else {
            out.push_str(&rest[..word.len() + usize::from(sigil)]);
        }
        rest = &rest[word.len() + usize::from(sigil)..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::renamed;

    #[test]
    fn what_is_defined_is_renamed_and_nothing_else() {
        let text = "$f = comdat any\n@g = internal addrspace(3) global i32 undef\n\
            @e = external addrspace(1) global i32\n\
            @s = private constant [3 x i8] c\"@g\\00\"\n@llvm.used = appending global [1 x ptr] [ptr @g]\n\
            define void @f(ptr %a$g) comdat($f) {\n  call void @h(ptr @g, ptr @s, ptr @e)\n}\ndeclare void @h(ptr)\n\
            !1 = !{ptr @f, !\"@f\"}\n";
        let expected = "$\"device.f\" = comdat any\n@\"device.g\" = internal addrspace(3) global i32 undef\n\
            @e = external addrspace(1) global i32\n\
            @\"device.s\" = private constant [3 x i8] c\"@g\\00\"\n\
            define void @\"device.f\"(ptr %a$g) comdat($\"device.f\") {\n  \
            call void @h(ptr @\"device.g\", ptr @\"device.s\", ptr @e)\n}\ndeclare void @h(ptr)\n\
            !1 = !{ptr @\"device.f\", !\"@f\"}\n";
        assert_eq!(renamed(text), expected);
    }
}
