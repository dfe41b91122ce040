//! Which derivative is asked for: the function, the activity of each argument, options.

use crate::error::Error;
use ad::c_entry::Asked;
use ad::{Activity, Diagnostic, Mode, Reason, Style};
use ir::Module;

/// A gradient or a tangent of a function of the program.
///
/// The activities of the arguments are told in order; without any, each argument has the one that it has in a
/// differentiated call without markers: a pointer is duplicated, a floating-point number is `out` (in a tangent
/// duplicated), everything else constant.
#[derive(Clone, Debug)]
pub struct Derivative {
    function: String,
    name: Option<String>,
    activities: Option<Vec<Activity>>,
    mode: Mode,
    style: Style,
}

/// The gradient of a function: reverse mode.
#[must_use]
pub fn gradient(function: impl Into<String>) -> Derivative {
    Derivative { function: function.into(), name: None, activities: None, mode: Mode::Reverse, style: Style::default() }
}

/// The tangent of a function: forward mode.
#[must_use]
pub fn tangent(function: impl Into<String>) -> Derivative {
    Derivative { mode: Mode::Forward { width: 1 }, ..gradient(function) }
}

/// The name under which the gradient (or the tangent) of a function is found, unless it has one of its own.
pub(super) fn default_name(function: &str, mode: Mode) -> String {
    let what = if mode.is_forward() { "tangent" } else { "gradient" };
    format!("{what}_of_{function}")
}

impl Derivative {
    fn then(mut self, activity: Activity) -> Derivative {
        self.activities.get_or_insert_default().push(activity);
        self
    }

    /// The next argument: a pointer with its shadow behind it; in a tangent also a floating-point number with its
    /// tangent.
    #[must_use]
    pub fn dup(self) -> Derivative {
        self.then(Activity::Dup)
    }

    /// The same, and what the primal leaves behind the pointer is not needed.
    #[must_use]
    pub fn dup_no_need(self) -> Derivative {
        self.then(Activity::DupNoNeed)
    }

    /// The next argument: a floating-point number whose component is returned.
    #[must_use]
    pub fn out(self) -> Derivative {
        self.then(Activity::Out)
    }

    /// The next argument: a constant.
    #[must_use]
    pub fn constant(self) -> Derivative {
        self.then(Activity::Const)
    }

    /// A name of its own, by which it is found as a function of the library.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Derivative {
        self.name = Some(name.into());
        self
    }

    /// It also leaves the result of the function itself, where one more parameter points.
    #[must_use]
    pub fn with_value(mut self) -> Derivative {
        self.style.primal_return = true;
        self
    }

    /// A zero adjoint or tangent stays zero whatever it is multiplied with.
    #[must_use]
    pub fn strong_zero(mut self) -> Derivative {
        self.style.strong_zero = true;
        self
    }

    /// A pointer that is its own shadow is constant.
    #[must_use]
    pub fn runtime_activity(mut self) -> Derivative {
        self.style.runtime_activity = true;
        self
    }

    /// The name under which it is found.
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| default_name(&self.function, self.mode))
    }

    /// Adds it to a module.
    pub(super) fn add(&self, m: &mut Module, without: ad::Without) -> Result<(), Error> {
        let Some(primal) = m.function(&self.function).filter(|f| !m.functions[*f].is_declaration()) else {
            return Err(Error::Usage(self.missing(m)));
        };
        let name = self.name();
        let activities = self.activities.as_deref();
        let asked = Asked { primal, name: &name, mode: self.mode, style: self.style, activities };
        let options = ad::Options { without, ..ad::Options::default() };
        ad::c_entry::add(m, &asked, &options).map(drop).map_err(|diagnostic| told(&diagnostic))
    }

    fn missing(&self, m: &Module) -> String {
        let name = &self.function;
        if m.function(name).is_some() {
            return format!("the program does not define the function `{name}`, which it only declares");
        }
        let defined = m.functions.values().filter(|f| !f.is_declaration()).map(|f| f.name.as_str());
        let hint = "a `static` function that nothing calls is dropped by the compiler";
        format!("the program does not define a function `{name}` ({})", near(name, defined).unwrap_or(hint.to_owned()))
    }
}

/// A refusal as an error of the library.
pub(super) fn told(diagnostic: &Diagnostic) -> Error {
    match diagnostic.reason {
        Reason::Misuse => Error::Usage(diagnostic.to_string()),
        Reason::Unsupported | Reason::Incomplete | Reason::Bug => Error::Unsupported(diagnostic.to_string()),
    }
}

/// Names that may have been meant: a letter or two are different, or the name is part of it, as C++ makes names.
pub(super) fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut close: Vec<(usize, &str)> = known
        .filter_map(|k| match edits(name, k) {
            distance if distance <= 2 && distance < name.len() => Some((distance, k)),
            _ if !name.is_empty() && k.starts_with("_Z") && k.contains(&format!("{}{name}", name.len())) => {
                Some((0, k))
            }
            _ => None,
        })
        .collect();
    close.sort();
    let names: Vec<String> = close.iter().take(3).map(|(_, k)| format!("`{k}`")).collect();
    let mangled = close.first().is_some_and(|(_, k)| k.starts_with("_Z"));
    let hint = if mangled { "; with `extern \"C\"` a function of C++ keeps its name" } else { "" };
    (!names.is_empty()).then(|| format!("is {} meant?{hint}", names.join(" or ")))
}

/// Letters to insert, delete or replace (Levenshtein's distance), by rows of the table.
fn edits(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_near_are_told() {
        let known = ["rosenbrock", "main", "_Z6energyPKdi", "f"];
        let near = |name| near(name, known.into_iter());
        assert_eq!(near("rosenbruck").as_deref(), Some("is `rosenbrock` meant?"));
        assert!(near("energy").is_some_and(|text| text.starts_with("is `_Z6energyPKdi` meant?; with `extern")));
        assert_eq!((near("energetic"), near("g"), near("")), (None, None, None));
        assert_eq!((edits("kitten", "sitting"), edits("", "abc"), edits("abc", "abc")), (3, 3, 0));
    }
}
