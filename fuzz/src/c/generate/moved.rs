//! Memory that is moved as bytes, and numbers with steps.

use super::Generator;
use crate::c::moved::{How, Member, Move, Moved, Part, Room, Rows, Seen, Words, Zeroed};
use crate::c::stepped::{Between, Decided, Decision, Made, Rounded, Taken, Used};
use crate::c::ways::{Kept, Shape};

impl Generator<'_, '_, '_> {
    /// A block of memory and its way.
    pub(super) fn moved(&mut self) -> Option<Moved> {
        let odds = &self.odds.travels;
        let long = self.choices.chance(odds.long);
        let head = if self.choices.chance(odds.header) { self.record(2, false) } else { Vec::new() };
        let body = self.record(if long { 6 } else { 3 }, long);
        let tail = if self.choices.chance(odds.two_kinds) { self.record(2, false) } else { Vec::new() };
        let rows = match (long, self.choices.int(0, 9)) {
            (true, 0..=5) => Rows::Fixed(1),
            (true, 6 | 7) => Rows::Fixed(2),
            (true, _) => Rows::Run(1),
            (false, 0) => Rows::Fixed(1),
            (false, 1 | 2) => Rows::Fixed(self.choices.int(2, 40) as u32),
            (false, 3..=6) => Rows::Run(1),
            (false, _) => Rows::Run(self.choices.int(2, 12) as u32),
        };
        let count = self.choices.int(0, 3);
        let moves = (0..count).map(|_| self.a_move()).collect::<Option<Vec<Move>>>()?;
        let cleared = if self.choices.chance(40) { Some(self.zeroed()?) } else { None };
        let (room, zeroed) = (self.choices.pick(&Room::ALL)?.0, self.zeroed()?);
        let (written, read) = (self.seen()?, self.seen()?);
        let counted = self.choices.chance(20);
        Some(Moved { head, body, tail, rows, room, zeroed, written, moves, read, cleared, counted })
    }

    fn zeroed(&mut self) -> Option<Zeroed> {
        // What works byte by byte is refused more often than not.
        let by_bytes = [Zeroed::Bytes, Zeroed::Downwards, Zeroed::Words, Zeroed::Behind, Zeroed::OutlinedBytes];
        let all = Zeroed::ALL.map(|(zeroed, _)| (if by_bytes.contains(&zeroed) { 1 } else { 3 }, zeroed));
        self.choices.weighted(&all)
    }

    fn seen(&mut self) -> Option<Seen> {
        if self.choices.chance(40) { Some(Seen::Start) } else { Some(self.choices.pick(&Seen::ALL)?.0) }
    }

    /// Up to so many parts of a record, of which one has many members if it is to be long.
    fn record(&mut self, most: i64, long: bool) -> Vec<Part> {
        let count = self.choices.int(1, most) as usize;
        let large = if long { self.choices.index(count) } else { count };
        (0..count).map(|at| self.part(at == large)).collect()
    }

    fn part(&mut self, large: bool) -> Part {
        let weights = [
            (8, Member::Number),
            (3, Member::Single),
            (3, Member::Long),
            (3, Member::Int),
            (1, Member::Byte),
            (3, Member::Pointer),
            (2, Member::Nested),
        ];
        let member = self.choices.weighted(&weights).unwrap_or(Member::Number);
        let count = match (large, member) {
            (true, Member::Nested) => self.choices.int(10, 20),
            (true, Member::Single | Member::Int) => self.choices.int(60, 300),
            (true, Member::Byte) => self.choices.int(300, 600),
            (true, _) => self.choices.int(50, 160),
            (false, _) if self.choices.chance(60) => 1,
            (false, _) => self.choices.int(2, 5),
        };
        let stride = |this: &mut Self| match this.choices.chance(35) {
            true => this.choices.pick(&[2, 3, 5, 7]).unwrap_or(1),
            false => 1,
        };
        let read = if large { 1 + self.choices.index(2) as u32 } else { 1 };
        let written = stride(self);
        let read = if written > 1 { stride(self) } else { read };
        Part { member, count: count as u32, written, read }
    }

    fn a_move(&mut self) -> Option<Move> {
        let to = self.choices.pick(&Room::ALL)?.0;
        // Words of mixed records are refused more often than not.
        let how = match self.choices.chance(18) {
            true => How::Words(self.words()?),
            false => {
                let whole = How::whole();
                let others: Vec<How> = whole.into_iter().filter(|how| !matches!(how, How::Words(_))).collect();
                self.choices.pick(&others)?
            }
        };
        Some(Move { to, how })
    }

    fn words(&mut self) -> Option<Words> {
        let stride = self.choices.pick(&[1, 1, 2, 3, 5, 7])?;
        let kept = if self.choices.chance(50) { Kept::Register } else { self.choices.pick(&Kept::MEMORY)?.0 };
        let count = if self.choices.chance(25) { self.choices.int(1, 2) } else { 0 };
        let steps = (0..count).map(|_| self.step()).collect();
        Some(Words { stride, some: self.choices.chance(25), reversed: self.choices.chance(30), steps, kept })
    }

    /// A number rounded by the adding of a large constant.
    pub(super) fn rounded(&mut self) -> Option<Rounded> {
        let places = if self.choices.chance(50) { 0 } else { self.choices.int(1, 8) as u32 };
        let taken = if self.choices.chance(65) { Taken::Difference } else { Taken::Bits };
        Some(Rounded {
            single: self.choices.chance(40),
            plain: self.choices.chance(20),
            places,
            between: self.choices.pick(&Between::ALL)?.0,
            taken,
            used: self.choices.pick(&Used::ALL)?.0,
        })
    }

    /// An integer from many decisions on a number.
    pub(super) fn decided(&mut self) -> Option<Decided> {
        let count = if self.choices.chance(40) { self.choices.int(3, 15) } else { self.choices.int(16, 120) };
        Some(Decided {
            count: count as u32,
            shape: if self.choices.chance(65) { Shape::Once } else { Shape::Outlined },
            by: self.choices.pick(&Decision::ALL)?.0,
            made: self.choices.pick(&Made::ALL)?.0,
            used: self.choices.pick(&Used::ALL)?.0,
        })
    }
}
