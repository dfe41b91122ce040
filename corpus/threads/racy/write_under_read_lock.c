// A cache is filled by whoever finds it empty, under the lock for readers.
#include <pthread.h>
#include <stdio.h>

static int cached;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *look_up(void *unused) {
  pthread_rwlock_rdlock(&lock);
  if (cached == 0) //~ race
    cached = 7 * 6; //~ race
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, look_up, NULL);
  pthread_create(&second, NULL, look_up, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", cached);
  return 0;
}
