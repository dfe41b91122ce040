//! Tables of papers, measured again: programs written from the published formulas, each with an adjoint by hand, built
//! with this project's gradients and run side by side.
//!
//! - [`programs`]: the programs, their inputs, and what the paper reports of them;
//! - [`build`]: one program to an executable with a kind of gradient;
//! - [`overloaded`]: the same with tools that overload operators;
//! - [`measure`]: answers checked, then times, interleaved;
//! - [`table1`]: the table of Moses and Churavy, "Instead of Rewriting Foreign Code for Machine Learning, Automatically
//!   Synthesize Fast Gradients" (NeurIPS 2020); [`figure1`], [`figure7`], [`figure10`]: its figures;
//! - [`adbench`]: its inputs from the files of the suite that the programs come from;
//! - [`translation`]: what differentiation costs at compile time;
//! - [`sc22`]: gradients of parallel programs, after the paper of SC'22;
//! - [`ablation`]: what each lever of differentiation is worth;
//! - [`list`]: what there is;
//! - [`outcome`]: what all of them give: text, JSON, CSV, a page; [`plot`]: and a drawing.
//!
//! No time is given for an answer that was not checked.

pub mod ablation;
pub mod adbench;
pub mod build;
pub mod figure1;
pub mod figure10;
pub mod figure7;
pub mod list;
pub mod measure;
pub mod outcome;
pub mod overloaded;
pub mod plot;
pub mod programs;
pub mod sc22;
pub mod table1;
pub mod translation;
