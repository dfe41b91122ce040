// Numbers collected in the nodes of a search tree, by pointers there that move as they are used.
#include "adj.h"
#include <cmath>
#include <cstdio>
#include <map>

struct Bucket {
  double *first, *next, *end;
};

static double scaled_sums(const double *x, int n) {
  std::map<int, Bucket> buckets;
  for (int i = 0; i < n; i++) {
    Bucket &bucket = buckets[i % 3];
    if (!bucket.first) {
      bucket.first = bucket.next = new double[6];
      bucket.end = bucket.first + 6;
    }
    if (bucket.next < bucket.end) *bucket.next++ = x[i] * x[i];
  }
  double sum = 0;
  for (auto &[key, bucket] : buckets) {
    double inner = 0;
    for (double *at = bucket.first; at < bucket.next; at++) inner += *at;
    sum += inner * (key + 1);
    delete[] bucket.first;
  }
  return sum;
}

int main() {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff<void>((void *)scaled_sums, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    if (!(std::fabs(d[i] - 2 * x[i] * (i % 3 + 1)) < 1e-12)) return std::printf("component %d: %g\n", i, d[i]), 1;
  return 0;
}
