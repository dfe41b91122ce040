//! Defects of the analysis, to be planted on purpose: each overlooks one thing, so that a shadow disappears. The
//! independent check
//! ([`crate::check::shadows`]) has to find every one of them.

use crate::analysis::memory::Facts;

/// What is overlooked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blind {
    /// Where the operands of a phi lead.
    PhiPointer,
    /// Where the operands of a selection lead.
    SelectedPointer,
    /// Where an address leads that is moved.
    MovedPointer,
    /// A pointer that is stored.
    StoredPointer,
    /// A pointer that is loaded.
    LoadedPointer,
    /// Pointers in memory that is copied.
    CopiedPointer,
    /// A pointer that a function gets.
    PassedPointer,
    /// A pointer that a function returns.
    ReturnedPointer,
    /// An active value that is stored.
    StoredActivity,
    /// An active value that is loaded.
    LoadedActivity,
    /// Active values in memory that is copied.
    CopiedActivity,
    /// An active value that a function gets.
    PassedActivity,
    /// An active value that a function returns.
    ReturnedActivity,
    /// An active value that is widened or narrowed.
    ConvertedActivity,
    /// What arithmetic makes of an active value.
    ComputedActivity,
    /// What a function of the table makes of one.
    RuleActivity,
    /// What it leaves behind a pointer.
    RuleOutput,
    /// The floats that an integer carries.
    CarriedFloat,
    /// That the memory needs a shadow which holds addresses of memory with one.
    ShadowOfPointers,
    /// Memory of the program's that holds active values.
    ShadowOfActive,
    /// A read of constant memory in which an active value was stored.
    ReadAgain,
}

impl Blind {
    /// All of them.
    pub const ALL: [Blind; 21] = [
        Blind::PhiPointer,
        Blind::SelectedPointer,
        Blind::MovedPointer,
        Blind::StoredPointer,
        Blind::LoadedPointer,
        Blind::CopiedPointer,
        Blind::PassedPointer,
        Blind::ReturnedPointer,
        Blind::StoredActivity,
        Blind::LoadedActivity,
        Blind::CopiedActivity,
        Blind::PassedActivity,
        Blind::ReturnedActivity,
        Blind::ConvertedActivity,
        Blind::ComputedActivity,
        Blind::RuleActivity,
        Blind::RuleOutput,
        Blind::CarriedFloat,
        Blind::ShadowOfPointers,
        Blind::ShadowOfActive,
        Blind::ReadAgain,
    ];
}

impl Facts {
    pub(super) fn overlooks(&self, what: Blind) -> bool {
        self.blind == Some(what)
    }
}
