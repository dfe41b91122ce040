// A deque of work: the owner takes from one end, a thief from the other; both claim an item by exchanging both ends in one word.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { ITEMS = 16 };
static int work[ITEMS], done[ITEMS];
static atomic_ulong ends; // the top in the lower half, the bottom in the upper one

static int claim(int thief) {
  unsigned long now = atomic_load(&ends), next;
  int at;
  do {
    unsigned top = (unsigned)now, bottom = (unsigned)(now >> 32);
    if (top >= bottom)
      return -1;
    at = (int)(thief ? top : bottom - 1);
    next = thief ? now + 1 : now - (1ul << 32);
  } while (!atomic_compare_exchange_weak(&ends, &now, next));
  return at;
}

static void *steal(void *unused) {
  for (int at = claim(1); at >= 0; at = claim(1))
    done[at] += work[at];
  return unused;
}

int main(void) {
  pthread_t thief;
  int sum = 0;
  for (int i = 0; i < ITEMS; i++)
    work[i] = i;
  atomic_store(&ends, (unsigned long)ITEMS << 32);
  pthread_create(&thief, NULL, steal, NULL);
  for (int at = claim(0); at >= 0; at = claim(0))
    done[at] += work[at];
  pthread_join(thief, NULL);
  for (int i = 0; i < ITEMS; i++)
    sum += done[i];
  printf("%d\n", sum);
  return 0;
}
