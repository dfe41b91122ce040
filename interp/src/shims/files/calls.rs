//! The functions that open, close, position, name and ask files (C17 7.21.4, 7.21.5, 7.21.9, 7.21.10). Those that read
//! and write are in `scan` and `stdio`.

use super::table::{Body, Last, Mode, Open, number_of};
use super::{EOF, STDIN, alive, fail, hand_over, key, object};
use crate::errno::EISDIR;
use crate::library::set_errno;
use crate::machine::Machine;
use crate::outcome::{Fault, Location, Res, UbKind};
use crate::shim_call::ShimCall;
use crate::shims::state::{Interp, Shim};
use crate::value::{Leaf, Pointer, Scalar, Value};
use std::cell::RefCell;
use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::rc::Rc;

/// `O_NOFOLLOW | O_NONBLOCK` of Linux on x86-64: no link is followed that came to be since the name was resolved, and
/// nothing waits.
const CAREFUL: i32 = 0o400_000 | 0o4000;

/// The shims of this file by name.
pub fn find<M: Machine>(name: &str) -> Option<Shim<M>> {
    opening(name).or_else(|| positions(name)).or_else(|| asking(name))
}

fn opening<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "fopen" | "fopen64" => |i, c| match open_named(i, c, "fopen")? {
            Ok((body, mode)) => enter(i, body, mode),
            Err(number) => {
                set_errno(i, number)?;
                Ok(Value::ptr(Pointer::NULL))
            }
        },
        "freopen" | "freopen64" => freopen,
        "fclose" => |i, c| {
            let file = key(i, c.ptr(0)?)?;
            close(i, file, c.at)?;
            Ok(Value::i32(0))
        },
        "tmpfile" | "tmpfile64" => |i, _| {
            let mode = Mode { reads: true, writes: true, ..Mode::default() };
            enter(i, Body::Held(Rc::new(RefCell::new(Vec::new()))), mode)
        },
        "open_memstream" => |i, c| {
            let (place, size) = (c.ptr(0)?, c.ptr(1)?);
            i.memory.store(place, Leaf::Ptr, Scalar::ptr(Pointer::NULL), 8)?;
            i.memory.store(size, Leaf::Int(64), Scalar::word(0), 8)?;
            let mode = Mode { writes: true, ..Mode::default() };
            enter(i, Body::Handed(Rc::new(RefCell::new(Vec::new())), place, size), mode)
        },
        "remove" => |i, c| {
            let place = place(i, c, 0, "remove")?;
            let done = place.and_then(|path| {
                let folder = std::fs::symlink_metadata(&path).is_ok_and(|m| m.is_dir());
                let done = if folder { std::fs::remove_dir(&path) } else { std::fs::remove_file(&path) };
                done.map_err(|error| number_of(&error))
            });
            status(i, done)
        },
        "unlink" => |i, c| {
            let done = place(i, c, 0, "unlink")?;
            let done = done.and_then(|path| std::fs::remove_file(path).map_err(|error| number_of(&error)));
            status(i, done)
        },
        "rename" => |i, c| {
            let (from, to) = (place(i, c, 0, "rename")?, place(i, c, 1, "rename")?);
            let both = from.and_then(|from| to.map(|to| (from, to)));
            let done = both.and_then(|(from, to)| std::fs::rename(from, to).map_err(|error| number_of(&error)));
            status(i, done)
        },
        _ => return None,
    })
}

fn positions<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "fseek" | "fseeko" | "fseeko64" => |i, c| {
            let (by, whence) = (c.int(1)?, c.int(2)?);
            seek(i, c, by, whence)
        },
        "rewind" => |i, c| {
            seek(i, c, 0, 0)?;
            let file = key(i, c.ptr(0)?)?;
            if let Some(open) = i.runtime.files.open(file) {
                open.failed = false;
            }
            Ok(Value::void())
        },
        "fsetpos" | "fsetpos64" => |i, c| {
            let at = i.memory.load(c.ptr(1)?, Leaf::Int(64), 8)?;
            if !at.is_init() {
                return Err(Fault::ub(UbKind::Uninitialised, "fsetpos with a position that fgetpos has not set"));
            }
            seek(i, c, at.lo as i64, 0)
        },
        "ftell" | "ftello" | "ftello64" => |i, c| Ok(Value::i64(tell(i, c)? as i64)),
        "fgetpos" | "fgetpos64" => |i, c| {
            let at = tell(i, c)?;
            // glibc's `fpos_t` is the position, and the state of a conversion that is none here.
            i.memory.store(c.ptr(1)?, Leaf::Int(64), Scalar::word(at), 8)?;
            i.memory.store(c.ptr(1)?.offset(8), Leaf::Int(64), Scalar::word(0), 8)?;
            Ok(Value::i32(0))
        },
        _ => return None,
    })
}

