// Records of a double, an integer, a float and a pointer are copied and nowhere computed with. Their numbers are components, the integers,
// the pointers and the padding are none: the gradient adds the shadows of the copies to those of the originals and clears them.
#include "adj.h"
#include <stdio.h>
#include <string.h>

struct record {
  double weight;
  int count;
  float scale;
  const char *label;
};

static void file(const struct record *from, struct record *to, int n) {
  memcpy(to, from, (size_t)n * sizeof *from);
}

static void file_reverse(const struct record *from, struct record *dfrom, struct record *to, struct record *dto, int n) {
  memcpy(to, from, (size_t)n * sizeof *from);
  for (int i = 0; i < n; i++) {
    dfrom[i].weight += dto[i].weight;
    dfrom[i].scale += dto[i].scale;
    dto[i].weight = 0;
    dto[i].scale = 0;
  }
}

int main(void) {
  struct record from[2] = {{1.5, 7, 0.25f, "first"}, {-3.0, 8, 2.0f, "second"}}, to[2];
  struct record dfrom[2], dto[2];
  memset(to, 0, sizeof to);
  memset(dfrom, 0, sizeof dfrom);
  memset(dto, 0, sizeof dto);
  dto[0].weight = 2.0;
  dto[1].weight = 3.0;
  dto[0].scale = 0.5f;
  dto[1].scale = 4.0f;
  __adj_check_gradient((void *)file, (void *)file_reverse, from, dfrom, to, dto, 2);
  printf("%g %g %g %g %d\n", dfrom[0].weight, dfrom[1].weight, dfrom[0].scale, dfrom[1].scale, to[1].count);
  return 0;
}
