// An iterator in two words, as generic code passes it: moved by value, and through pointers to bytes.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>

struct Words {
  uint64_t word[2];
};

static struct Words begin(const double *from, long count) {
  return (struct Words){{(uintptr_t)from, (uintptr_t)(from + count)}};
}

static void move(void *to, const void *from, unsigned long size) {
  for (unsigned long i = 0; i < size; i++)
    ((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

static const double *next(struct Words *it) {
  if (it->word[0] == it->word[1])
    return 0;
  const double *p = (const double *)(uintptr_t)it->word[0];
  it->word[0] += sizeof *p;
  return p;
}

static double f(const double *x, long n) {
  struct Words first = begin(x, n), second, third;
  move(&second, &first, sizeof first);
  move(&third, &second, sizeof second);
  double sum = 0;
  for (const double *p; (p = next(&third));)
    sum += *p * *p * *p;
  return sum;
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, d[4] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 4L);
  printf("%g %g %g %g\n", d[0], d[1], d[2], d[3]);
  return 0;
}
