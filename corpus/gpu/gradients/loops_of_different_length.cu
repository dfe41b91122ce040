// Threads iterate until they are done, each in its own time.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  int k = 0;
  while (fabs(v) < 3 && k < 20) { v = v * 1.3 + 0.1 * x[(i + k) % n] * v; k++; }
  y[i] = v * k;
}
KERNEL(f)
int main() { return test<10, 10>(3, 4); }
