// A recursive mutex is taken again by the function that the holder calls.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int depth, deepest;

static void descend(int levels) {
  pthread_mutex_lock(&lock);
  depth++;
  if (depth > deepest)
    deepest = depth;
  if (levels > 1)
    descend(levels - 1);
  depth--;
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  descend(5);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&second, NULL, work, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d %d\n", deepest, depth);
  pthread_mutex_destroy(&lock);
  return 0;
}
