// A structure with two pointers goes through a queue of bytes, and is read from an odd place in it.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct Range {
  const double *from, *to;
};

static void push(char *queue, int *end, const void *data, int size) {
  memcpy(queue + *end, data, size);
  *end += size;
}

static void pull(const char *queue, int *start, void *data, int size) {
  memcpy(data, queue + *start, size);
  *start += size;
}

static double f(const double *x, int n) {
  char queue[100];
  int end = 0, start = 0;
  char mark = 'r';
  for (int i = 0; i < 3; i++) {
    struct Range range = {x + i, x + n - i};
    push(queue, &end, &mark, 1);
    push(queue, &end, &range, sizeof range);
  }
  double sum = 0;
  while (start < end) {
    char found;
    struct Range range;
    pull(queue, &start, &found, 1);
    pull(queue, &start, &range, sizeof range);
    for (const double *p = range.from; p < range.to; p++)
      sum += *p * *p;
  }
  return sum;
}

int main(void) {
  double x[6] = {1, 2, 3, 4, 5, 6}, d[6] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 6);
  for (int i = 0; i < 6; i++)
    printf("%g ", d[i]);
  printf("\n");
  return 0;
}
