// Two flags in neighbouring bytes are two memory locations.
#include <pthread.h>
#include <stdio.h>

static struct {
  unsigned char open;
  unsigned char dirty;
} state;

static void *set_open(void *unused) {
  state.open = 1;
  return unused;
}

static void *set_dirty(void *unused) {
  state.dirty = 1;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, set_open, NULL);
  pthread_create(&second, NULL, set_dirty, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", state.open + state.dirty);
  return 0;
}
