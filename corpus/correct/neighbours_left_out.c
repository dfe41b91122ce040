/* The second cell is read by no iteration, if there is only one: in the place of its adjoint there may be anything, and it stays what it is. */
#include <adj.h>
#include <stdlib.h>
#include <string.h>

/* A number that the optimiser does not know. */
static volatile int first = 1;

static void products(double *out, const double *x, int n) {
  for (int i = 1; i <= n; i++) out[i] = x[i - 1] * x[i + 1];
}

int main(void) {
  double x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, out[8], dx[8] = {0}, dout[8] = {0, 1, 1, 1, 1, 1, 1, 0};
  /* An address, which would be none any more if something were added to it. */
  double there = 0.5, *before = &there, *after;
  memcpy(&dx[1], &before, sizeof before);
  __enzyme_autodiff((void *)products, enzyme_dup, out, dout, enzyme_dup, x, dx, enzyme_const, first);
  memcpy(&after, &dx[1], sizeof after);
  if (*after != 0.5 || dx[0] != 3 || dx[2] != 1 || dx[3] != 0) abort();
  memset(dx, 0, sizeof dx);
  for (int i = 0; i < 8; i++) dout[i] = 1;
  __enzyme_autodiff((void *)products, enzyme_dup, out, dout, enzyme_dup, x, dx, enzyme_const, first + 5);
  if (dx[1] != 4 || dx[2] != 1 + 5 || dx[6] != 5 || dx[7] != 6) abort();
  return 0;
}
