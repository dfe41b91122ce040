// Addresses written into a file as bytes, and read from it in another order.
// adj-exit: 3
// adj-message: no derivative follows it through text
#include "adj.h"
#include <stdio.h>

static double f(const double *x) {
  double cells[3] = {x[0], x[1], x[0] * x[1]}, *rows[3] = {cells + 2, cells, cells + 1}, sum = 0.0;
  FILE *file = tmpfile();
  fwrite(rows, sizeof *rows, 3, file);
  rewind(file);
  for (int i = 0; i < 3; i++) {
    fread(&rows[i], sizeof *rows, 1, file);
    sum += rows[i][0] * (i + 1);
  }
  fclose(file);
  return sum;
}

int main(void) {
  double x[2] = {0.5, -1.5}, dx[2] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx);
  printf("%g %g\n", dx[0], dx[1]);
  return 0;
}
