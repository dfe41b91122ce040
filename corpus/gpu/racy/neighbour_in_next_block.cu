// A cell is computed from one that a thread of another block writes: a barrier orders its own block only.
#include <stdio.h>

__global__ void shift(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int next = x[(i + 1) % n]; //~ race
  __syncthreads();
  x[i] = next; //~ race
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  shift<<<2, 32>>>(x, 64);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
