// Lanes iterate until none of them goes on; what they vote decides for all.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int t = threadIdx.x, rounds = 0;
  double v = x[t];
  while (__any_sync(0xff, fabs(v) < 1 + 0.1 * t) && rounds < 12) {
    v = 1.2 * v + 0.1 * sin(v);
    rounds++;
  }
  unsigned above = __ballot_sync(0xff, v > 0);
  y[t] = v * (1 + rounds) * (above >> t & 1 ? 2 : 3);
}
KERNEL(f)
int main() { return test<8, 8>(1, 8); }
