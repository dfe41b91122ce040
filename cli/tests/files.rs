//! Files of the host: what a permitted program does with them is what the C standard says, and what it may not touch
//! stays as it was.
//!
//! What is expected is written here by hand from C17 7.21. Where a test can, the program is also compiled and run
//! natively, in a folder of its own, and must leave the same bytes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A folder for one test: the program in `program`, and what it may touch in `work`.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(body: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(place.folder.path().join("work")).unwrap();
        let source = format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\n#include <stdarg.h>\n\
             {body}"
        );
        std::fs::write(place.program(), source).unwrap();
        place
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("program.c")
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn run(&self, options: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_adj"));
        command.args(["run", "--level", "O1"]).args(options).arg(self.program());
        command.current_dir(self.work()).stdin(Stdio::null()).output().unwrap()
    }

    /// Runs it natively in another folder, which it returns.
    fn native(&self) -> (PathBuf, Output) {
        let (work, binary) = (self.folder.path().join("native"), self.folder.path().join("binary"));
        std::fs::create_dir(&work).unwrap();
        let input = llvm::Input::File(self.program());
        let module = llvm::compile(&input, &llvm::CompileOptions::at(llvm::Level::O1)).unwrap();
        llvm::native::build_executable(module.text.as_bytes(), &binary, &llvm::native::LinkOptions::default()).unwrap();
        let output = Command::new(binary).current_dir(&work).stdin(Stdio::null()).output().unwrap();
        (work, output)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The files of a folder by name, with their bytes.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[track_caller]
fn stopped(output: &Output, code: i32, phrases: &[&str]) {
    let all = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{}{all}", text(&output.stdout));
    for phrase in phrases {
        assert!(all.contains(phrase), "no `{phrase}` in:\n{all}");
    }
}

/// A permitted program prints this, leaves these files, and does the same natively.
#[track_caller]
fn does(body: &str, printed: &str, files: &[(&str, &[u8])]) {
    let place = Place::new(body);
    let output = place.run(&["--allow-files"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(text(&output.stdout), printed);
    let wanted: Vec<(String, Vec<u8>)> =
        files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    assert_eq!(contents(&place.work()), wanted);
    let (work, native) = place.native();
    assert_eq!(text(&native.stdout), printed, "natively");
    assert_eq!(contents(&work), wanted, "natively");
}

#[test]
fn what_is_written_is_read_back() {
    does(
        r#"
static int say(FILE *f, const char *format, ...) {
  va_list list; va_start(list, format); int n = vfprintf(f, format, list); va_end(list); return n;
}
static int hear(FILE *f, const char *format, ...) {
  va_list list; va_start(list, format); int n = vfscanf(f, format, list); va_end(list); return n;
}
int main(void) {
  FILE *f = fopen("data.txt", "w");
  fprintf(f, "%d %.3f\n", 42, 2.5);
  fputs("second line\n", f); fputc('x', f); putc('\n', f);
  say(f, "%s %d\n", "word", 7);
  printf("%d\n", fclose(f));
  f = fopen("data.txt", "r");
  int n; double d; char line[40], word[10];
  printf("%d %d %g\n", fscanf(f, "%d %lf\n", &n, &d), n, d);
  printf("%s", fgets(line, sizeof line, f));
  int c = fgetc(f);
  printf("%c %d\n", c, getc(f));
  ungetc('s', f);
  printf("%d %s %d\n", hear(f, "%9s %d", word, &n), word, n);
  printf("%d %d %d\n", fgetc(f), fgetc(f), feof(f) != 0);
  clearerr(f);
  printf("%d\n", feof(f));
  fclose(f);
  double out[3] = {1.5, -0.0, 1e300}, in[4] = {9, 9, 9, 9};
  f = fopen("data.bin", "wb");
  printf("%zu\n", fwrite(out, sizeof *out, 3, f));
  fclose(f);
  f = fopen("data.bin", "rb");
  printf("%zu %d ", fread(in, sizeof *in, 3, f), feof(f));
  printf("%zu %d\n", fread(in + 3, sizeof *in, 1, f), feof(f) != 0);
  printf("%d %g\n", memcmp(in, out, sizeof out), in[3]);
  fclose(f);
  return 0;
}"#,
        "0\n2 42 2.5\nsecond line\nx 10\n2 sword 7\n10 -1 1\n0\n3\n3 0 0 1\n0 9\n",
        &[
            ("data.bin", &[1.5f64, -0.0, 1e300].map(f64::to_le_bytes).concat()),
            ("data.txt", b"42 2.500\nsecond line\nx\nword 7\n"),
        ],
    );
}

#[test]
fn each_mode_does_what_it_says() {
    does(
        r#"
static void all(const char *name) {
  FILE *f = fopen(name, "r"); int c;
  while ((c = fgetc(f)) != EOF) putchar(c);
  putchar('\n'); fclose(f);
}
int main(void) {
  FILE *f = fopen("f", "w"); fputs("0123456789", f); fclose(f);
  f = fopen("f", "r+"); fputs("ab", f); fclose(f); all("f");
  f = fopen("f", "a"); fputs("cd", f); fseek(f, 0, SEEK_SET); fputs("ef", f); printf("%ld\n", ftell(f)); fclose(f); all("f");
  f = fopen("f", "a+"); rewind(f); printf("%c", fgetc(f)); fseek(f, 0, SEEK_CUR); fputs("!", f); fclose(f); all("f");
  f = fopen("f", "wx"); printf("%d %d\n", f == NULL, errno == EEXIST);
  f = fopen("g", "wx"); fputs("g", f); fclose(f);
  f = fopen("f", "w+"); fputs("new", f); rewind(f); printf("%c%c\n", fgetc(f), fgetc(f) == 'e' ? 'E' : '?'); fclose(f);
  f = fopen("f", "r"); printf("%d ", fputc('z', f)); printf("%d %d\n", ferror(f) != 0, errno == EBADF);
  clearerr(f); printf("%d\n", ferror(f)); fclose(f);
  f = fopen("f", "w"); printf("%d %d\n", fgetc(f), ferror(f) != 0); fclose(f);
  errno = 0; f = fopen("absent", "r"); printf("%d %d\n", f == NULL, errno == ENOENT);
  errno = 0; f = fopen("absent/inner", "w"); printf("%d %d\n", f == NULL, errno == ENOENT);
  errno = 0; f = fopen("g/inner", "r"); printf("%d %d\n", f == NULL, errno == ENOTDIR);
  perror("g/inner");
  return 0;
}"#,
        "ab23456789\n14\nab23456789cdef\naab23456789cdef!\n1 1\nnE\n-1 1 1\n0\n-1 1\n1 1\n1 1\n1 1\n",
        &[("f", b""), ("g", b"g")],
    );
}

#[test]
fn positions_are_bytes() {
    does(
        r#"
int main(void) {
  FILE *f = fopen("f", "w+");
  fputs("0123456789", f);
  printf("%ld ", ftell(f));
  fseek(f, -3, SEEK_END); printf("%c %ld ", fgetc(f), ftell(f));
  fseek(f, 1, SEEK_CUR); printf("%c\n", fgetc(f));
  errno = 0; printf("%d %d %ld\n", fseek(f, -1, SEEK_SET), errno == EINVAL, ftell(f));
  fpos_t p; fseek(f, 2, SEEK_SET); fgetpos(f, &p);
  fseek(f, 0, SEEK_END); printf("%d %d ", fgetc(f), feof(f) != 0);
  fsetpos(f, &p); printf("%d %c\n", feof(f), fgetc(f));
  ungetc('u', f); printf("%ld %c %ld\n", ftell(f), fgetc(f), ftell(f));
  ungetc('u', f); fseek(f, 0, SEEK_CUR); printf("%c\n", fgetc(f));
  fseek(f, 12, SEEK_SET); fputc('z', f); fflush(f);
  fseek(f, 9, SEEK_SET); printf("%d %d %d %d %c\n", fgetc(f), fgetc(f), fgetc(f), fgetc(f) != EOF, 'e');
  while (fgetc(f) != EOF) {}
  fputc('+', f); fclose(f);
  char *line = NULL; size_t room = 0; long n;
  f = fopen("f", "r"); n = getline(&line, &room, f); printf("%ld %d %ld\n", n, line[13], getline(&line, &room, f));
  free(line); fclose(f);
  return 0;
}"#,
        "10 7 8 9\n-1 1 10\n-1 1 0 2\n2 u 3\n2\n57 0 0 1 e\n14 43 -1\n",
        &[("f", b"0123456789\0\0z+")],
    );
}

#[test]
fn files_are_named_and_removed() {
    does(
        r#"
int main(void) {
  FILE *f = fopen("a", "w"); fputs("A", f); fclose(f);
  printf("%d ", rename("a", "b"));
  printf("%d %d ", rename("a", "c"), errno == ENOENT);
  f = fopen("c", "w"); fclose(f);
  printf("%d ", remove("c"));
  errno = 0; printf("%d %d\n", remove("c"), errno == ENOENT);
  f = tmpfile(); fputs("kept nowhere", f); rewind(f);
  char text[20]; printf("%s\n", fgets(text, sizeof text, f)); fclose(f);
  char *grown; size_t size; f = open_memstream(&grown, &size);
  for (int i = 0; i < 100; i++) fprintf(f, "%d,", i);
  fflush(f); printf("%zu ", size); fputs("end", f); fclose(f); printf("%zu %s\n", size, grown + size - 6); free(grown);
  fprintf(stdout, "to the terminal\n"); fflush(stdout);
  if (!freopen("out", "w", stdout)) return 1;
  printf("to the file\n"); puts("too");
  if (!freopen("b", "r", stdin)) return 2;
  int c = getchar(); char more; int got = scanf("%c", &more);
  printf("%c %d\n", c, got);
  return 0;
}"#,
        "0 -1 1 0 -1 1\nkept nowhere\n290 293 99,end\nto the terminal\n",
        &[("b", b"A"), ("out", b"to the file\ntoo\nA -1\n")],
    );
}

#[test]
fn misuse_is_undefined_behaviour() {
    let cases = [
        ("FILE *f = fopen(\"f\", \"w\"); fclose(f); fputs(\"x\", f);", "use of a FILE that is closed"),
        ("FILE *f = fopen(\"f\", \"w\"); fclose(f); fclose(f);", "use of a FILE that is closed"),
        ("FILE *f = fopen(\"f\", \"w+\"); fputs(\"x\", f); fgetc(f);", "input from a file directly behind output"),
        (
            "FILE *f = fopen(\"f\", \"w+\"); fputs(\"xy\", f); rewind(f); fgetc(f); fputs(\"z\", f);",
            "output to a file directly behind input",
        ),
        ("FILE *f = fopen(\"f\", \"w+\"); fputs(\"xy\", f); rewind(f); fgetc(f); fflush(f);", "C17 7.21.5.2p2"),
        ("FILE *f = fopen(\"absent\", \"r\"); fgetc(f);", "a null pointer is given as a FILE"),
        ("fopen(\"f\", \"rw\");", "the mode \"rw\", which is none"),
        ("FILE *f = fopen(\"f\", \"w\"); char c[4]; fwrite(c, 1, 4, f);", "uninitialised"),
        (
            "FILE *f = fopen(\"f\", \"w+\"); fputs(\"123456789\", f); rewind(f); char *c = malloc(4); fread(c, 1, 9, \
             f);",
            "program.c",
        ),
        ("int n = 0; fputs(\"x\", (FILE *)&n);", "given as a FILE is none"),
    ];
    for (body, phrase) in cases {
        let place = Place::new(&format!("int main(void) {{ {body} return 0; }}"));
        let output = Command::new(env!("CARGO_BIN_EXE_adj"))
            .args(["run", "--allow-files", "--level", "O0"])
            .arg(place.program())
            .current_dir(place.work())
            .output()
            .unwrap();
        stopped(&output, 1, &[phrase, "program.c:6"]);
    }
}

/// A file may have holes, so that it is longer than any memory: a line of it is out of resources, not the end of the
/// interpreter.
#[test]
fn an_endless_line_is_out_of_resources() {
    let place = Place::new(
        "int main(void) { FILE *f = fopen(\"f\", \"w+\"); fseek(f, 1L << 34, SEEK_SET); fputc('x', f); rewind(f);\n\
         char *line = NULL; size_t room = 0; return getline(&line, &room, f) != 0; }",
    );
    stopped(&place.run(&["--allow-files"]), 3, &["a line, word or number of more than", "program.c:7"]);
}

/// The number of a stream and the stream lead to one place.
#[test]
fn a_reopened_stream_keeps_its_number() {
    does(
        "#include <unistd.h>\n\
         int main(void) { if (!freopen(\"f\", \"w\", stdout)) return 1; dprintf(1, \"%d\", 12); return write(1, \
         \"3\", 1) != 1; }",
        "",
        &[("f", b"123")],
    );
}

const TOUCHES: [&str; 6] = [
    "fopen(\"kept\", \"w\")",
    "fopen(\"kept\", \"r\")",
    "fopen(\"made\", \"a\")",
    "remove(\"kept\")",
    "rename(\"kept\", \"made\")",
    "freopen(\"kept\", \"w\", stdout)",
];

#[test]
fn without_permission_nothing_is_touched() {
    for touch in TOUCHES {
        let place = Place::new(&format!("int main(void) {{ printf(\"%d\", !{touch}); return 0; }}"));
        std::fs::write(place.work().join("kept"), "as it was").unwrap();
        let name = if touch.contains("made\", \"a") { "\"made\"" } else { "\"kept\"" };
        stopped(&place.run(&[]), 3, &[name, "--allow-files", "program.c:6"]);
        assert_eq!(contents(&place.work()), [("kept".to_owned(), b"as it was".to_vec())], "{touch}");
        // The same call is carried out where it is permitted.
        assert_eq!(place.run(&["--allow-files"]).status.code(), Some(0), "{touch}");
    }
}

#[test]
fn what_leads_outside_is_refused() {
    let place = Place::new("");
    let outside = place.folder.path().join("outside");
    std::fs::write(&outside, "as it was").unwrap();
    std::os::unix::fs::symlink(&outside, place.work().join("link")).unwrap();
    std::os::unix::fs::symlink(place.folder.path(), place.work().join("up")).unwrap();
    std::os::unix::fs::symlink(place.folder.path().join("new"), place.work().join("dangling")).unwrap();
    std::fs::create_dir(place.work().join("inner")).unwrap();
    let absolute = outside.display().to_string();
    let names = [
        "../outside",
        "inner/../../outside",
        &absolute,
        "link",
        "up/outside",
        "dangling",
        "../new",
        "up/new",
        "/etc/no-such",
    ];
    for name in names {
        for call in [format!("fopen(\"{name}\", \"r\")"), format!("fopen(\"{name}\", \"w\")")] {
            let program = format!("#include <stdio.h>\nint main(void) {{ return {call} != NULL; }}");
            std::fs::write(place.program(), program).unwrap();
            stopped(&place.run(&["--allow-files"]), 3, &[&format!("\"{name}\""), "outside of", "program.c:2"]);
        }
    }
    for call in [
        "remove(\"../outside\")",
        "rename(\"../outside\", \"mine\")",
        "rename(\"link\", \"../new\")",
        "remove(\"up/outside\")",
    ] {
        let program = format!("#include <stdio.h>\nint main(void) {{ return {call}; }}");
        std::fs::write(place.program(), program).unwrap();
        stopped(&place.run(&["--allow-files"]), 3, &["outside of"]);
    }
    assert_eq!(std::fs::read(&outside).unwrap(), b"as it was");
    assert!(!place.folder.path().join("new").exists());
    // A link is removed itself, wherever it leads.
    std::fs::write(place.program(), "#include <stdio.h>\nint main(void) { return remove(\"link\"); }").unwrap();
    assert_eq!(place.run(&["--allow-files"]).status.code(), Some(0));
    assert!(outside.exists() && !place.work().join("link").is_symlink());
    // Another folder is permitted in the place of the current one.
    let program = format!(
        "#include <stdio.h>\n\
         int main(void) {{ FILE *f = fopen(\"{absolute}\", \"r\"); putchar(fgetc(f)); return fopen(\"../new\", \"r\") \
         != NULL; }}"
    );
    std::fs::write(place.program(), program).unwrap();
    let output = place.run(&[&format!("--allow-files={}", place.folder.path().display())]);
    assert_eq!((text(&output.stdout), output.status.code()), ("a".to_owned(), Some(0)), "{}", text(&output.stderr));
    assert_eq!(place.run(&["--allow-files=no-such-folder"]).status.code(), Some(2));
}

/// Judging executes a differentiated call many times: its files are not the program's.
#[test]
fn a_check_leaves_files_alone_in_differentiated_calls() {
    let program = |inside: &str| {
        format!(
            r#"
#include "adj.h"
static double f(const double *x) {{ {inside} return *x * *x; }}
static double tangent(const double *x, const double *dx) {{ return 2 * *x * *dx; }}
int main(void) {{
  double x, dx = 1;
  FILE *in = fopen("x", "r");
  if (!in || fscanf(in, "%lf", &x) != 1) return 1;
  fclose(in);
  __adj_check_tangent((void *)f, (void *)tangent, enzyme_dup, &x, &dx);
  FILE *out = fopen("log", "a");
  fprintf(out, "%g\n", x);
  return fclose(out);
}}"#
        )
    };
    let check = |place: &Place, options: &[&str]| {
        std::fs::write(place.work().join("x"), "3").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_adj"));
        command.args(["check", "--levels", "O0,O2"]).args(options).arg(place.program()).current_dir(place.work());
        command.output().unwrap()
    };
    let place = Place::new(&program(""));
    let output = check(&place, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("--allow-files"), "{}", text(&output.stdout));
    assert_eq!(contents(&place.work()), [("x".to_owned(), b"3".to_vec())]);
    let output = check(&place, &["--allow-files"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("correct"), "{}", text(&output.stdout));
    // Once for each level, however often the call itself was executed.
    assert_eq!(std::fs::read(place.work().join("log")).unwrap(), b"3\n3\n");
    let place = Place::new(&program(r#"FILE *again = fopen("inside", "a"); if (again) fclose(again);"#));
    let output = check(&place, &["--allow-files"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("in a differentiated call"), "{}", text(&output.stdout));
    assert!(!place.work().join("inside").exists());
    // What is opened in one place is not there in the other.
    let place =
        Place::new(&program("fputs(\"x\", held);").replace("static double f", "static FILE *held;\nstatic double f"));
    let source =
        std::fs::read_to_string(place.program()).unwrap().replace("double x, dx", "held = tmpfile(); double x, dx");
    std::fs::write(place.program(), source).unwrap();
    let output = check(&place, &["--allow-files"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("opened by another execution"), "{}", text(&output.stdout));
}
