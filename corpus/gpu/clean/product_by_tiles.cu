// A product of matrices by tiles, with a barrier before and behind the use of a tile.
#include <stdio.h>

#define N 16
#define T 4

__global__ void product(const float *a, const float *b, float *c) {
  __shared__ float ta[T][T], tb[T][T];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;
  float sum = 0;
  for (int k = 0; k < N; k += T) {
    ta[ty][tx] = a[row * N + k + tx];
    tb[ty][tx] = b[(k + ty) * N + column];
    __syncthreads();
    for (int i = 0; i < T; i++) sum += ta[ty][i] * tb[i][tx];
    __syncthreads();
  }
  c[row * N + column] = sum;
}

int main() {
  float h[N * N], *a, *b, *c;
  for (int i = 0; i < N * N; i++) h[i] = i % 5;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMalloc(&c, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
  product<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b, c);
  cudaMemcpy(h, c, sizeof h, cudaMemcpyDeviceToHost);
  float trace = 0;
  for (int i = 0; i < N; i++) trace += h[i * N + i];
  printf("%g\n", trace); // adj-prints: 1530
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
