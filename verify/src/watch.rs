//! A worker from outside: started, asked, and ended when it has answered or takes more than it may.
//!
//! z3 keeps limits of its own, which end a question in order. These here hold when it does not: the clock and the
//! resident memory of the whole process, looked at from this one.

use crate::error::SolverError;
use crate::wire::{Reply, Request};
use crate::worker::ASKED;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a worker may go on after the solver's own limit.
const GRACE: Duration = Duration::from_secs(1);
/// Memory beside what the solver counts, in MiB: the program itself, and what its allocator holds back.
const BESIDE: u64 = 256;
/// How often the clock and the memory are looked at.
const TURN: Duration = Duration::from_millis(10);
/// The longest reply, in bytes.
const LONGEST: usize = 16 << 20;

/// How a worker ended.
#[derive(Debug)]
pub(crate) enum End {
    /// By an answer.
    Replied(Reply),
    /// It took too long.
    OutOfTime,
    /// It grew too large.
    OutOfMemory,
}

/// Starts a worker and asks it.
pub(crate) fn ask(program: &Path, request: &Request) -> Result<End, SolverError> {
    if std::env::var_os(ASKED).is_some() {
        // This is a worker whose `main` does not serve; another one would not either.
        return Err(SolverError::Missing);
    }
    let deadline = Instant::now() + Duration::from_millis(request.limit.into()) + GRACE;
    let mut child = Command::new(program)
        .env(ASKED, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| if error.kind() == ErrorKind::NotFound { SolverError::Missing } else { error.into() })?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let question = request.to_bytes();
    // The pipe is given back and stays open until the worker is done: a worker whose input ends has lost who asked it.
    // One that stops reading has given up; that shows in its answer.
    let writer = std::thread::spawn(move || {
        stdin.map(|mut pipe| {
            let written = pipe.write_all(&question);
            (pipe, written)
        })
    });
    let (send, said) = channel();
    let reader = std::thread::spawn(move || {
        let said = stdout.map(read_reply).ok_or_else(Vec::new).flatten();
        // Nobody listens any more once a limit is reached.
        let _ = send.send(said);
    });
    let end = wait(&child, &said, deadline, u64::from(request.memory) + BESIDE);
    // One that has ended by itself keeps the status it had.
    child.kill()?;
    let status = child.wait()?;
    // Neither has anything to wait for any more, and what they did shows in the answer.
    let _ = (writer.join(), reader.join());
    match end {
        Ok(end) => Ok(end),
        Err(bytes) if bytes.is_empty() => Err(SolverError::Died(status)),
        Err(bytes) => Err(SolverError::Rubbish(String::from_utf8_lossy(&bytes).chars().take(200).collect())),
    }
}

/// What a worker said: a reply, or all of it where that is none. One that has replied is not waited for.
type Said = Result<Reply, Vec<u8>>;

fn read_reply(mut pipe: ChildStdout) -> Said {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    while bytes.len() < LONGEST {
        match pipe.read(&mut part) {
            // What cannot be read is no answer.
            Ok(0) | Err(_) => break,
            Ok(count) => bytes.extend(&part[..count]),
        }
        if let Some(reply) = Reply::from_bytes(&bytes) {
            return Ok(reply);
        }
    }
    Err(bytes)
}

/// Waits for a reply and no longer than it may take; what the worker said, where that is none.
fn wait(child: &Child, said: &Receiver<Said>, deadline: Instant, memory: u64) -> Result<End, Vec<u8>> {
    loop {
        match said.recv_timeout(TURN) {
            Ok(said) => return said.map(End::Replied),
            Err(RecvTimeoutError::Disconnected) => return Err(Vec::new()),
            Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => return Ok(End::OutOfTime),
            Err(RecvTimeoutError::Timeout) if resident(child.id()) > memory => return Ok(End::OutOfMemory),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Resident memory of a process in MiB; 0 where the system does not say.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()).unwrap_or(0) / 1024
}
