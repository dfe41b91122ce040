// The value is read under the lock; the update based on it is written after the lock is given back.
#include <pthread.h>
#include <stdio.h>

static int stock = 100;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sell(void *unused) {
  for (int i = 0; i < 8; i++) {
    pthread_mutex_lock(&lock);
    int left = stock - 1; //~ race
    pthread_mutex_unlock(&lock);
    stock = left; //~ race
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, sell, NULL);
  pthread_create(&second, NULL, sell, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  printf("%d\n", stock <= 99);
  return 0;
}
