//! What a generated program may do to us, turned into values: a panic becomes its message.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// The message of a panic on this thread, while panics are caught here.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    static CATCHING: RefCell<bool> = const { RefCell::new(false) };
}

static HOOK: Once = Once::new();

/// Runs something; a panic within is an error that says what and where.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if CATCHING.with_borrow(|catching| *catching) {
                CAUGHT.set(Some(message(info)));
            } else {
                before(info);
            }
        }));
    });
    CATCHING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.map_err(|_| CAUGHT.take().unwrap_or_else(|| "a panic without a message".to_owned()))
}

fn message(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let text =
        payload.downcast_ref::<&str>().map(|s| (*s).to_owned()).or_else(|| payload.downcast_ref::<String>().cloned());
    let place = info.location().map(|l| format!("{}:{}", l.file(), l.line())).unwrap_or_default();
    // The place comes in quotes of its own, as the line does not name a program's number.
    format!("{} at {place}", text.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_panic_is_a_message_with_a_place() {
        assert_eq!(super::catch(|| 3), Ok(3));
        let caught = super::catch(|| Vec::<u8>::new()[1]).unwrap_err();
        assert!(caught.contains("out of bounds") && caught.contains("isolate.rs"), "{caught}");
    }
}
