//! Numbers and pointers that travel as something else.

use super::Generator;
use crate::c::ast::idiom::Idiom;
use crate::c::ast::{Kind, Stmt};
use crate::c::travel::{Bits, Carried, Chosen, Constant, Link, Read, Sort, Text, Travel, What, Written};
use crate::c::ways::{Kept, Shape, Step, VarId};

/// What travels, and how.
#[derive(Clone, Copy)]
enum Family {
    Idiom,
    Bits,
    Library,
    Text,
    Sort,
    Link,
    PointerLibrary,
    Constant,
    Moved,
    Rounded,
    Decided,
}

impl Generator<'_, '_, '_> {
    /// One way.
    pub(super) fn travels(&mut self) -> Option<Stmt> {
        let plans: Vec<VarId> = self.visible().filter(|(_, v)| v.kind == Kind::Plan).map(|(v, _)| v).collect();
        let o = &self.odds.travels;
        let family = self.choices.weighted(&[
            (o.idiom, Family::Idiom),
            (o.bits, Family::Bits),
            (o.library, Family::Library),
            (o.text, Family::Text),
            (o.sort, Family::Sort),
            (o.link, Family::Link),
            (o.pointer_library, Family::PointerLibrary),
            (if plans.is_empty() { 0 } else { o.constant }, Family::Constant),
            (o.moved, Family::Moved),
            (o.rounded, Family::Rounded),
            (o.decided, Family::Decided),
        ])?;
        let travel = match family {
            Family::Idiom => {
                let (idiom, _) = self.choices.pick(&Idiom::TRAVELS)?;
                return self.idiom_of(idiom);
            }
            Family::Bits => {
                let (kept, _) = self.choices.pick(&Kept::MEMORY)?;
                Travel::Bits(self.bits(kept))
            }
            Family::Library => {
                let (kept, _) = self.choices.pick(&Kept::LIBRARY)?;
                Travel::Bits(self.bits(kept))
            }
            Family::Text => Travel::Text(self.text()?),
            Family::Sort => Travel::Sorted(self.choices.pick(&Sort::ALL)?.0),
            Family::Link => Travel::Linked(self.choices.pick(&Link::MEMORY)?.0),
            Family::PointerLibrary => Travel::Linked(self.choices.pick(&Link::LIBRARY)?.0),
            Family::Moved => Travel::Moved(Box::new(self.moved()?)),
            Family::Rounded => Travel::Rounded(self.rounded()?),
            Family::Decided => Travel::Decided(self.decided()?),
            Family::Constant => {
                let plan = self.choices.pick(&plans)?;
                let (by, _) = self.choices.pick(&Chosen::ALL)?;
                Travel::Constant(Constant { plan, by, read: self.choices.chance(self.odds.travels.read_again) })
            }
        };
        let to = self.cell(true)?;
        let args = vec![self.float(1), self.float(1)];
        Some(Stmt::Travel(travel, to, args, self.int(1)))
    }

    fn bits(&mut self, kept: Kept) -> Bits {
        let what = match self.choices.chance(self.odds.travels.pointer) {
            true => What::Pointer,
            false if self.choices.chance(self.odds.single) => What::Single,
            false => What::Double,
        };
        let shape = match self.choices.int(0, 9) {
            0..=5 => Shape::Once,
            6 | 7 => Shape::Each,
            _ => Shape::Outlined,
        };
        // Without a step it is a mere copy, in whatever keeps it.
        let most = if kept == Kept::Register { 3 } else { 2 };
        let count = self.choices.int(i64::from(kept == Kept::Register), most);
        let steps = (0..count).map(|_| self.step()).collect();
        Bits { what, shape, steps, kept }
    }

    pub(super) fn step(&mut self) -> Step {
        let drawn = self.choices.pick(&Step::ALL).map_or(Step::Complement, |(step, _)| step);
        let key = |this: &mut Self| this.choices.int(1, i64::from(u32::MAX)) as u32 | 1;
        match drawn {
            Step::Rotate(_, by_hand) => {
                let bytes = self.choices.chance(40);
                let by = self.choices.int(0, 62) as u32;
                // Rotations by whole bytes are likelier to be undone.
                Step::Rotate(if bytes { by / 8 * 8 + 7 } else { by }, by_hand)
            }
            Step::Key(_) => Step::Key(key(self)),
            Step::Add(_) => Step::Add(key(self)),
            other => other,
        }
    }

    fn text(&mut self) -> Option<Text> {
        let (carried, _) = self.choices.pick(&Carried::ALL)?;
        let (read, _) = self.choices.pick(&Read::ALL)?;
        let (written, _) = self.choices.pick(&Written::ALL)?;
        let written = if read == Read::ByHand { Written::Fixed } else { written };
        Some(Text { single: self.choices.chance(self.odds.single), written, carried, read })
    }
}
