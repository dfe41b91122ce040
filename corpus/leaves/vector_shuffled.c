// Bytes of a vector, shuffled twice.
#include <string.h>
typedef unsigned char bytes __attribute__((vector_size(16)));
static void leave(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    double pair[2] = {x[i], 0};
    bytes v;
    memcpy(&v, pair, 16);
    v = __builtin_shufflevector(v, v, 3, 7, 11, 15, 2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12);
    volatile bytes kept = v;
    v = kept;
    v = __builtin_shufflevector(v, v, 12, 8, 4, 0, 13, 9, 5, 1, 14, 10, 6, 2, 15, 11, 7, 3);
    memcpy(pair, &v, 16);
    y[i] = pair[0];
  }
}
#include "judge.h"
