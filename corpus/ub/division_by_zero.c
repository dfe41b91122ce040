// The mean of no numbers, with integers.
// adj-levels: O0
#include <stdio.h>

static int mean(const int *x, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  return sum / n; //~ ub: division-by-zero
}

int main(void) {
  const int x[3] = {4, 5, 9};
  printf("%d\n", mean(x, 3));
  printf("%d\n", mean(x, 0));
  return 0;
}
