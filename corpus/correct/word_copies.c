// Arrays of doubles, and of pairs of floats, copied word by word through an integer, and reversed on the way.
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void copy_words(void *to, const void *from, size_t words) {
  for (size_t i = 0; i < words; i++) {
    uint64_t w;
    memcpy(&w, (const char *)from + 8 * i, sizeof w);
    memcpy((char *)to + 8 * i, &w, sizeof w);
  }
}

static void reverse_words(uint64_t *w, int n) {
  for (int i = 0; i < n / 2; i++) {
    uint64_t t = w[i];
    w[i] = w[n - 1 - i];
    w[n - 1 - i] = t;
  }
}

static double weigh(const double *x, int n) {
  double copy[8];
  float pairs[8], others[8];
  uint64_t words[8];
  copy_words(copy, x, (size_t)n);
  for (int i = 0; i < 8; i++)
    pairs[i] = (float)(x[i % n] * (i + 1));
  copy_words(others, pairs, 4);
  for (int i = 0; i < n; i++)
    memcpy(&words[i], &copy[i], sizeof words[i]);
  reverse_words(words, n);
  memcpy(copy, words, (size_t)n * sizeof *copy);
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += copy[i] * x[i] * (i + 1) + others[i] * others[7 - i];
  return sum;
}

int main(void) {
  double x[5] = {0.4, -0.7, 1.1, 0.9, -0.3}, d[5] = {0};
  __enzyme_autodiff((void *)weigh, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%.17g\n", d[i]);
  return 0;
}
