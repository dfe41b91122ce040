// Rows of a Jacobian in reverse mode: the shadows of arguments and results are functions, and blocks of them are
// copied and cleared.
#include "adj.h"
#include <string.h>

float *__enzyme_todense(void *, ...);

enum { N = 5 };

struct row {
  int entries;
  float sum[N];
};

static void products(const float *x, float *y, int n) {
  float t[16];
  memcpy(t, x, n * sizeof *x);
  memset(y, 0, n * sizeof *y);
  for (int i = 0; i < n; i++)
    y[i] = t[i] * t[(i + 1) % n];
}

static float unit_load(long at, int row) { return at / (long)sizeof(float) == row; }
static void unit_store(float value, long at, int row) {}

static float entry_load(long at, struct row *row) { return 0; }
static void entry_store(float value, long at, struct row *row) {
  if (value == 0)
    return;
  row->entries++;
  row->sum[at / (long)sizeof value] += value;
}

int main(void) {
  float x[N] = {1, 2, 3, 4, 5}, y[N];
  for (int i = 0; i < N; i++) {
    struct row row = {0, {0}};
    float *dy = __enzyme_todense((void *)unit_load, (void *)unit_store, i);
    float *dx = __enzyme_todense((void *)entry_load, (void *)entry_store, &row);
    __enzyme_autodiff((void *)products, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, N);
    int next = (i + 1) % N;
    for (int j = 0; j < N; j++)
      if (row.sum[j] != (j == i ? x[next] : j == next ? x[i] : 0))
        return 1;
    if (row.entries < 2)
      return 1;
  }
  return 0;
}
