// Shuffles of each kind, in segments of a warp too, with fewer lanes than a warp has.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int t = threadIdx.x;
  double v = sin(x[t]);
  v *= __shfl_xor_sync(0xffffffff, v, 1);
  double w = __shfl_up_sync(0xffffffff, v, 3, 8);
  double b = __shfl_sync(0xffffffff, v, 5);
  y[t] = v * w + b * x[t] + __shfl_sync(0xffffffff, w, t / 2);
}
KERNEL(f)
int main() { return test<12, 12>(1, 12); }
