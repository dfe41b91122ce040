//! What may differ between runs of one program without its derivatives being others: teams, schedules.

use serde::Serialize;
use std::fmt;

/// The most runs of a program at one level.
pub const MOST_RUNS: u64 = 100_000;
/// The most ranks of a program that is judged: each is judged with all others beside it.
pub const MOST_RANKS: usize = 64;

/// What may differ between runs of a program without its derivatives being others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Circumstances {
    /// Ranks of MPI; none for a program that does not run as ranks.
    pub ranks: Option<usize>,
    /// Threads of an OpenMP region that does not say how many.
    pub threads: usize,
    /// Seed of every free choice, the schedule among them.
    pub seed: u64,
}

impl fmt::Display for Circumstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ranks) = self.ranks {
            write!(f, "--ranks {ranks} ")?;
        }
        write!(f, "--threads {} --seed {}", self.threads, self.seed)
    }
}

/// Which runs are made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Runs {
    /// Numbers of ranks; empty for a program that does not run as ranks.
    pub ranks: Vec<usize>,
    /// Sizes of teams, for each number of ranks.
    pub teams: Vec<usize>,
    /// Schedules for each of them: seeds from that of the options on.
    pub schedules: u64,
}

impl Default for Runs {
    fn default() -> Self {
        Runs { ranks: Vec::new(), teams: vec![4], schedules: 1 }
    }
}

impl Runs {
    /// What is wrong with them, if anything.
    pub fn complaint(&self) -> Option<String> {
        let Runs { ranks, teams, schedules } = self;
        if let Some(number) = ranks.iter().find(|number| !(1..=MOST_RANKS).contains(*number)) {
            return Some(format!("{number} ranks: there must be 1 to {MOST_RANKS}"));
        }
        if let Some(size) = teams.iter().find(|size| !(1..=1024).contains(*size)) {
            return Some(format!("a team of {size} threads: it must have 1 to 1024"));
        }
        let runs = schedules.saturating_mul(teams.len() as u64).saturating_mul(ranks.len().max(1) as u64);
        let few = "a program must be run at least once".to_owned();
        let many = format!("{runs} runs of a program: at most {MOST_RUNS} can be judged together");
        (runs == 0).then_some(few).or((runs > MOST_RUNS).then_some(many))
    }

    /// All of them, the schedules of one team together.
    pub fn all(&self, seed: u64) -> Vec<Circumstances> {
        let ranks: Vec<Option<usize>> = match self.ranks.is_empty() {
            true => vec![None],
            false => self.ranks.iter().copied().map(Some).collect(),
        };
        let seeds = || (0..self.schedules).map(move |n| seed.saturating_add(n));
        let of_team =
            |ranks, threads| seeds().map(move |seed| Circumstances { ranks, threads, seed }).collect::<Vec<_>>();
        let teams = ranks.iter().flat_map(|ranks| self.teams.iter().map(|threads| (*ranks, *threads)));
        teams.flat_map(|(ranks, threads)| of_team(ranks, threads)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_team_has_every_schedule() {
        let runs = Runs { teams: vec![1, 3], schedules: 2, ..Runs::default() }.all(5);
        let told: Vec<String> = runs.iter().map(ToString::to_string).collect();
        let expected = ["--threads 1 --seed 5", "--threads 1 --seed 6", "--threads 3 --seed 5", "--threads 3 --seed 6"];
        assert_eq!(told, expected);
    }

    #[test]
    fn numbers_of_ranks_come_first_and_are_told() {
        let runs = Runs { ranks: vec![2, 4], teams: vec![1], schedules: 1 };
        let told: Vec<String> = runs.all(7).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["--ranks 2 --threads 1 --seed 7", "--ranks 4 --threads 1 --seed 7"]);
        assert!(Runs { ranks: vec![2, 65], ..runs }.complaint().is_some_and(|text| text.contains("65 ranks")));
    }

    #[test]
    fn runs_that_cannot_be_made_are_told() {
        let complaint =
            |teams: &[usize], schedules| Runs { teams: teams.to_vec(), schedules, ..Runs::default() }.complaint();
        assert_eq!(complaint(&[1, 1024], 3), None);
        assert!(complaint(&[2, 0], 1).is_some_and(|text| text.contains("team of 0")));
        assert!(complaint(&[1025], 1).is_some() && complaint(&[2], 0).is_some() && complaint(&[], 1).is_some());
        assert!(complaint(&[1, 2], u64::MAX).is_some_and(|text| text.contains("at most")));
    }
}
