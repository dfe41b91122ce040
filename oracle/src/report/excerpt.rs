//! Excerpts of the user's source: the line, its number, and a caret below the column.

use super::Position;
use std::collections::HashMap;
use std::fs;

/// Source files read so far.
#[derive(Default, Debug)]
pub struct Sources {
    files: HashMap<String, Option<Vec<String>>>,
}

/// Longest line that is shown in full, in characters.
const WIDEST: usize = 160;

impl Sources {
    /// The text of a line, if its file can be read.
    pub fn line(&mut self, position: &Position) -> Option<&str> {
        let read = || {
            let text = fs::read_to_string(&position.file).ok()?;
            Some(text.lines().map(str::to_owned).collect())
        };
        let lines = self.files.entry(position.file.clone()).or_insert_with(read).as_ref()?;
        lines.get((position.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The line as three rows: a bar, the line with its number, and the caret if the column is known.
    pub fn excerpt(&mut self, position: &Position) -> Option<Excerpt> {
        let line = self.line(position)?;
        let shown: String = line.replace('\t', " ").chars().take(WIDEST).collect();
        let column = (position.column as usize).checked_sub(1);
        // Without a column the whole statement is meant: the caret goes below its first character.
        let column = column.unwrap_or_else(|| shown.len() - shown.trim_start().len());
        Some(Excerpt { number: position.line, text: shown, caret: column.min(WIDEST) })
    }
}

/// A line of source to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// Its number.
    pub number: u32,
    /// Its text.
    pub text: String,
    /// The column of the caret, counted from 0.
    pub caret: usize,
}
