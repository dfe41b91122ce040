// A word that holds an address or an integer, told apart by a flag: addresses in it lead to their shadows, and a gradient
// goes on wherever it is one.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
  int number;
  uint64_t word;
};

static double sum(const struct value *values, int n) {
  double total = 0.0;
  for (int i = 0; i < n; i++) {
    if (values[i].number) {
      total += 0.5 * (double)values[i].word;
      continue;
    }
    const double *at;
    memcpy(&at, &values[i].word, sizeof at);
    total += at[0] * at[1];
  }
  return total;
}

static double f(const double *x, int n) {
  struct value *values = malloc(n * sizeof *values);
  double *own = malloc((n + 1) * sizeof *own);
  for (int i = 0; i <= n; i++) own[i] = x[i % n] * x[i % n];
  for (int i = 0; i < n; i++) {
    values[i].number = i % 3 == 1;
    values[i].word = values[i].number ? (uint64_t)(i * i) : (uint64_t)own + (uint64_t)i * sizeof *own;
  }
  double total = sum(values, n);
  free(own);
  free(values);
  return total;
}

int main(void) {
  double x[5] = {0.5, -1.25, 2.0, 0.75, -0.5}, dx[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_const, 5);
  for (int i = 0; i < 5; i++) printf("%g\n", dx[i]);
  return dx[0] == 0.0;
}
