// do-while, continue and break in one loop body; the body runs at least once.
#include "adj.h"
#include <stdio.h>

static double collatz_like(double x, int seed) {
  double sum = 0.0;
  int steps = 0;
  do {
    seed = seed % 2 ? 3 * seed + 1 : seed / 2;
    steps++;
    if (seed % 3 == 0)
      continue;
    if (steps > 25)
      break;
    x = x * 0.9 + 0.1 * x * x / (1 + steps);
    sum += x * (seed % 5);
  } while (seed != 1);
  return sum * x;
}

int main(void) {
  const int seeds[] = {1, 2, 7, 9, 27};
  for (int i = 0; i < 5; i++) {
    double d = __enzyme_autodiff((void *)collatz_like, enzyme_out, 1.25, enzyme_const, seeds[i]);
    printf("%.17g %.17g\n", collatz_like(1.25, seeds[i]), d);
  }
  return 0;
}
