// Forward mode through global variables: their tangents start at zero with each call, whatever the last one left.
#include "adj.h"
#include <math.h>
#include <stdio.h>

static double table[4] = {1.0, 2.0, 3.0, 4.0};
static double state;
static double *cursor = &table[1];

static void advance(double x) {
  state = state * 0.5 + x * x;
  *cursor = state * cursor[1];
}

static double run(double x, int n) {
  state = 0.25;
  for (int i = 0; i < n; i++)
    advance(x + 0.1 * i);
  double sum = 0.0;
  for (int i = 0; i < 4; i++)
    sum += table[i] * sin(state);
  return sum;
}

static double residue(double x) { return state * x + table[1]; }

int main(void) {
  printf("%.17g\n", __enzyme_fwddiff((void *)run, 0.8, 1.0, 5));
  printf("%.17g %.17g\n", state, table[1]);
  printf("%.17g\n", __enzyme_fwddiff((void *)residue, 0.8, 1.0));
  printf("%.17g\n", __enzyme_fwddiff((void *)run, 0.8, 2.0, 3));
  return 0;
}
