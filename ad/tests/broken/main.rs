//! Wrong plans, each of which the checker has to refuse.
//!
//! A *case* is a program with a gap, and a value that the reverse pass has again in a way that the test forces on the
//! plan, whatever the planner would do. With harmless text in the gap the forced plan is right, and accepted: so the
//! refusal of the other texts is for what they say. The planner's own plan of every program is accepted, too.

mod calls;
mod control;
mod forging;
mod memory;
