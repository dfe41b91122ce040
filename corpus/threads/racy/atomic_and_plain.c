// A counter that one thread increments atomically and another one reads plainly.
#include <pthread.h>
#include <stdio.h>

static int progress;

static void *work(void *unused) {
  for (int i = 0; i < 20; i++)
    __atomic_fetch_add(&progress, 1, __ATOMIC_RELAXED); //~ race
  return unused;
}

static void *show(void *unused) {
  int last = 0;
  for (int i = 0; i < 5; i++)
    last = progress; //~ race
  printf("%d\n", last >= 0);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, show, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
