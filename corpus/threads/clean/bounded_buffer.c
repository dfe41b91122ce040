// A queue of four places between a producer and a consumer, with a mutex and two conditions.
#include <pthread.h>
#include <stdio.h>

static int places[4], head, tail, count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;

static void *produce(void *unused) {
  for (int i = 1; i <= 20; i++) {
    pthread_mutex_lock(&lock);
    while (count == 4)
      pthread_cond_wait(&not_full, &lock);
    places[tail] = i;
    tail = (tail + 1) % 4;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

static void *consume(void *unused) {
  int sum = 0, ordered = 1, last = 0;
  for (int i = 1; i <= 20; i++) {
    pthread_mutex_lock(&lock);
    while (count == 0)
      pthread_cond_wait(&not_empty, &lock);
    int item = places[head];
    head = (head + 1) % 4;
    count--;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&lock);
    sum += item;
    ordered &= item > last;
    last = item;
  }
  printf("%d %d\n", sum, ordered);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, produce, NULL);
  pthread_create(&second, NULL, consume, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
