#!/bin/bash -eu
# Builds the targets that need no compiler at run time; `c_program` runs clang, which the runners of OSS-Fuzz do not have.
cd "$SRC/adjudicate/fuzz/libfuzzer"
cargo +nightly fuzz build --fuzz-dir . -O --no-default-features ir_text
cp target/x86_64-unknown-linux-gnu/release/ir_text "$OUT/"
cp ir.dict "$OUT/ir_text.dict"
zip -qj "$OUT/ir_text_seed_corpus.zip" ../../corpus/correct/*.ll
