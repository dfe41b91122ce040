// Iterations of an ordered loop tell that they are done, but nobody waits for them.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 16 };
static int chain[N];

int main(void) {
  chain[0] = 1;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < N; i++) {
    chain[i] = chain[i - 1] + i; //~ race
#pragma omp ordered depend(source)
  }
  printf("%d\n", chain[0]);
  return 0;
}
