//! Compiles the C sources with gradients and makes a static library of them. `ADJ` names the driver if it is not in the
//! path.

use std::env;
use std::path::PathBuf;
use std::process::Command;

const SOURCES: [&str; 1] = ["c/pendulum.c"];

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(status.success(), "{command:?} failed with {status}");
}

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let adj = env::var_os("ADJ").unwrap_or_else(|| "adj".into());
    let mut objects = Vec::new();
    for source in SOURCES {
        let object = out.join(source.replace(['/', '.'], "_")).with_extension("o");
        run(Command::new(&adj).args(["cc", "-O3", "-fPIC", "-c", source, "-o"]).arg(&object));
        println!("cargo::rerun-if-changed={source}");
        objects.push(object);
    }
    run(Command::new("ar").arg("crs").arg(out.join("libpendulum.a")).args(&objects));
    println!("cargo::rerun-if-env-changed=ADJ");
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=pendulum");
    println!("cargo::rustc-link-lib=m");
}
