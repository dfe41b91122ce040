// Records of an integer and a number are exchanged atomically: each travels in one word.
#include "adj.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct item {
  int count;
  float share;
};

static double weight(struct item item) { return item.count * (double)item.share * item.share; }

static double value(const float *x) {
  struct item first = {2, x[0] * x[1]}, second = {3, x[0] - x[1]}, third = {5, x[0] + x[1]};
  _Atomic(struct item) cell;
  atomic_init(&cell, first);
  double sum = weight(atomic_exchange(&cell, second));
  struct item expected = second;
  bool won = atomic_compare_exchange_strong(&cell, &expected, third);
  struct item seen = first;
  won = won && !atomic_compare_exchange_strong(&cell, &seen, second);
  return sum + weight(atomic_load(&cell)) + (won ? 7.0 * weight(seen) : 0.0);
}

static void dvalue(const float *x, float *dx, double seed) {
  double product = x[0] * x[1], sum = x[0] + x[1];
  dx[0] += (float)(seed * (4.0 * product * x[1] + 8.0 * 10.0 * sum));
  dx[1] += (float)(seed * (4.0 * product * x[0] + 8.0 * 10.0 * sum));
}

int main(void) {
  float x[2] = {1.1f, 0.7f}, dx[2] = {0.0f, 0.0f};
  __adj_check_gradient((void *)value, (void *)dvalue, enzyme_dup, x, dx, 1.0);
  printf("%.5f %.5f\n", dx[0], dx[1]);
  return 0;
}
