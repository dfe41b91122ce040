// The transpose of a matrix by tiles in shared memory, without the barrier between writing and reading a tile.
#include <stdio.h>

#define N 32
#define T 8

__global__ void transpose(const float *a, float *b) {
  __shared__ float tile[T][T + 1];
  int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = a[y * N + x]; //~ race
  x = blockIdx.y * T + threadIdx.x;
  y = blockIdx.x * T + threadIdx.y;
  b[y * N + x] = tile[threadIdx.x][threadIdx.y]; //~ race
}

int main() {
  static float h[N * N];
  float *a, *b;
  int right = 0;
  for (int i = 0; i < N * N; i++) h[i] = i;
  cudaMalloc(&a, sizeof h);
  cudaMalloc(&b, sizeof h);
  cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
  transpose<<<dim3(N / T, N / T), dim3(T, T)>>>(a, b);
  cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) right += h[i * N + j] == j * N + i;
  printf("%d\n", right);
  cudaFree(a);
  cudaFree(b);
}
