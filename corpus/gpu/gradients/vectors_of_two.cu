// Loads and stores of two numbers at once.
#include "gradient.h"
__device__ void f(const double *x, double *y, int n) {
  int t = threadIdx.x;
  double2 p = ((const double2 *)x)[t];
  double2 q = {p.x * p.y, p.x + p.y * p.y};
  ((double2 *)y)[t] = q;
}
KERNEL(f)
int main() { return test<12, 12>(1, 6); }
