// Functions of the device.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i] + 2, s, c;
  sincos(v, &s, &c);
  float g = rsqrt(0.25f);
  double2 p = make_double2(s, c);
  y[i] = rsqrt(v) + max(s, c) + fma(v, s, c) * g + pow(v, 3) + p.x * p.y + __ldg(x + i) + round(v) + min(i, 3) * v;
}
KERNEL(f)
int main() { return test<9, 9>(3, 4); }
