//! Child processes with a time limit and a bound on what they print.
//!
//! Pipes are served by threads of their own, so that neither side can block the other, while the child is polled. A
//! child that outlives its limit, or prints more than its bound, is killed, with what it has started: it is the head of
//! a group of processes of its own. (`clang` starts the compiler and the linker proper, which would go on without it.)

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How long the pipes may stay open after the child has ended (a grandchild may hold them).
const GRACE: Duration = Duration::from_secs(1);

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// It died of this signal.
    Signal(i32),
}

impl Exit {
    fn new(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Code(code),
            (None, signal) => Self::Signal(signal.unwrap_or(0)),
        }
    }
}

/// Why a child was killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It ran past its time limit.
    Time,
    /// It printed more than its bound.
    Output,
}

/// What a child is given.
pub(crate) struct Request<'a> {
    pub program: &'a Path,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(&'static str, OsString)>,
    pub stdin: &'a [u8],
    pub timeout: Duration,
    /// Bound on each of standard output and standard error, in bytes.
    pub output: usize,
}

/// What a child left.
#[derive(Debug)]
pub(crate) struct Finished {
    pub exit: Exit,
    pub stopped: Option<Stopped>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Request<'_> {
    /// Runs the child to its end, or to the limit.
    pub fn run(self) -> io::Result<Finished> {
        let mut child = Command::new(self.program)
            .args(&self.arguments)
            .envs(self.environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let overflow = Arc::new(AtomicBool::new(false));
        let stdout = child.stdout.take().map(|pipe| Collector::start(pipe, self.output, &overflow));
        let stderr = child.stderr.take().map(|pipe| Collector::start(pipe, self.output, &overflow));
        if let Some(mut pipe) = child.stdin.take() {
            let bytes = self.stdin.to_vec();
            // A child that does not read its input closes the pipe: that is its right.
            thread::spawn(move || drop(pipe.write_all(&bytes)));
        }
        let (status, stopped) = wait(&mut child, Instant::now() + self.timeout, &overflow)?;
        let collect = |collector: Option<Collector>| collector.map(Collector::finish).unwrap_or_default();
        let (stdout, stderr) = (collect(stdout), collect(stderr));
        // The bound may have been passed by the very last bytes, after the child had ended.
        let stopped = stopped.or(overflow.load(Ordering::Relaxed).then_some(Stopped::Output));
        Ok(Finished { exit: Exit::new(status), stopped, stdout, stderr })
    }
}

/// Waits for the end of the child; kills it at the deadline or when it has printed too much.
fn wait(child: &mut Child, deadline: Instant, overflow: &AtomicBool) -> io::Result<(ExitStatus, Option<Stopped>)> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, None));
        }
        let stopped = if overflow.load(Ordering::Relaxed) {
            Some(Stopped::Output)
        } else if Instant::now() >= deadline {
            Some(Stopped::Time)
        } else {
            None
        };
        if stopped.is_some() {
            kill_group(child);
            return Ok((child.wait()?, stopped));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

/// Kills a child and all that it has started and that has not left its group.
fn kill_group(child: &mut Child) {
    // Before the child is waited for, nobody else can have its number.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
}

/// A thread that drains one pipe.
struct Collector {
    bytes: Arc<Mutex<Vec<u8>>>,
    done: Receiver<()>,
}

impl Collector {
    fn start(mut pipe: impl Read + Send + 'static, bound: usize, overflow: &Arc<AtomicBool>) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, done) = channel();
        let (shared, overflow) = (Arc::clone(&bytes), Arc::clone(overflow));
        thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            loop {
                match pipe.read(&mut buffer) {
                    Ok(0) => break,
                    Ok(count) => {
                        let mut bytes = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let room = bound.saturating_sub(bytes.len());
                        bytes.extend_from_slice(&buffer[..count.min(room)]);
                        if count > room {
                            overflow.store(true, Ordering::Relaxed);
                            break;
                        }
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(_) => break,
                }
            }
            // Nobody listens any more when the grace has passed.
            let _ = sender.send(());
        });
        Self { bytes, done }
    }

    fn finish(self) -> Vec<u8> {
        let _ = self.done.recv_timeout(GRACE);
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, stdin: &[u8], timeout: Duration, output: usize) -> Finished {
        let arguments = vec!["-c".into(), script.into()];
        let request = Request { program: Path::new("/bin/sh"), arguments, environment: vec![], stdin, timeout, output };
        request.run().unwrap()
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn both_streams_and_the_code_are_kept() {
        let finished = shell("cat; echo told >&2; exit 7", b"given", LONG, 1000);
        assert_eq!(finished.exit, Exit::Code(7));
        assert_eq!((&finished.stdout[..], &finished.stderr[..]), (&b"given"[..], &b"told\n"[..]));
        assert_eq!(finished.stopped, None);
    }

    #[test]
    fn large_input_and_output_do_not_deadlock() {
        let input = vec![b'x'; 5 << 20];
        let finished = shell("cat", &input, LONG, 6 << 20);
        assert!(finished.stdout == input);
    }

    #[test]
    fn unread_input_is_no_error() {
        let finished = shell("exit 0", &vec![b'x'; 5 << 20], LONG, 10);
        assert_eq!((finished.exit, finished.stopped), (Exit::Code(0), None));
    }

    #[test]
    fn a_signal_is_told_from_a_code() {
        assert_eq!(shell("kill -SEGV $$", b"", LONG, 1000).exit, Exit::Signal(11));
    }

    #[test]
    fn a_child_that_hangs_is_killed() {
        let start = Instant::now();
        let finished = shell("echo before; exec sleep 100", b"", Duration::from_millis(300), 1000);
        assert_eq!((finished.stopped, finished.exit), (Some(Stopped::Time), Exit::Signal(9)));
        assert_eq!(finished.stdout, b"before\n");
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_child_that_prints_without_end_is_killed() {
        let finished = shell("exec yes", b"", LONG, 100_000);
        assert_eq!(finished.stopped, Some(Stopped::Output));
        assert_eq!(finished.stdout.len(), 100_000);
    }

    /// A grandchild that would go on is killed with the child: its mark is never made.
    #[test]
    fn what_a_child_has_started_is_killed_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("mark");
        let script = format!("(sleep 2; touch {}) & wait", mark.display());
        let finished = shell(&script, b"", Duration::from_millis(300), 1000);
        assert_eq!(finished.stopped, Some(Stopped::Time));
        thread::sleep(Duration::from_secs(3));
        assert!(!mark.exists());
    }

    #[test]
    fn a_grandchild_that_holds_the_pipe_does_not_hold_us() {
        let start = Instant::now();
        let finished = shell("sleep 30 & echo started", b"", LONG, 1000);
        assert_eq!((finished.exit, &finished.stdout[..]), (Exit::Code(0), &b"started\n"[..]));
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
