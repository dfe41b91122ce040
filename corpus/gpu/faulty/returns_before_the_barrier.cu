// The last block is larger than what is left: its surplus threads return before a barrier.
#include <stdio.h>

__global__ void mirror(int *x, int n) {
  __shared__ int s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n) return;
  s[t] = x[i];
  __syncthreads(); //~ divergence
  x[i] = s[t];
}

int main() {
  int h[64], *x;
  for (int i = 0; i < 64; i++) h[i] = i;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  mirror<<<2, 32>>>(x, 50);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
  cudaFree(x);
}
