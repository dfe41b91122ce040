//! Which thread runs, and for how long: a function of the seed.
//!
//! Seed 0 is round robin with a fixed quantum, and after many turns with one that varies: threads that get into each
//! other's way in step (each holds the lock that another tries to take, and gives it up) come out of it. Odd seeds
//! preempt at random (a mean quantum between 1 and 60 instructions, by the seed). Other even seeds give threads random
//! priorities and lower that of the running one at random moments, after Burckhardt, Kothari, Musuvathi and
//! Nagarakatte, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010. Deviation: the
//! moments do not end, so that a thread that spins on a value is sooner or later put behind the thread that it waits
//! for.

/// How threads are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Policy {
    RoundRobin,
    Random { mean: u64 },
    Priority,
}

/// The scheduler.
#[derive(Clone, Debug)]
pub struct Schedule {
    policy: Policy,
    state: u64,
    /// Priorities by thread; the greatest runs.
    priorities: Vec<i64>,
    /// Below all priorities given so far.
    lowest: i64,
    /// Turns so far.
    turns: u64,
}

/// Instructions of a turn in round robin: a prime number, so that no shorter loop stays in step with the turns. (One
/// that looks at a flag under a lock would hold the lock at the end of each of them.)
const QUANTUM: u64 = 101;
/// Turns in round robin that are as long as each other.
const TURNS: u64 = 4096;
/// Instructions of a later one, at most.
const LONGEST: u64 = 16 * QUANTUM;
/// Instructions between two changes of priority, at most.
const CHANGE: u64 = 400;

impl Schedule {
    /// The schedule of a seed.
    pub fn new(seed: u64) -> Schedule {
        let policy = match seed {
            0 => Policy::RoundRobin,
            odd if odd % 2 == 1 => Policy::Random { mean: [1, 4, 15, 60][(odd / 2 % 4) as usize] },
            _ => Policy::Priority,
        };
        Schedule {
            policy,
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15),
            priorities: Vec::new(),
            lowest: 0,
            turns: 0,
        }
    }

    /// A number from the seed (splitmix64; Steele, Lea and Flood, OOPSLA 2014).
    pub fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// How many instructions the chosen thread may execute.
    pub fn turn(&mut self) -> u64 {
        match self.policy {
            Policy::RoundRobin => {
                self.turns += 1;
                if self.turns <= TURNS { QUANTUM } else { 1 + self.random() % LONGEST }
            }
            Policy::Random { mean } => 1 + self.random() % (2 * mean),
            Policy::Priority => 1 + self.random() % CHANGE,
        }
    }

    /// At an operation that orders threads: is the turn over? Errors of synchronisation show where threads change
    /// between two of them.
    pub fn interrupts(&mut self) -> bool {
        match self.policy {
            Policy::RoundRobin => false,
            Policy::Random { .. } => self.random().is_multiple_of(3),
            Policy::Priority => self.random().is_multiple_of(8),
        }
    }

    /// The running thread has had its turn, or gives it up.
    pub fn lower(&mut self, thread: usize) {
        self.priority(thread);
        self.lowest -= 1;
        self.priorities[thread] = self.lowest;
    }

    fn priority(&mut self, thread: usize) -> i64 {
        while self.priorities.len() <= thread {
            let fresh = (self.random() >> 40) as i64;
            self.priorities.push(fresh);
        }
        self.priorities[thread]
    }

    /// One of the threads that can run (there is one); `last` ran before.
    pub fn choose(&mut self, ready: &Ready, last: usize) -> usize {
        let first = || ready.after(0).unwrap_or(0);
        match self.policy {
            Policy::RoundRobin => ready.after(last + 1).unwrap_or_else(first),
            Policy::Random { .. } => ready.nth((self.random() % ready.len() as u64) as usize).unwrap_or_else(first),
            Policy::Priority => {
                let mut best = first();
                for thread in ready.iter() {
                    if self.priority(thread) > self.priority(best) {
                        best = thread;
                    }
                }
                best
            }
        }
    }
}

/// The threads that can run: a set of small numbers, a bit each.
#[derive(Clone, Default, Debug)]
pub struct Ready {
    words: Vec<u64>,
    len: usize,
}

impl Ready {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// There is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a thread in or takes it out.
    pub fn put(&mut self, thread: usize, can_run: bool) {
        let (word, bit) = (thread / 64, 1 << (thread % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let was = self.words[word] & bit != 0;
        if was != can_run {
            self.words[word] ^= bit;
            self.len = if can_run { self.len + 1 } else { self.len - 1 };
        }
    }

    /// The first from that number on.
    pub fn after(&self, from: usize) -> Option<usize> {
        let rest = self.words.get(from / 64)? & (u64::MAX << (from % 64));
        if rest != 0 {
            return Some(from / 64 * 64 + rest.trailing_zeros() as usize);
        }
        let (word, bits) = self.words.iter().enumerate().skip(from / 64 + 1).find(|(_, bits)| **bits != 0)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    /// The so-manieth in ascending order.
    pub fn nth(&self, mut number: usize) -> Option<usize> {
        for (word, bits) in self.words.iter().enumerate() {
            let here = bits.count_ones() as usize;
            if number < here {
                let mut bits = *bits;
                for _ in 0..number {
                    bits &= bits - 1;
                }
                return Some(word * 64 + bits.trailing_zeros() as usize);
            }
            number -= here;
        }
        None
    }

    /// All in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.after(0), |last| self.after(last + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_do_not_stay_in_step() {
        let mut schedule = Schedule::new(0);
        let turns: Vec<u64> = (0..2 * TURNS).map(|_| schedule.turn()).collect();
        let (first, later) = turns.split_at(turns.len() / 2);
        assert!(first.iter().all(|turn| *turn == QUANTUM));
        assert!(later.iter().any(|turn| *turn < QUANTUM) && later.iter().any(|turn| *turn > 4 * QUANTUM));
    }

    #[test]
    fn round_robin_takes_turns() {
        let mut schedule = Schedule::new(0);
        let ready = set(&[0, 1, 3]);
        assert_eq!(schedule.choose(&ready, 1), 3);
        assert_eq!(schedule.choose(&ready, 3), 0);
    }

    fn set(threads: &[usize]) -> Ready {
        let mut ready = Ready::default();
        for thread in threads {
            ready.put(*thread, true);
        }
        ready
    }

    #[test]
    fn a_set_of_threads_is_what_was_put_in_and_not_taken_out() {
        let mut ready = set(&[5, 63, 64, 200, 4095]);
        ready.put(64, false);
        ready.put(64, false);
        ready.put(5, true);
        assert_eq!(ready.iter().collect::<Vec<_>>(), [5, 63, 200, 4095]);
        assert_eq!((0..5).map(|n| ready.nth(n)).collect::<Vec<_>>(), [Some(5), Some(63), Some(200), Some(4095), None]);
        assert_eq!((ready.len(), ready.after(64), ready.after(4096)), (4, Some(200), None));
    }

    #[test]
    fn the_same_seed_gives_the_same_schedule_and_nobody_starves() {
        for seed in 1..40 {
            let run = |seed| {
                let mut schedule = Schedule::new(seed);
                let (mut last, mut order) = (0, Vec::new());
                for _ in 0..400 {
                    schedule.turn();
                    schedule.lower(last);
                    last = schedule.choose(&set(&[0, 1, 2]), last);
                    order.push(last);
                }
                order
            };
            assert_eq!(run(seed), run(seed));
            for thread in 0..3 {
                assert!(run(seed).contains(&thread), "seed {seed} starves thread {thread}");
            }
        }
    }
}
