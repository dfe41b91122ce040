//! Exception classes of the C++ library, which a module names without saying what they are.
//!
//! A class is known by the mangled name of its `std::type_info` object, `_ZTI` cut off (Itanium C++ ABI, 5.1.4.3).

/// The prefix of the names of `std::type_info` objects.
pub const TYPE_INFO: &str = "_ZTI";

/// Exception classes and their bases ([std.exceptions], [support.exception]), each of which lies at the beginning.
const STANDARD: &[(&str, &str)] = &[
    ("St9bad_alloc", "St9exception"),
    ("St20bad_array_new_length", "St9bad_alloc"),
    ("St8bad_cast", "St9exception"),
    ("St10bad_typeid", "St9exception"),
    ("St13bad_exception", "St9exception"),
    ("St17bad_function_call", "St9exception"),
    ("St12bad_weak_ptr", "St9exception"),
    ("St11logic_error", "St9exception"),
    ("St12domain_error", "St11logic_error"),
    ("St16invalid_argument", "St11logic_error"),
    ("St12length_error", "St11logic_error"),
    ("St12out_of_range", "St11logic_error"),
    ("St12future_error", "St11logic_error"),
    ("St13runtime_error", "St9exception"),
    ("St11range_error", "St13runtime_error"),
    ("St14overflow_error", "St13runtime_error"),
    ("St15underflow_error", "St13runtime_error"),
    ("St12system_error", "St13runtime_error"),
    ("NSt8ios_base7failureB5cxx11E", "St12system_error"),
];

/// The base of an exception class of the library.
pub fn standard_base(class: &str) -> Option<&'static str> {
    STANDARD.iter().find(|(name, _)| *name == class).map(|(_, base)| *base)
}

/// The classes of `<stdexcept>` and `std::exception` whose member functions do nothing but keep a text.
pub fn is_member_of_standard(function: &str) -> bool {
    let Some(rest) = function.strip_prefix("_ZNK").or_else(|| function.strip_prefix("_ZN")) else { return false };
    STANDARD.iter().any(|(class, base)| rest.starts_with(class) || rest.starts_with(base))
}

/// The class of what a function of the library throws that is named for it (`std::__throw_out_of_range_fmt`), if that
/// can be made of a text.
pub fn thrown_by_library(function: &str) -> Option<&'static str> {
    let rest = function.strip_prefix("_ZSt")?.trim_start_matches(|c: char| c.is_ascii_digit());
    let named = rest.strip_prefix("__throw_")?;
    let (name, arguments) = named.split_at(named.find("PKc")?);
    let name = name.strip_suffix("_fmt").unwrap_or(name);
    let unqualified =
        |class: &str| class.trim_start_matches("St").trim_start_matches(|c: char| c.is_ascii_digit()) == name;
    let bases = |class: &'static str| std::iter::successors(Some(class), |derived| standard_base(derived));
    let of_texts = |class| bases(class).any(|base| matches!(base, "St11logic_error" | "St13runtime_error"));
    let known = STANDARD.iter().map(|(class, _)| *class).find(|class| unqualified(class))?;
    (matches!(arguments, "PKc" | "PKcz") && of_texts(known)).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_throws() {
        assert_eq!(thrown_by_library("_ZSt24__throw_out_of_range_fmtPKcz"), Some("St12out_of_range"));
        assert_eq!(thrown_by_library("_ZSt20__throw_length_errorPKc"), Some("St12length_error"));
        assert_eq!(thrown_by_library("_ZSt17__throw_bad_allocv"), None);
        assert_eq!(thrown_by_library("_ZSt20__throw_future_errori"), None);
        assert_eq!(thrown_by_library("_ZSt4sqrtPKc"), None);
    }

    #[test]
    fn members_of_its_classes() {
        assert!(is_member_of_standard("_ZNSt13runtime_errorC1EPKc"));
        assert!(is_member_of_standard("_ZNKSt9exception4whatEv"));
        assert!(is_member_of_standard("_ZNSt12domain_errorD1Ev"));
        assert!(!is_member_of_standard("_ZNSt6vectorIdSaIdEE2atEm"));
    }
}
