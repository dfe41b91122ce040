// HIP: a block turns its part of an array around in shared memory.
#include <hip/hip_runtime.h>
#include <stdio.h>

__global__ void turn(const double *x, double *y) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i];
  __syncthreads();
  y[i] = s[blockDim.x - 1 - t];
}

int main() {
  double h[128], *x, *y;
  for (int i = 0; i < 128; i++) h[i] = i;
  hipMalloc(&x, sizeof h);
  hipMalloc(&y, sizeof h);
  hipMemcpy(x, h, sizeof h, hipMemcpyHostToDevice);
  turn<<<2, 64>>>(x, y);
  hipMemcpy(h, y, sizeof h, hipMemcpyDeviceToHost);
  printf("%g %g\n", h[0], h[127]); // adj-prints: 63 64
  hipFree(x);
  hipFree(y);
}
