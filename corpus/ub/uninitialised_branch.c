// A flag is set on one path only, and then decides a branch.
// adj-levels: O0
#include <stdio.h>

static int classify(double x) {
  int positive;
  if (x > 0.0)
    positive = 1;
  if (positive) //~ ub: uninitialised
    return 2;
  return 3;
}

int main(void) {
  printf("%d\n", classify(1.0));
  printf("%d\n", classify(-1.0));
  return 0;
}
