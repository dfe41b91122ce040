// The two halves of a block wait at different barriers.
#include <stdio.h>

__device__ int first(int *x, int t) {
  int v = x[t];
  __syncthreads(); //~ divergence
  return v + x[31 - t];
}

__global__ void both(int *x) {
  int t = threadIdx.x, v;
  if (t % 2 == 0) {
    v = first(x, t);
  } else {
    v = -x[t];
    __syncthreads(); //~ divergence
  }
  if (v == 12345) x[t] = v;
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  both<<<1, 32>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
