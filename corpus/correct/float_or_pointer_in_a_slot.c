// Slots that hold a small number or refer to one, and change from one to the other: an expression that is folded in
// rounds. The number is half as wide as the reference that lay there before.
#include "adj.h"
#include <stdio.h>
#include <stdlib.h>

struct slot {
  int refers;
  union {
    float value;
    const float *input;
  } u;
};

static float get(const struct slot *s) { return s->refers ? *s->u.input : s->u.value; }

static float folded(const float *x, int n) {
  struct slot *s = malloc(n * sizeof *s);
  float y = 0.0f;
  for (int i = 0; i < n; i++) {
    s[i].refers = i % 2;
    if (s[i].refers)
      s[i].u.input = x + i;
    else
      s[i].u.value = x[i] * x[i];
  }
  for (int round = 0; round < 4; round++)
    for (int i = 0; i < n; i++) {
      float v = get(&s[i]) + (float)round;
      y += v * v;
      if (s[i].refers) {
        s[i].refers = 0;
        s[i].u.value = 0.5f * v;
      } else {
        s[i].refers = 1;
        s[i].u.input = x + (i + round) % n;
      }
    }
  free(s);
  return y;
}

int main(void) {
  float x[5] = {0.5f, -1.25f, 2.0f, 0.75f, 1.5f}, d[5] = {0};
  __enzyme_autodiff((void *)folded, enzyme_dup, x, d, 5);
  for (int i = 0; i < 5; i++)
    printf("%g ", d[i]);
  printf("\n");
  return 0;
}
