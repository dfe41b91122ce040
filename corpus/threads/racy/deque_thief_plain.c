// A deque of work: the owner takes from one end, a thief from the other; the last item is not contended for atomically.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ITEMS = 16 };
static int work[ITEMS], done[ITEMS];
static atomic_int top, bottom = ITEMS;

static void *steal(void *unused) {
  for (int round = 0; round < ITEMS; round++) {
    int at = atomic_load(&top);
    if (at >= atomic_load(&bottom))
      break;
    done[at] += work[at]; //~ race
    atomic_store(&top, at + 1);
  }
  return unused;
}

int main(void) {
  pthread_t thief;
  for (int i = 0; i < ITEMS; i++)
    work[i] = i;
  pthread_create(&thief, NULL, steal, NULL);
  for (;;) {
    int at = atomic_load(&bottom) - 1;
    if (at < 0)
      break;
    done[at] += work[at]; //~ race
    atomic_store(&bottom, at);
  }
  pthread_join(thief, NULL);
  printf("done\n");
  return 0;
}
