//! Tools with a number type of their own, which records a tape of every operation (operator overloading): what a user
//! of C++ would take who has no differentiating compiler. The programs of `programs/overloaded` are the same formulas
//! as templates; both tools compile the same source, and each gradient records its tape anew, as programs must whose
//! branches may go another way.

use crate::build::{LEVEL, run};
use crate::programs::Program;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tool {
    /// ADOL-C (Griewank, Juedes, Utke 1996).
    AdolC,
    /// Sacado of Trilinos, reverse mode (Bartlett, Gay, Phipps 2006).
    Sacado,
}

impl Tool {
    /// Every tool.
    pub const ALL: [Tool; 2] = [Tool::AdolC, Tool::Sacado];

    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Tool::AdolC => "adol-c",
            Tool::Sacado => "sacado",
        }
    }

    /// The tools of a list of names; `none` is no tool.
    pub fn parse(names: &[String]) -> Result<Vec<Tool>, String> {
        let named = |name: &&String| name.as_str() != "none";
        let tool = |name: &String| {
            let known = Tool::ALL.iter().find(|t| t.name() == name).copied();
            known.ok_or_else(|| format!("no tool `{name}`; there are adol-c, sacado, none"))
        };
        names.iter().filter(named).map(tool).collect()
    }

    /// Packages of Debian that bring it.
    pub fn packages(self) -> &'static str {
        match self {
            Tool::AdolC => "libadolc-dev",
            Tool::Sacado => "libtrilinos-sacado-dev libtrilinos-kokkos-dev",
        }
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Tool::AdolC => &["-DTOOL_ADOLC"],
            Tool::Sacado => &["-DTOOL_SACADO", "-isystem", "/usr/include/trilinos"],
        }
    }

    fn libraries(self) -> &'static [&'static str] {
        match self {
            Tool::AdolC => &["-ladolc"],
            Tool::Sacado => &[],
        }
    }

    /// Why this machine cannot use it.
    pub fn missing(self, folder: &Path) -> Option<String> {
        let mut command = compiler("clang++").ok()?;
        // What includes it compiles, and what it needs links.
        let probe = folder.join(format!("probe-{}.cpp", self.name()));
        let written = std::fs::write(&probe, "#include \"overloaded/tool.hpp\"\nint main() { Recording r; }\n");
        command.args(self.flags()).arg("-o").arg(folder.join("probe")).arg(&probe).args(self.libraries());
        let tried = written.map_err(|error| error.to_string()).and_then(|()| run(&mut command));
        // The line that tells of the error, not those that tell where it was included from.
        tried.err().map(|said| {
            let error = said.lines().find(|line| line.contains("error")).or(said.lines().next()).unwrap_or_default();
            format!("it cannot be used here (Debian: {}): {}", self.packages(), error.trim())
        })
    }
}

fn compiler(name: &str) -> Result<Command, String> {
    let clang = llvm::find::toolchain().map_err(|error| error.to_string())?.clang;
    let mut command = Command::new(clang);
    // One driver under two names; the language and the library are asked for.
    if name == "clang++" {
        command.arg("--driver-mode=g++");
    }
    Ok(command)
}

/// Builds a program whose gradient is the tool's: the path of the executable.
pub fn build(folder: &Path, program: &Program, tool: Tool) -> Result<PathBuf, String> {
    let (stem, _) = program.file.split_once('.').unwrap_or((program.file, ""));
    let object = folder.join(format!("{}-overloaded.o", program.name));
    let executable = folder.join(format!("{}-{}", program.name, tool.name()));
    let mut frame = compiler(if program.is_cxx() { "clang++" } else { "clang" })?;
    frame.args([LEVEL, "-DBENCH_OVERLOADED", "-c", "-o"]).arg(&object).arg(folder.join(program.file));
    run(&mut frame)?;
    let mut whole = compiler("clang++")?;
    whole.args([LEVEL, "-DNDEBUG"]).args(tool.flags()).arg(folder.join("overloaded").join(format!("{stem}.cpp")));
    run(whole.args([&object, &folder.join("meter.o")]).args(tool.libraries()).args(["-lm", "-o"]).arg(&executable))?;
    Ok(executable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::{self, PROGRAMS};

    #[test]
    fn tools_are_known_by_their_names() {
        let names = |text: &[&str]| text.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
        assert_eq!(Tool::parse(&names(&["sacado", "adol-c"])), Ok(vec![Tool::Sacado, Tool::AdolC]));
        assert_eq!(Tool::parse(&names(&["none"])), Ok(Vec::new()));
        assert!(Tool::parse(&names(&["adolc"])).unwrap_err().contains("no tool `adolc`"));
    }

    #[test]
    fn a_machine_without_the_tool_is_told_what_to_install() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("overloaded")).unwrap();
        std::fs::write(folder.path().join("overloaded/tool.hpp"), "#include <no/such/tool.h>\n").unwrap();
        let why = Tool::AdolC.missing(folder.path()).unwrap();
        assert!(why.contains("libadolc-dev") && why.contains("no/such/tool.h"), "{why}");
    }

    #[test]
    fn every_program_has_its_formulas_for_the_tools() {
        let folder = tempfile::tempdir().unwrap();
        programs::unpack(folder.path()).unwrap();
        for program in &PROGRAMS {
            let path = folder.path().join("overloaded").join(format!("{}.cpp", program.name));
            assert!(std::fs::read_to_string(path).unwrap().contains("overloaded_gradient"), "{}", program.name);
        }
    }
}
