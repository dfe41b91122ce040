//! Prints the rule reference: `cargo run -p rules --example reference > docs/rules.md`.

fn main() {
    print!("{}", rules::reference_markdown());
}
