// Pointers in a buffer of bytes that grows by realloc, and from which the first is taken by memmove.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Bytes {
  unsigned char *data;
  size_t used, room;
};

static void append(struct Bytes *b, const void *data, size_t size) {
  while (b->used + size > b->room) {
    b->room = b->room ? 2 * b->room : 8;
    unsigned char *more = malloc(b->room);
    for (size_t i = 0; i < b->used; i++)
      more[i] = b->data[i];
    free(b->data);
    b->data = more;
  }
  for (size_t i = 0; i < size; i++)
    b->data[b->used++] = ((const unsigned char *)data)[i];
}

static const double *take(struct Bytes *b) {
  const double *p;
  memcpy(&p, b->data, sizeof p);
  memmove(b->data, b->data + sizeof p, b->used - sizeof p);
  b->used -= sizeof p;
  return p;
}

static double f(const double *x, int n) {
  struct Bytes bytes = {0};
  for (int i = 0; i < n; i++) {
    const double *p = x + (i * 3) % n;
    append(&bytes, &p, sizeof p);
  }
  double sum = 0, weight = 1;
  while (bytes.used > 0) {
    const double *p = take(&bytes);
    sum += weight * *p * *p;
    weight += 1;
  }
  free(bytes.data);
  return sum;
}

int main(void) {
  double x[5] = {1, 2, 3, 4, 5}, d[5] = {0};
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, 5);
  for (int i = 0; i < 5; i++)
    printf("%g ", d[i]);
  printf("\n");
  return 0;
}
