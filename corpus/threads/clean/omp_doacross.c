// Iterations of a wave front wait for those above and to the left of them.
// adj-flags: -fopenmp
#include <stdio.h>

enum { N = 6 };
static int paths[N][N];

int main(void) {
  for (int i = 0; i < N; i++)
    paths[i][0] = paths[0][i] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      paths[i][j] = paths[i - 1][j] + paths[i][j - 1];
#pragma omp ordered depend(source)
    }
  printf("%d\n", paths[N - 1][N - 1]);
  return 0;
}
