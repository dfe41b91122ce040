// Labels made by a function of variable arguments while the sums that they name are differentiated.
#include "adj.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct sum {
  char label[32];
  double value;
};

static int label(char *out, int size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(out, (size_t)size, format, args);
  va_end(args);
  return length;
}

static double moments(const double *x, int n) {
  struct sum sums[3];
  double total = 0.0;
  for (int k = 0; k < 3; k++) {
    sums[k].value = 0.0;
    int length = label(sums[k].label, 32, "moment %d of %s", k + 1, "x");
    for (int i = 0; i < n; i++) {
      double power = 1.0;
      for (int j = 0; j <= k; j++) power *= x[i];
      sums[k].value += power;
    }
    total += sums[k].value * length;
  }
  return strcmp(sums[2].label, "moment 3 of x") == 0 ? total : -total;
}

int main(void) {
  double x[4] = {0.5, -1.0, 2.0, 0.25}, dx[4] = {0};
  __enzyme_autodiff((void *)moments, enzyme_dup, x, dx, enzyme_const, 4);
  return dx[0] != 0.0 ? 0 : 1;
}
