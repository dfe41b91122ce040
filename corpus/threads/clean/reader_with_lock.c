// Writer and reader take the lock; the reader sees both coordinates of one step.
#include <pthread.h>
#include <stdio.h>

struct point {
  double x, y;
};
static struct point position;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *unused) {
  for (int i = 1; i <= 10; i++) {
    pthread_mutex_lock(&lock);
    position.x = i;
    position.y = 2 * i;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *watch(void *result) {
  int consistent = 1;
  for (int i = 0; i < 10; i++) {
    pthread_mutex_lock(&lock);
    consistent &= position.y == 2 * position.x;
    pthread_mutex_unlock(&lock);
  }
  printf("%d\n", consistent);
  return result;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, move, NULL);
  pthread_create(&second, NULL, watch, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
