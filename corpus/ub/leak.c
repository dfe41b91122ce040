// A buffer is lost on the early return.
// adj-levels: O0
#include <stdio.h>
#include <stdlib.h>

static double first_positive(const double *x, int n) {
  double *copy = malloc((size_t)n * sizeof *copy); //~ leak
  if (!copy)
    abort();
  for (int i = 0; i < n; i++) {
    copy[i] = x[i];
    if (copy[i] > 0.0)
      return copy[i];
  }
  free(copy);
  return 0.0;
}

int main(void) {
  const double x[3] = {-1.0, -2.0, 3.0};
  printf("%g\n", first_positive(x, 2));
  printf("%g\n", first_positive(x, 3));
  return 0;
}
