// A maximum by a tree in shared memory, then exponentials and their sum.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  __shared__ double s[8];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 4; d > 0; d /= 2) { if (t < d) s[t] = fmax(s[t], s[t + d]); __syncthreads(); }
  double m = s[0];
  __syncthreads();
  s[t] = exp(x[t] - m);
  __syncthreads();
  double z = 0;
  for (int k = 0; k < 8; k++) z += s[k];
  y[t] = s[t] / z;
}
KERNEL(f)
int main() { return test<8, 8>(1, 8); }
