//! Marks of memory, by object and place: what is stored leaves them, what is loaded finds them, and copies take them
//! along.

use crate::analysis::memory::object::{ObjId, Targets};
use crate::analysis::memory::place::Place;
use std::collections::BTreeMap;

/// Places of an object that are told apart.
const MAX_PLACES: usize = 64;

/// Something that marks memory.
pub(crate) trait Marker: Copy + PartialEq {
    /// What holds for both, where the first has been there before.
    fn join(self, other: Self) -> Self;
}

/// A mark of so many bytes at a place; of all behind it, if the size is `None`.
#[derive(Clone, Copy)]
pub(crate) struct Span<M> {
    pub place: Place,
    pub size: Option<u64>,
    pub mark: M,
}

/// The marks of all objects.
pub(crate) struct Marked<M>(BTreeMap<ObjId, Vec<Span<M>>>);

impl<M> Default for Marked<M> {
    fn default() -> Marked<M> {
        Marked(BTreeMap::new())
    }
}

impl<M: Marker> Marked<M> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ObjId, &[Span<M>])> {
        self.0.iter().map(|(object, spans)| (*object, spans.as_slice()))
    }

    /// Leaves a mark at a place; says whether that is new.
    pub fn leave(&mut self, object: ObjId, place: Place, size: Option<u64>, mark: M) -> bool {
        let spans = self.0.entry(object).or_default();
        let (place, size) = if spans.len() < MAX_PLACES { (place, size) } else { (Place::ANY, None) };
        match spans.iter_mut().find(|span| (span.place, span.size) == (place, size)) {
            Some(span) => {
                let joined = span.mark.join(mark);
                std::mem::replace(&mut span.mark, joined) != joined
            }
            None => {
                spans.push(Span { place, size, mark });
                true
            }
        }
    }

    /// What memory holds there; all that lies in the objects, if the size is `None`.
    pub fn found(&self, targets: &Targets, size: Option<u64>) -> Option<M> {
        let mut out: Option<M> = None;
        for (object, place) in targets {
            for span in self.0.get(object).into_iter().flatten() {
                let meets = match (size, span.size) {
                    (Some(size), Some(bytes)) => span.place.overlaps(bytes, *place, size),
                    _ => true,
                };
                if meets {
                    out = Some(out.map_or(span.mark, |out| out.join(span.mark)));
                }
            }
        }
        out
    }

    /// `size` bytes (as many as there are, if that is not known) go from the second to the first, and their marks with
    /// them, as `moved` makes them there. What lies where in the source is kept where it is known, and what goes to or
    /// from a text stays in it. Says whether that is new.
    pub fn copy(
        &mut self,
        (to, from): (&Targets, &Targets),
        size: Option<u64>,
        text: impl Fn(ObjId, Place) -> Option<Place>,
        moved: impl Fn(M) -> M,
    ) -> bool {
        let exact = |p: &Place| p.stride == 0 && p.extent() == 0;
        let mut found = Vec::new();
        for (object, place) in from {
            if let Some(text) = text(*object, *place) {
                found.extend(self.found(&Targets::from([(*object, text)]), Some(1)).map(|mark| (None, mark)));
                continue;
            }
            for span in self.0.get(object).into_iter().flatten() {
                match (span.size, exact(&span.place) && exact(place)) {
                    (Some(bytes), true) => {
                        let offset = span.place.start.wrapping_sub(place.start);
                        let within = offset + bytes as i64 > 0 && size.is_none_or(|size| offset < size as i64);
                        found.extend(within.then_some((Some((offset, bytes)), span.mark)));
                    }
                    _ => found.push((None, span.mark)),
                }
            }
        }
        let mut new = false;
        for (part, mark) in found {
            new |= self.spread(to, part, size, &text, moved(mark));
        }
        new
    }

    /// Marks a part of what is copied, by offset and size: somewhere in it, if that is not known.
    pub fn spread(
        &mut self,
        to: &Targets,
        part: Option<(i64, u64)>,
        size: Option<u64>,
        text: impl Fn(ObjId, Place) -> Option<Place>,
        mark: M,
    ) -> bool {
        let mut new = false;
        for (object, place) in to {
            new |= match (part, text(*object, *place)) {
                (_, Some(text)) => self.leave(*object, text, Some(1), mark),
                (Some((offset, bytes)), None) => self.leave(*object, place.moved(offset, 0), Some(bytes), mark),
                (None, None) => self.leave(*object, place.moved(0, 1), size.map(|_| 1), mark),
            };
        }
        new
    }
}
