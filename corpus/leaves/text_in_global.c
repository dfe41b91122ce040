// Text in a global variable, written in one function and read in another one.
#include <stdio.h>
#include <stdlib.h>
static char note[8][40];
static __attribute__((noinline)) void put(int i, double v) { sprintf(note[i], "%.17g", v); }
static __attribute__((noinline)) double get(int i) { return atof(note[i]); }
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    put(i, x[i]);
  for (int i = 0; i < n; i++)
    y[i] = get(i);
}
#include "judge.h"
