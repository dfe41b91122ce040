//! Streams of C++ over files: what [file.streams] says of them, as natively, with the permissions of files.
//!
//! What is expected is written here by hand from the standard; each program is also compiled and run natively in a
//! folder of its own, and must print the same and leave the same bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

struct Place {
    folder: tempfile::TempDir,
}

const HEAD: &str = r#"
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
static void say(const char *what, const std::ios &s) {
  std::cout << what << ' ' << s.good() << s.eof() << s.fail() << s.bad() << '\n';
}
"#;

impl Place {
    fn new(body: &str) -> Place {
        let place = Place { folder: tempfile::tempdir().unwrap() };
        std::fs::write(place.program(), format!("{HEAD}{body}")).unwrap();
        place
    }

    fn program(&self) -> PathBuf {
        self.folder.path().join("program.cpp")
    }

    /// A folder to run in.
    fn work(&self, name: &str) -> PathBuf {
        let work = self.folder.path().join(name);
        std::fs::create_dir_all(&work).unwrap();
        work
    }

    fn adj(&self, command: &str, options: &[&str], work: &Path) -> Output {
        let mut adj = Command::new(env!("CARGO_BIN_EXE_adj"));
        adj.arg(command).args(options).arg(self.program()).current_dir(work).stdin(Stdio::null());
        adj.output().unwrap()
    }

    fn native(&self, work: &Path) -> Output {
        let binary = self.folder.path().join("binary");
        let clang = llvm::find::toolchain().unwrap().clang.with_file_name("clang++");
        let built = Command::new(clang).args(["-O1", "-o"]).arg(&binary).arg(self.program()).status().unwrap();
        assert!(built.success());
        Command::new(binary).current_dir(work).stdin(Stdio::null()).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

#[track_caller]
fn does(body: &str, printed: &str, files: &[(&str, &[u8])]) {
    let place = Place::new(body);
    let wanted: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
    for level in ["O0", "O2"] {
        let work = place.work(level);
        let output = place.adj("run", &["--allow-files", "--level", level], &work);
        assert_eq!(text(&output.stdout), printed, "{level}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{level}: {}", text(&output.stderr));
        assert_eq!(contents(&work), wanted, "{level}");
    }
    let work = place.work("native");
    let native = place.native(&work);
    assert_eq!(text(&native.stdout), printed, "natively");
    assert_eq!(contents(&work), wanted, "natively");
}

#[test]
fn what_is_written_is_read_back() {
    does(
        r#"
int main() {
  {
    std::ofstream out("data.txt");
    out << std::setprecision(10) << 1.5 << ' ' << 2 << "\nhello there" << std::endl;
    say("out", out);
  }
  std::ifstream in("data.txt");
  double d; int n; std::string line, word;
  in >> d >> n;
  std::getline(in, line);
  std::getline(in, line);
  std::cout << d << ' ' << n << ' ' << line << '\n';
  say("in", in);
  in.seekg(0);
  while (in >> word) std::cout << word << ',';
  std::cout << '\n';
  say("ended", in);
  in.close();
  double m[3] = {1, -0.5, 1e300}, k[3];
  { std::ofstream out("data.bin", std::ios::binary); out.write((char *)m, sizeof m); }
  std::ifstream bytes(std::string("data.bin"), std::ios::binary);
  bytes.read((char *)k, sizeof k);
  std::cout << k[0] << k[1] << (k[2] == 1e300) << ' ' << bytes.gcount() << '\n';
  bytes.read((char *)k, 1);
  say("over", bytes);
  std::ifstream again("data.txt");
  std::stringstream all;
  all << again.rdbuf();
  std::cout << all.str();
}"#,
        "out 1000\n1.5 2 hello there\nin 1000\n1.5,2,hello,there,\nended 0110\n1-0.51 24\nover 0110\n1.5 2\n\
         hello there\n",
        &[("data.bin", &[1.0f64, -0.5, 1e300].map(f64::to_le_bytes).concat()), ("data.txt", b"1.5 2\nhello there\n")],
    );
}

/// The table of [filebuf.members]; `open` of what is open, `close` of what is closed, and names that lead nowhere fail.
#[test]
fn each_mode_does_what_it_says() {
    does(
        r#"
int main() {
  using std::ios;
  { std::fstream f("a", ios::out); f << "first"; }
  { std::fstream f("a", ios::out | ios::app); f << "+"; }
  { std::fstream f("a", ios::app); f << "+"; }
  { std::fstream f("a", ios::in | ios::out); f << "F"; }
  { std::fstream f("a", ios::in | ios::out | ios::ate); f << "." << f.tellp() << '\n'; }
  { std::fstream f("a", ios::in | ios::app); f.seekp(0); f << "end"; }
  { std::fstream f("b", ios::in | ios::out | ios::trunc); f << "both"; f.seekg(1); std::string s; f >> s; std::cout << s << '\n'; say("b", f); }
  { std::fstream f("c", ios::in | ios::trunc); say("none", f); std::cout << f.is_open() << '\n'; }
  { std::fstream f("missing", ios::in | ios::out); say("missing", f); }
  { std::ofstream f("no/folder"); say("folder", f); f << 1; say("then", f); }
  std::ifstream f("a");
  f.open("b");
  say("twice", f);
  f.clear();
  std::string s;
  f >> s;
  std::cout << s << '\n';
  f.close();
  f.close();
  say("closed", f);
  f.open("b");
  say("opened", f);
  f >> s;
  std::cout << s << f.is_open() << f.rdbuf()->is_open() << '\n';
}"#,
        "oth\nb 0100\nnone 0010\n0\nmissing 0010\nfolder 0010\nthen 0010\ntwice 0010\nFirst++.8\nclosed 0010\n\
         opened 1000\nboth11\n",
        &[("a", b"First++.8\nend"), ("b", b"both")],
    );
}

/// [istream.unformatted], [ostream.seeks].
#[test]
fn positions_move() {
    does(
        r#"
int main() {
  std::ofstream out("x");
  out << "0123456789";
  std::cout << out.tellp();
  out.seekp(3);
  out << "ab";
  out.seekp(-1, std::ios::end);
  out.put('!');
  out.close();
  std::ifstream in("x");
  char c;
  in.seekg(4);
  in.get(c);
  std::cout << ' ' << c << in.tellg() << (char)in.peek();
  in.unget();
  in.get(c);
  in.putback(c);
  std::cout << c << in.tellg();
  in.seekg(2, std::ios::cur);
  std::cout << ' ' << (char)in.get();
  in.seekg(-100, std::ios::cur);
  say(" back", in);
  std::cout << in.tellg() << '\n';
  std::stringstream s("hello world");
  std::string word;
  s.seekg(6);
  s >> word;
  std::cout << word << s.eof();
  s.clear();
  std::cout << s.tellg() << s.tellp();
  s.seekp(0, std::ios::end);
  s << "!!";
  std::cout << s.str() << '\n';
  std::ostringstream o;
  o << "0123456789";
  o.seekp(3);
  o << "ab";
  std::cout << o.str() << o.tellp() << '\n';
  o.seekp(11);
  say("far", o);
}"#,
        "10 b55b4 6 back 0010\n-1\nworld1110hello world!!\n012ab567895\nfar 0010\n",
        &[("x", b"012ab5678!")],
    );
}

#[test]
fn without_permission_nothing_is_touched() {
    let place = Place::new("int main() { std::ofstream out(\"new\"); out << 1; return 0; }");
    let work = place.work("work");
    let output = place.adj("run", &[], &work);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("--allow-files permits it"), "{}", text(&output.stderr));
    assert!(contents(&work).is_empty());
    let place = Place::new("int main() { std::ifstream in(\"../program.cpp\"); return in.good(); }");
    let output = place.adj("run", &["--allow-files"], &place.work("work"));
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("outside of"), "{}", text(&output.stderr));
}

