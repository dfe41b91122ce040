//! The null device, which a careless program that runs as root replaces by an ordinary file.
//!
//! What programs throw away is then kept, and what they read from nowhere is that: cargo asks `rustc -` about its
//! target with an empty program, gets errors about the text of others, and remembers that the compiler does not work.

use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::process::Command;

const PATH: &str = "/dev/null";

/// Makes the null device anew if it is an ordinary file; where this user may not, empties that file.
pub fn mend() {
    let is_device = fs::metadata(PATH).is_ok_and(|data| data.file_type().is_char_device());
    if !is_device && !made(Path::new("/dev/.null")) {
        // Whoever may not do this either cannot run the build, which says so.
        let _ = fs::write(PATH, "");
    }
}

/// Makes the device elsewhere and moves it to its place, which is never empty.
fn made(beside: &Path) -> bool {
    let node = Command::new("mknod").args(["-m", "666"]).arg(beside).args(["c", "1", "3"]).output();
    node.is_ok_and(|node| node.status.success()) && fs::rename(beside, PATH).is_ok()
}
