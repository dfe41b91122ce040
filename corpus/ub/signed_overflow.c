// Signed overflow makes the sum poison; the comparison of it decides a branch.
// adj-levels: O0
#include <limits.h>
#include <stdio.h>

static int next_is_larger(int n) {
  int next = n + 1;
  if (next > n) //~ ub: poison
    return 1;
  return 0;
}

int main(void) {
  printf("%d\n", next_is_larger(41));
  printf("%d\n", next_is_larger(INT_MAX));
  return 0;
}
