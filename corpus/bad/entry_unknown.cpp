// The same as a template, whose name is mangled.
// adj-exit: 3
// adj-message: `__enzyme_forward` is no function that is known
#include "adj.h"

template <class R, class... A> R __enzyme_forward(void *, A...);

static double square(double x) { return x * x; }

int main() { return __enzyme_forward<double>((void *)square, 2.0, 1.0) != 4.0; }
