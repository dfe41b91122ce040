// A table of rows on the stack, whose memory becomes scratch of another type when the table has been used, and a table
// again after that.
#include "adj.h"
#include <stdio.h>

union scratch {
  const double *row[6];
  float number[12];
};

static double swept(const double *a, int n) {
  union scratch s;
  double y = 0.0;
  for (int i = 0; i < n; i++)
    s.row[i] = a + (i * 2) % n;
  for (int i = 0; i < n; i++)
    y += s.row[i][0] * (i + 1);
  for (int i = 0; i < 2 * n; i++)
    s.number[i] = (float)(a[i % n] * y);
  for (int i = 1; i < 2 * n; i++)
    s.number[i] += s.number[i - 1] * 0.5f;
  double z = s.number[2 * n - 1];
  for (int i = 0; i < n; i++)
    s.row[i] = a + n - 1 - i;
  for (int i = 0; i < n; i++)
    z += s.row[i][0] * y;
  return z;
}

int main(void) {
  double a[6] = {0.5, -1.0, 2.0, 0.25, 1.5, -0.75}, d[6] = {0.0};
  __enzyme_autodiff((void *)swept, enzyme_dup, a, d, 6);
  for (int i = 0; i < 6; i++)
    printf("%.5f ", d[i]);
  printf("\n");
  return 0;
}
