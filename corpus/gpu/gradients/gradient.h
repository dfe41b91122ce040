/* What the programs of this folder have in common: KERNEL(f) makes kernels that call f(x, y, n), and its gradient, in each
 * thread; test<N, M>(grid, block) compares the gradient of M results by N numbers with differences. A program ends with
 * 0 if they agree.
 */
#ifndef GRADIENT_H
#define GRADIENT_H
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>

__device__ int enzyme_dup, enzyme_const, enzyme_out;
template <class... T> extern __device__ void __enzyme_autodiff(void *, T...);

__global__ void gradient(const double *x, double *dx, double *y, double *dy, int n);
__global__ void primal(const double *x, double *y, int n);

#define KERNEL(f)                                                                                   \
  __global__ void gradient(const double *x, double *dx, double *y, double *dy, int n) {             \
    __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);            \
  }                                                                                                 \
  __global__ void primal(const double *x, double *y, int n) { f(x, y, n); }

/* The weighted sum of the results, which are zero before. */
template <int N, int M> double weighed(dim3 grid, dim3 block, double *X, double *Y, const double *x) {
  double y[M] = {0}, sum = 0;
  cudaMemcpy(X, x, N * sizeof *x, cudaMemcpyHostToDevice);
  cudaMemcpy(Y, y, sizeof y, cudaMemcpyHostToDevice);
  primal<<<grid, block>>>(X, Y, N);
  cudaMemcpy(y, Y, sizeof y, cudaMemcpyDeviceToHost);
  for (int k = 0; k < M; k++)
    sum += cos(k) * y[k];
  return sum;
}

template <int N, int M> int test(dim3 grid, dim3 block) {
  double x[N], dx[N] = {0}, y[M] = {0}, dy[M];
  for (int i = 0; i < N; i++)
    x[i] = 0.3 + sin(1.0 + i);
  for (int k = 0; k < M; k++)
    dy[k] = cos(k);
  double *X, *DX, *Y, *DY;
  cudaMalloc(&X, sizeof x);
  cudaMalloc(&DX, sizeof dx);
  cudaMalloc(&Y, sizeof y);
  cudaMalloc(&DY, sizeof dy);
  cudaMemcpy(X, x, sizeof x, cudaMemcpyHostToDevice);
  cudaMemcpy(DX, dx, sizeof dx, cudaMemcpyHostToDevice);
  cudaMemcpy(Y, y, sizeof y, cudaMemcpyHostToDevice);
  cudaMemcpy(DY, dy, sizeof dy, cudaMemcpyHostToDevice);
  gradient<<<grid, block>>>(X, DX, Y, DY, N);
  cudaMemcpy(dx, DX, sizeof dx, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < N; i++) {
    const double h = 1e-6, at = x[i];
    x[i] = at + h;
    double above = weighed<N, M>(grid, block, X, Y, x);
    x[i] = at - h;
    double below = weighed<N, M>(grid, block, X, Y, x);
    x[i] = at;
    double slope = (above - below) / (2 * h);
    if (!(fabs(slope - dx[i]) <= 1e-6 * (1 + fabs(slope)))) {
      printf("x[%d]: %.9g, should be %.9g\n", i, dx[i], slope);
      bad = 1;
    }
  }
  cudaFree(X);
  cudaFree(DX);
  cudaFree(Y);
  cudaFree(DY);
  return bad;
}
#endif
