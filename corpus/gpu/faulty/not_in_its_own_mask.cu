// A lane takes part in a shuffle whose mask does not name it.
#include <stdio.h>

__global__ void take(int *x) {
  int t = threadIdx.x;
  x[t] = __shfl_sync(0x0000ffff, x[t], 3); //~ divergence
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  take<<<1, 32>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
