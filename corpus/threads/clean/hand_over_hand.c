// A sorted list with a lock in each node: the next one is taken before the lock is given back.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int key;
  struct node *next;
  pthread_mutex_t lock;
};
static struct node first = {-1, NULL, PTHREAD_MUTEX_INITIALIZER};

static void insert(int key) {
  struct node *made = malloc(sizeof *made), *at = &first;
  made->key = key;
  pthread_mutex_init(&made->lock, NULL);
  pthread_mutex_lock(&at->lock);
  while (at->next != NULL) {
    struct node *next = at->next;
    pthread_mutex_lock(&next->lock);
    if (next->key >= key) {
      pthread_mutex_unlock(&next->lock);
      break;
    }
    pthread_mutex_unlock(&at->lock);
    at = next;
  }
  made->next = at->next;
  at->next = made;
  pthread_mutex_unlock(&at->lock);
}

static void *work(void *argument) {
  int from = *(int *)argument;
  for (int i = 0; i < 6; i++)
    insert(from + 2 * i);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int from[2] = {0, 1}, sorted = 1, before = -1;
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], NULL, work, &from[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  while (first.next != NULL) {
    struct node *gone = first.next;
    first.next = gone->next;
    sorted &= gone->key == ++before;
    pthread_mutex_destroy(&gone->lock);
    free(gone);
  }
  printf("%d %d\n", sorted, before);
  return 0;
}
