//! Where an interpreted program prints.

use std::io::Write;

/// One of the two output streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// A sink for what the program prints.
pub trait Output {
    /// Receives bytes in the order of printing.
    fn write(&mut self, stream: Stream, bytes: &[u8]);
    /// The program flushes its buffers (or ends).
    fn flush(&mut self) {}
}

/// Keeps what is printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Standard output.
    pub out: Vec<u8>,
    /// Standard error.
    pub err: Vec<u8>,
}

impl Output for Buffer {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out => self.out.extend_from_slice(bytes),
            Stream::Err => self.err.extend_from_slice(bytes),
        }
    }
}

/// Several owners of one buffer: one prints, another reads afterwards.
impl Output for std::rc::Rc<std::cell::RefCell<Buffer>> {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.borrow_mut().write(stream, bytes);
    }
}

/// Drops what is printed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Discard;

impl Output for Discard {
    fn write(&mut self, _: Stream, _: &[u8]) {}
}

/// The streams of the interpreter's own process. A closed pipe is the reader's business and is ignored.
#[derive(Debug)]
pub struct Standard {
    out: std::io::BufWriter<std::io::Stdout>,
}

impl Default for Standard {
    fn default() -> Self {
        Standard { out: std::io::BufWriter::new(std::io::stdout()) }
    }
}

impl Output for Standard {
    fn write(&mut self, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Out => drop(self.out.write_all(bytes)),
            Stream::Err => {
                drop(self.out.flush());
                drop(std::io::stderr().write_all(bytes));
            }
        }
    }

    fn flush(&mut self) {
        drop(self.out.flush());
    }
}
