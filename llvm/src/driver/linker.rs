//! What a linker's command names, and the objects that take the place of merged ones.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use super::jobs::Job;
use super::unit::{is_object, symbols};
use crate::error::Error;

/// What objects define that are linked as they are, and not merged.
pub(super) fn foreign(linkers: &[&Job], merged: &BTreeSet<OsString>) -> Result<BTreeSet<String>, Error> {
    let mut out = BTreeSet::new();
    for path in linkers.iter().flat_map(|job| inputs(job)) {
        if !merged.contains(path.as_os_str()) && is_object(&path) {
            out.extend(symbols(&path, &["--defined-only", "--extern-only"])?);
        }
    }
    Ok(out)
}

/// The files that a linker's command names.
pub(super) fn inputs(job: &Job) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let (mut folders, mut takes) = (Vec::new(), false);
    for argument in &job.arguments {
        let text = argument.to_string_lossy();
        if std::mem::take(&mut takes) {
            continue;
        }
        if ["-o", "-m", "-z", "-dynamic-linker", "-rpath", "-soname", "-h", "-plugin", "-T"].contains(&&*text) {
            takes = true;
        } else if let Some(folder) = text.strip_prefix("-L") {
            folders.push(PathBuf::from(folder));
        } else if let Some(library) = text.strip_prefix("-l") {
            // As the linker: the first folder that has either, and there the shared one.
            let place =
                folders.iter().find(|f| ["so", "a"].iter().any(|e| f.join(format!("lib{library}.{e}")).is_file()));
            let place = place.filter(|f| !f.join(format!("lib{library}.so")).is_file());
            out.extend(place.map(|f| f.join(format!("lib{library}.a"))));
        } else if !text.starts_with('-') {
            out.push(PathBuf::from(argument));
        }
    }
    out
}

/// Puts objects where the first of the merged ones was, and takes the others out.
pub(super) fn replace_inputs(job: &mut Job, merged: &BTreeSet<OsString>, objects: &[PathBuf]) {
    let mut placed = false;
    let mut previous = OsString::new();
    let mut out = Vec::new();
    for argument in job.arguments.drain(..) {
        let is_output = previous == "-o";
        previous.clone_from(&argument);
        if is_output || !merged.contains(&argument) {
            out.push(argument);
        } else if !std::mem::replace(&mut placed, true) {
            out.extend(objects.iter().map(|object| object.as_os_str().to_owned()));
        }
    }
    job.arguments = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_merged_object_takes_the_place_of_the_others() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let mut job = Job { program: "ld".into(), arguments: words("-o a.o crt.o a.o b.o -lm c.o") };
        let merged = words("a.o c.o").into_iter().collect();
        replace_inputs(&mut job, &merged, &["all.o", "more.o"].map(PathBuf::from));
        assert_eq!(job.arguments, words("-o a.o crt.o all.o more.o b.o -lm"));
    }

    #[test]
    fn libraries_are_looked_for_as_a_linker_does() {
        let folder = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| folder.path().join(name));
        for (place, file) in [(&first, "libx.a"), (&second, "libx.so"), (&second, "liby.a"), (&second, "liby.so")] {
            fs::create_dir_all(place).unwrap();
            fs::write(place.join(file), "").unwrap();
        }
        let arguments = vec![
            "-o".into(),
            "prog".into(),
            format!("-L{}", first.display()).into(),
            format!("-L{}", second.display()).into(),
            "main.o".into(),
            "-lx".into(),
            "-ly".into(),
            "-lz".into(),
        ];
        let job = Job { program: "ld".into(), arguments };
        assert_eq!(inputs(&job), [PathBuf::from("main.o"), first.join("libx.a")]);
    }
}