fn asking<M: Machine>(name: &str) -> Option<Shim<M>> {
    Some(match name {
        "feof" | "feof_unlocked" => |i, c| {
            let file = key(i, c.ptr(0)?)?;
            let ended = match alive(i, file)? {
                true => i.runtime.files.open(file).is_some_and(|open| open.at_end()),
                false => file == STDIN && i.runtime.input.at_end(),
            };
            Ok(Value::i32(i32::from(ended)))
        },
        "ferror" | "ferror_unlocked" => |i, c| {
            let file = key(i, c.ptr(0)?)?;
            let failed = alive(i, file)? && i.runtime.files.open(file).is_some_and(|open| open.failed);
            Ok(Value::i32(i32::from(failed)))
        },
        "clearerr" | "clearerr_unlocked" => |i, c| {
            let file = key(i, c.ptr(0)?)?;
            if !alive(i, file)? {
                if file == STDIN {
                    i.runtime.input.clear();
                }
            } else if let Some(open) = i.runtime.files.open(file) {
                (open.ended, open.failed) = (false, false);
                if let Some(ahead) = &mut open.ahead {
                    ahead.clear();
                }
            }
            Ok(Value::void())
        },
        "fflush" | "fflush_unlocked" => fflush,
        _ => return None,
    })
}

/// The position of an open file; the standard streams may have none.
fn positioned<'a, M: Machine>(interp: &'a mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<&'a mut Open> {
    let file = key(interp, call.ptr(0)?)?;
    alive(interp, file)?;
    let none = || Fault::unsupported("the position of a standard stream, which depends on where it leads");
    interp.runtime.files.open(file).ok_or_else(none)
}

fn tell<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<u64> {
    Ok(positioned(interp, call)?.tell())
}

/// C17 7.21.9.2: the end is no longer met, what was put back is dropped, and input and output may follow.
fn seek<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    by: i64,
    whence: i64,
) -> Res<Value<M::Shadow>> {
    match positioned(interp, call)?.seek(by, whence) {
        Ok(()) => Ok(Value::i32(0)),
        Err(number) => {
            set_errno(interp, number)?;
            Ok(Value::i32(EOF))
        }
    }
}

/// C17 7.21.5.2. All output has reached its file already.
fn fflush<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    interp.output.flush();
    let file = call.ptr(0)?;
    let (all, files): (bool, Vec<u64>) = match file.is_null() {
        true => (true, interp.runtime.files.open.keys().copied().collect()),
        false => (false, vec![key(interp, file)?]),
    };
    for file in files {
        if !all && !alive(interp, file)? && file == STDIN {
            return Err(Fault::ub(UbKind::Library, "fflush of standard input (C17 7.21.5.2p2)"));
        }
        let Some(open) = interp.runtime.files.open(file) else { continue };
        match open.last {
            Last::Read(at) if !all => {
                let text = "fflush of a file whose last operation was input (C17 7.21.5.2p2)";
                return Err(Fault::ub(UbKind::Library, text).note("the input was here", at));
            }
            Last::Read(_) => {}
            Last::Wrote(_) | Last::Nothing => {
                open.last = Last::Nothing;
                hand_over(interp, file, call.at)?;
            }
        }
    }
    Ok(Value::i32(0))
}

/// 0, or -1 with `errno`.
fn status<M: Machine>(interp: &mut Interp<'_, M>, done: Result<(), i32>) -> Res<Value<M::Shadow>> {
    if let Err(number) = done {
        set_errno(interp, number)?;
    }
    Ok(Value::i32(if done.is_ok() { 0 } else { EOF }))
}

/// Where the name in an argument leads; a link is meant itself.
fn place<M: Machine>(
    interp: &Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    index: usize,
    what: &str,
) -> Res<crate::access::Place> {
    let name = interp.memory.read_cstr(call.ptr(index)?)?;
    interp.limits.files.place(what, &name, false)
}

/// C17 7.21.5.3p3, with the letters that glibc takes besides.
fn mode(text: &[u8]) -> Option<Mode> {
    let (first, rest) = text.split_first()?;
    if !rest.iter().all(|b| b"+bxemc".contains(b)) {
        return None;
    }
    let update = rest.contains(&b'+');
    let exclusive = rest.contains(&b'x');
    let mode = match first {
        b'r' => Mode { reads: true, writes: update, ..Mode::default() },
        b'w' => Mode { reads: update, writes: true, creates: true, truncates: true, exclusive, ..Mode::default() },
        b'a' => Mode { reads: update, writes: true, creates: true, appends: true, ..Mode::default() },
        _ => return None,
    };
    (!exclusive || *first == b'w').then_some(mode)
}

/// Opens the file named by the first argument in the mode of the second.
fn open_named<M: Machine>(
    interp: &mut Interp<'_, M>,
    call: &ShimCall<'_, M::Shadow>,
    what: &str,
) -> Res<Result<(Body, Mode), i32>> {
    let text = interp.memory.read_cstr(call.ptr(1)?)?;
    let name = interp.memory.read_cstr(call.ptr(0)?)?;
    let Some(mode) = mode(&text) else {
        let text =
            format!("{what} with the mode \"{}\", which is none (C17 7.21.5.3p3)", String::from_utf8_lossy(&text));
        return Err(Fault::ub(UbKind::Library, text));
    };
    open_in(interp, what, &name, mode)
}

