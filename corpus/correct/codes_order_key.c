// Unsigned keys of the same order as their numbers, kept in an array and brought back in another order.
#include "adj.h"
#include <stdint.h>
#include <string.h>

static uint64_t key_of(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u ^ (u >> 63 ? ~(uint64_t)0 : (uint64_t)1 << 63);
}

static double number_of(uint64_t key) {
  uint64_t u = key ^ (key >> 63 ? (uint64_t)1 << 63 : ~(uint64_t)0);
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}

static double f(const double *x, int n) {
  uint64_t keys[8];
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    keys[i] = key_of(x[i] * x[i] - 2.0 * x[i]);
  for (int i = 0; i < n; i++)
    sum += number_of(keys[n - 1 - i]) * x[i];
  return sum;
}

int main(void) {
  double x[5] = {0.5, -1.25, 2.0, 1.25, -0.5}, dx[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  return dx[2] != 4.0;
}
