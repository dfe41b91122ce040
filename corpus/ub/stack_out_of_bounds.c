// A write before the start of a stack array, through a negative index: the address is poison already.
// adj-levels: O0
#include <stdio.h>

static void shift(int *a, int n, int by) {
  for (int i = 0; i < n; i++)
    a[i - by] = a[i]; //~ ub: poison
}

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  shift(a, 5, 1);
  printf("%d\n", a[0]);
  return 0;
}
