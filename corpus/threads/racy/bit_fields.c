// Two flags of one word: adjacent bit-fields are one memory location (C11 3.14).
#include <pthread.h>
#include <stdio.h>

static struct {
  unsigned open : 1;
  unsigned dirty : 1;
} state;

static void *set_open(void *unused) {
  state.open = 1; //~ race
  return unused;
}

static void *set_dirty(void *unused) {
  state.dirty = 1; //~ race
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, set_open, NULL);
  pthread_create(&second, NULL, set_dirty, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", state.open | state.dirty);
  return 0;
}