/// Opens a file of the host in a mode, if it may be touched.
fn open_in<M: Machine>(interp: &Interp<'_, M>, what: &str, name: &[u8], mode: Mode) -> Res<Result<(Body, Mode), i32>> {
    let path = match interp.limits.files.place(what, name, true)? {
        Ok(path) => path,
        Err(number) => return Ok(Err(number)),
    };
    if let Ok(known) = std::fs::metadata(&path)
        && !known.is_file()
    {
        if known.is_dir() && mode.writes {
            return Ok(Err(EISDIR));
        }
        let text = format!("{what} of \"{}\", which is no regular file", String::from_utf8_lossy(name));
        return Err(Fault::unsupported(text));
    }
    let mut options = OpenOptions::new();
    options.read(mode.reads).custom_flags(CAREFUL);
    if mode.appends {
        options.append(true);
    } else {
        options.write(mode.writes);
    }
    options
        .create(mode.creates && !mode.exclusive)
        .create_new(mode.exclusive)
        .truncate(mode.truncates && !mode.exclusive);
    Ok(options.open(path).map(|file| (Body::Host(Rc::new(file)), mode)).map_err(|error| number_of(&error)))
}

/// Opens a file of the host for an object of the program that is no `FILE`, in a mode as `fopen` names it; not if that
/// fails.
pub fn open_for<M: Machine>(
    interp: &mut Interp<'_, M>,
    object: Pointer,
    (what, name, letters): (&str, &[u8], &str),
    at_end: bool,
) -> Res<bool> {
    let Some(mode) = mode(letters.as_bytes()) else { return Err(Fault::bug("a mode of files that is none")) };
    let Ok((body, mode)) = open_in(interp, what, name, mode)? else { return Ok(false) };
    let mut open = Open::new(body, mode, interp.runtime.files.free_number());
    if at_end {
        open.position = open.length().unwrap_or(0);
    }
    interp.runtime.files.open.insert(object.addr, Box::new(open));
    Ok(true)
}

/// Is a file open for an object that is no `FILE`?
pub fn is_open_for<M: Machine>(interp: &Interp<'_, M>, object: Pointer) -> bool {
    interp.runtime.files.open.contains_key(&object.addr)
}

/// Closes it.
pub fn close_for<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer) {
    interp.runtime.files.open.remove(&object.addr);
}

/// Lets input follow output on it.
pub fn flush_for<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer) {
    if let Some(open) = interp.runtime.files.open(object.addr)
        && matches!(open.last, Last::Wrote(_))
    {
        open.last = Last::Nothing;
    }
}

/// Its position.
pub fn tell_for<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer) -> Option<u64> {
    interp.runtime.files.open(object.addr).map(|open| open.tell())
}

/// Moves its position from the begin (0), from where it is (1) or from the end (2); false where that leads nowhere.
pub fn seek_for<M: Machine>(interp: &mut Interp<'_, M>, object: Pointer, by: i64, whence: i64) -> bool {
    interp.runtime.files.open(object.addr).is_some_and(|open| open.seek(by, whence).is_ok())
}

/// A new `FILE`.
fn enter<M: Machine>(interp: &mut Interp<'_, M>, body: Body, mode: Mode) -> Res<Value<M::Shadow>> {
    let number = interp.runtime.files.free_number();
    let file = object::new_file(&mut interp.memory, number)?;
    let open = Open::new(body, mode, number);
    interp.runtime.files.open.insert(file.addr, Box::new(open));
    Ok(Value::ptr(file))
}

fn close<M: Machine>(interp: &mut Interp<'_, M>, file: u64, at: Location) -> Res {
    alive(interp, file)?;
    interp.output.flush();
    hand_over(interp, file, at)?;
    let files = &mut interp.runtime.files;
    if let Some(open) = files.open.remove(&file)
        && !matches!(open.body, Body::Host(_))
    {
        files.held = files.held.saturating_sub(open.length().unwrap_or(0));
    }
    files.closed.insert(file, at);
    Ok(())
}

/// C17 7.21.5.4: another file in the place of that of a `FILE`, which is closed first, whatever comes of it.
fn freopen<M: Machine>(interp: &mut Interp<'_, M>, call: &ShimCall<'_, M::Shadow>) -> Res<Value<M::Shadow>> {
    let object = call.ptr(2)?;
    let file = key(interp, object)?;
    if call.ptr(0)?.is_null() {
        return Err(Fault::unsupported("freopen without a name, which only changes the mode"));
    }
    let number = object::file_number(interp, object)?;
    close(interp, file, call.at)?;
    match open_named(interp, call, "freopen")? {
        Ok((body, mode)) => {
            let open = Open::new(body, mode, number);
            interp.runtime.files.closed.remove(&file);
            interp.runtime.files.open.insert(file, Box::new(open));
            Ok(Value::ptr(object))
        }
        Err(number) => {
            fail(interp, file, number)?;
            Ok(Value::ptr(Pointer::NULL))
        }
    }
}
