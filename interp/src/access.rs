//! Which files of the host an execution may touch, and where a name leads.
//!
//! A name is followed as the system follows it (`realpath`): what decides is where it leads, symbolic links and `..`
//! resolved, not how it is spelled. Of a name that leads to nothing, the part that exists decides. Files outside the
//! permitted folder are refused before it is told whether they exist. The file is then opened by its resolved name,
//! without following a link at its end.

use crate::outcome::{Fault, Res};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Which files of the host may be touched.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// None.
    #[default]
    Refused,
    /// None, because this code is executed several times where the program executes it once.
    Repeated,
    /// Those in a folder and the folders in it.
    Under(Folder),
}

/// A folder whose files may be touched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    /// The folder, resolved.
    root: PathBuf,
    /// Where relative names start.
    from: PathBuf,
}

impl Folder {
    /// A folder whose files may be touched; relative names start where those of this process do.
    pub fn new(folder: &Path) -> std::io::Result<Folder> {
        let root = folder.canonicalize()?;
        if !root.is_dir() {
            return Err(std::io::Error::from_raw_os_error(crate::errno::ENOTDIR));
        }
        Ok(Folder { root, from: std::env::current_dir()? })
    }
}

/// Where a name leads: to a place in the permitted folder, where there may be a file or not, or to an error number.
pub type Place = Result<PathBuf, i32>;

impl Access {
    /// Where a name leads. A link at its end is followed if `follow` says so, else it is meant itself.
    pub fn place(&self, call: &str, name: &[u8], follow: bool) -> Res<Place> {
        let shown = String::from_utf8_lossy(name).into_owned();
        match self {
            Access::Refused => Err(Fault::unsupported(format!(
                "{call} of \"{shown}\": no file of the host is touched unless --allow-files permits it"
            ))),
            Access::Repeated => Err(Fault::unsupported(format!(
                "{call} of \"{shown}\" in a differentiated call, which is executed many times: no file of the host is \
                 touched there"
            ))),
            Access::Under(folder) => folder.place(call, &shown, Path::new(OsStr::from_bytes(name)), follow),
        }
    }
}

impl Folder {
    fn place(&self, call: &str, shown: &str, name: &Path, follow: bool) -> Res<Place> {
        let root = self.root.display();
        let outside = |real: &Path| {
            Fault::unsupported(format!(
                "{call} of \"{shown}\": it leads to {}, outside of {root}, the folder that --allow-files permits",
                real.display()
            ))
        };
        if shown.is_empty() {
            return Ok(Err(crate::errno::ENOENT));
        }
        let whole = self.from.join(name);
        let parts: Vec<Component<'_>> = whole.components().collect();
        // How many parts exist, and where they lead.
        let most = if follow { parts.len() } else { parts.len() - 1 };
        let existing = (0..=most).rev().find_map(|count| {
            let path: PathBuf = parts[..count].iter().collect();
            path.canonicalize().ok().map(|real| (count, real))
        });
        let (count, real) = existing.unwrap_or((0, PathBuf::from("/")));
        if !real.starts_with(&self.root) {
            return Err(outside(&real));
        }
        let slash = shown.ends_with('/');
        match &parts[count..] {
            [] if slash && !real.is_dir() => Ok(Err(crate::errno::ENOTDIR)),
            [] => Ok(Ok(real)),
            [Component::Normal(last)] => {
                let path = real.join(last);
                // A link to nothing: what would be made lies where it leads.
                if follow && path.is_symlink() {
                    let to = std::fs::read_link(&path).unwrap_or_default();
                    return Err(
                        outside(&real.join(to)).note("the name is a symbolic link to nothing that exists", None)
                    );
                }
                Ok(if slash { Err(crate::errno::EISDIR) } else { Ok(path) })
            }
            _ if !follow && count == most => {
                Err(Fault::unsupported(format!("{call} of \"{shown}\", a name that ends with `.` or `..`")))
            }
            _ => Ok(Err(if real.is_dir() { crate::errno::ENOENT } else { crate::errno::ENOTDIR })),
        }
    }
}
