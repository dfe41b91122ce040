// An inclusive scan of a block after Hillis and Steele, with a barrier before and behind each write.
#include <stdio.h>

#define N 64

__global__ void scan(int *x) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int by = 1; by < N; by *= 2) {
    int other = t >= by ? s[t - by] : 0;
    __syncthreads();
    s[t] += other;
    __syncthreads();
  }
  x[t] = s[t];
}

int main() {
  int h[N], *x;
  for (int i = 0; i < N; i++) h[i] = 1;
  cudaMalloc(&x, sizeof h);
  cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
  scan<<<1, N>>>(x);
  cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[N - 1]); // adj-prints: 1 64
  cudaFree(x);
}