/// [filebuf]: the restrictions are those of `FILE`s (C17 7.21.5.3p7).
#[test]
fn input_directly_behind_output_is_undefined() {
    let place = Place::new(
        "int main() { std::fstream f(\"x\", std::ios::in | std::ios::out | std::ios::trunc); f << \"12\"; int n; f >> n; return 0; }",
    );
    let output = place.adj("run", &["--allow-files"], &place.work("work"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("7.21.5.3p7"), "{}", text(&output.stderr));
}

/// What is not modelled is refused, not called undefined: a virtual function of the library.
#[test]
fn virtual_functions_of_the_library_are_refused() {
    let place =
        Place::new("int main() { std::ostream *out = new std::ostringstream; *out << 1; delete out; return 0; }");
    let output = place.adj("run", &["--level", "O0"], &place.work("work"));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("a virtual function of the library's own"), "{}", text(&output.stderr));
}

/// Judging executes a differentiated call many times: its files are not the program's.
#[test]
fn a_differentiated_call_has_files_of_its_own() {
    let place = Place::new(
        "#include <adj.h>
static std::ofstream log_file;
__attribute__((noinline)) static double told(double x) { log_file << x; return x * x; }
static double tangent(double x, double dx) { return 2 * x * dx; }
int main() { log_file.open(\"log\"); __adj_check_tangent((void *)told, (void *)tangent, 3.0, 1.0); return 0; }",
    );
    let work = place.work("work");
    let output = place.adj("check", &["--levels", "O0", "--allow-files"], &work);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("opened by another execution"), "{}", text(&output.stdout));
    assert_eq!(contents(&work).get("log").map(Vec::as_slice), Some(&b""[..]));
}
