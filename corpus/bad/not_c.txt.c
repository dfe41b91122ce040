This file is plain English, and no compiler will take it for C.
adj-exit: 2
adj-message: does not compile
