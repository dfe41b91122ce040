// Recursion whose end is never reached.
// adj-levels: O0
// adj-exit: 3
#include <stdio.h>

static long count(long n) {
  char frame[256];
  frame[n % 256] = (char)n;
  long rest = count(n + 1); //~ resource: stack
  return rest + frame[n % 256];
}

int main(void) {
  printf("%ld\n", count(0));
  return 0;
}
