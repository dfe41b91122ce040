// The host reads device memory without a copy.
#include <stdio.h>

__global__ void fill(int *x) { x[threadIdx.x] = threadIdx.x; }

int main() {
  int *x;
  cudaMalloc(&x, 32 * sizeof(int));
  fill<<<1, 32>>>(x);
  printf("%d\n", x[1]); //~ address-space
  cudaFree(x);
}
