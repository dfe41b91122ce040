// A copy to the device is said to be one to the host.
#include <stdio.h>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int h[32] = {0}, *x;
  cudaMalloc(&x, sizeof h);
  fill<<<1, 32>>>(x);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyDeviceToHost); //~ address-space
  cudaFree(x);
}
