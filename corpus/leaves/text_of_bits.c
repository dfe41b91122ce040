// The bits as a decimal integer, as text.
#include "bits.h"
#include <stdio.h>
#include <stdlib.h>
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    char text[40];
    snprintf(text, sizeof text, "%llu", (unsigned long long)bits_of(x[i]));
    y[i] = number_of(strtoull(text, 0, 10));
  }
}
#include "judge.h"
