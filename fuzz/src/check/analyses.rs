//! What the analyses claim, as findings of a campaign.

use super::{Finding, Make, Options, Outcome, Trouble, normalised};
use crate::claims::{Comparison, compare};
use crate::isolate;
use interp::Limits;

/// Compares the claims of one program at each level.
pub(super) fn compared(number: usize, options: &Options, make: Make<'_>) -> Outcome {
    let mut outcome = Outcome::default();
    let limits = Limits { steps: options.steps, ..Limits::default() };
    for level in &options.levels {
        let found = match make(&[number], *level) {
            Ok(module) => isolate::catch(|| compare(&module, None, &limits)),
            Err(Trouble::Refused(why)) => Ok(Comparison::Skipped(why)),
            Err(Trouble::Found(finding)) => {
                outcome.findings.push(finding);
                continue;
            }
        };
        match found {
            Ok(Comparison::Compared { refuted, .. }) => {
                outcome.judged += 1;
                outcome.findings.extend(refuted.first().map(|first| {
                    let all: Vec<String> =
                        refuted.iter().map(|r| format!("{}: {}\n  {}\n", r.function, r.place, r.message)).collect();
                    Finding::new("refuted", &first.message, *level, all.concat())
                }));
            }
            Ok(Comparison::Skipped(why)) => {
                outcome.refusals.entry(normalised(&why)).or_default().push(level.to_string());
            }
            Err(panic) => outcome.findings.push(Finding::new("panic", &panic, *level, panic.clone())),
        }
    }
    outcome
}
