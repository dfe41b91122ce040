//! A program that carries itself as IR, so that its gradients can be judged when it is run.
//!
//! What is linked gets one more object: a section that is not loaded, with the module as it was differentiated, and a
//! function that runs before `main`, before constructors of C++ (it has the first priority that programs may use), and
//! replaces the process by the command that judges, which gets the path of the program, the name that it was called by,
//! and its arguments. The process stays the same one, so that standard streams, current folder, and whoever waits for
//! the exit code are those of the program. With `ADJ_VERIFY=off` in the environment the function returns, and the
//! program is what it would be otherwise.
//!
//! The module is the text from which the gradients were made, optimised as far as the pipeline does that before. Its
//! first line, a comment, says what else differentiation needs to know.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::Driver;
use super::unit::{fresh, io, section};
use crate::error::Error;
use crate::read;

/// The section with the module.
const SECTION: &str = ".adj_module";
/// How the section begins.
const MAGIC: &str = "; adj: ";

/// What a program carries.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// The command that judges: it gets `--name`, the name that the program was called by, `--`, the program's path and
    /// its arguments.
    pub command: PathBuf,
    /// What is told of how the module is differentiated, in one line.
    pub told: String,
}

/// A module that a program carries.
#[derive(Debug)]
pub struct Carried {
    /// The module.
    pub module: ir::Module,
    /// The level at which it was compiled, as clang names it.
    pub level: String,
    /// What else was told.
    pub told: String,
}

impl Driver<'_, '_> {
    /// The object that a program carries besides; what the compiler said if it made none.
    pub(super) fn carrier(&self, carrier: &Carrier, level: &str, text: &str) -> Result<Result<PathBuf, String>, Error> {
        let module = fresh(self.folder, "ll");
        fs::write(&module, format!("{MAGIC}{level} {}\n{text}", carrier.told)).map_err(io(&module, "write"))?;
        let (source, object) = (fresh(self.folder, "c"), fresh(self.folder, "o"));
        let code = LAUNCHER.replace("MODULE", &quoted(quoted(&module))).replace("COMMAND", &quoted(&carrier.command));
        fs::write(&source, code.replace("SECTION", SECTION)).map_err(io(&source, "write"))?;
        let clang = crate::find::toolchain()?.clang;
        let mut command = std::process::Command::new(&clang);
        command.args(["-c", "-O1", "-fPIC", "-w", "-o"]).arg(&object).arg(&source);
        let output = command.output().map_err(io(&clang, "run"))?;
        Ok(if output.status.success() { Ok(object) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) })
    }
}

/// The module that a program carries, if it carries one.
pub fn carried(program: &Path) -> Result<Option<Carried>, Error> {
    let file = program.display().to_string();
    let lacking = |message: &str| Error::Invalid { file: file.clone(), message: message.to_owned() };
    let folder = super::scratch()?;
    let dumped = fresh(folder.path(), "ll");
    fs::read(program).map_err(io(program, "read"))?;
    if !section(program, SECTION, &dumped)? {
        return Ok(None);
    }
    let text = String::from_utf8(fs::read(&dumped).map_err(io(&dumped, "read"))?);
    let text = text.map_err(|_| lacking("what it carries is no text"))?;
    let told = text.lines().next().and_then(|line| line.strip_prefix(MAGIC)?.split_once(' '));
    let (level, told) = told.ok_or_else(|| lacking("what it carries does not say how it was compiled"))?;
    let text = text.split_once('\n').map_or("", |(_, text)| text);
    Ok(Some(Carried { module: read::in_ir(text, &file)?, level: level.to_owned(), told: told.to_owned() }))
}

/// A path inside of a string literal of C.
fn quoted(path: impl AsRef<Path>) -> String {
    let plain = |b: &u8| b.is_ascii_alphanumeric() || b"/._-+".contains(b);
    let byte = |b: &u8| if plain(b) { char::from(*b).to_string() } else { format!("\\{b:03o}") };
    path.as_ref().as_os_str().as_bytes().iter().map(byte).collect()
}

/// The source of the object.
const LAUNCHER: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__asm__(".pushsection SECTION,\"\",@progbits\n.incbin \"MODULE\"\n.popsection\n");
__attribute__((constructor(101))) static void adj_verify(int argc, char **argv) {
  const char *asked = getenv("ADJ_VERIFY");
  if (asked && !strcmp(asked, "off"))
    return;
  static char self[65536];
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
    self[0] = 0;
  char **line = calloc(argc + 6, sizeof *line);
  if (line && self[0]) {
    int n = 0;
    line[n++] = "adj";
    line[n++] = "judge";
    line[n++] = "--name";
    line[n++] = argc > 0 ? argv[0] : self;
    line[n++] = "--";
    line[n++] = self;
    for (int i = 1; i < argc; i++)
      line[n++] = argv[i];
    execv("COMMAND", line);
  }
  fprintf(stderr, "adj: cannot run %s to judge this program: %s (ADJ_VERIFY=off runs it as it is)\n", "COMMAND",
          strerror(errno));
  _exit(3);
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_literals() {
        assert_eq!(quoted("/tmp/a b\"c"), "/tmp/a\\040b\\042c");
        assert_eq!(quoted(quoted("a b")), "a\\134040b");
    }
}
