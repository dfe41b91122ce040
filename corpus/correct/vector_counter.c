// A loop counter used as data, next to narrow and wide floats: vectorised, the counter is a vector itself.
#include "adj.h"
#include <math.h>
#include <stdio.h>

#define N 33

static double weigh(double x) {
  float narrow[N];
  double wide[N];
  int order[N];
  for (int i = 0; i < N; i++) {
    narrow[i] = (float)(x * i * 0.05);
    wide[i] = 0.3 * i + sin(x);
    order[i] = (i * 7) % N;
  }
  for (int i = 0; i < N; i++)
    wide[i] += narrow[i] * narrow[i];
  for (int i = 0; i < N; i++)
    narrow[i] = (float)(0.3 * wide[order[i]]) + narrow[i];
  float sum = 0.0f;
  for (int i = 0; i < N; i++)
    sum += narrow[i] * 0.1f;
  return sum;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    double x = 0.4 + 0.3 * i;
    printf("%.17g %.17g\n", weigh(x), __enzyme_autodiff((void *)weigh, x));
  }
  return 0;
}
