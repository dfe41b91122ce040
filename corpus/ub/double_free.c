// Two owners of one buffer, both of which free it.
// adj-levels: O0
#include <stdlib.h>

struct buffer {
  double *data;
};

static void destroy(struct buffer *b) {
  free(b->data); //~ ub: double-free
}

int main(void) {
  struct buffer a = {malloc(8 * sizeof(double))};
  struct buffer b = a;
  destroy(&a);
  destroy(&b);
  return 0;
}
