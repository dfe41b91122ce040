// A block with pointers from its start and numbers from its end, copied as a whole and then word by word: which words
// hold a pointer and which two numbers depends on an index, in the copy as well.
// adj-exit: 3
// adj-levels: O0,O1
// adj-message: of a type that depends on an index
#include "adj.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t __attribute__((may_alias)) word;

static float f(float *x, int pointers) {
  char *pool = calloc(48, 1), *copy = malloc(72);
  word reversed[6], words[6];
  for (int i = 0; i < pointers; i++) ((float **)pool)[i] = x;
  float *end = (float *)(pool + 48);
  for (int i = 0; i < 4; i++) end[-1 - i] = x[i] * x[i];
  memcpy(copy, pool, 48);
  word *from = (word *)copy;
  for (int i = 0; i < 6; i++) reversed[5 - i] = from[i];
  for (int i = 0; i < 6; i++) words[5 - i] = reversed[i];
  float first;
  memcpy(&first, (char *)words + 44, sizeof first);
  free(pool);
  free(copy);
  return first;
}

int main(void) {
  float x[4] = {1, 2, 3, 4}, dx[4] = {1, 0, 0, 0};
  printf("%g\n", __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, 3));
}
