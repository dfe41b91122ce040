// Two threads count in one variable under one lock.
#include <pthread.h>
#include <stdio.h>

static int hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *unused) {
  for (int i = 0; i < 20; i++) {
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, visit, NULL);
  pthread_create(&second, NULL, visit, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", hits);
  return 0;
}
