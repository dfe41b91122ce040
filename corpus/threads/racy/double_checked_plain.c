// Double-checked initialisation with a plain pointer: the first look is without the lock.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int *get(void) {
  if (!table) { //~ race
    pthread_mutex_lock(&lock);
    if (!table) {
      int *fresh = malloc(4 * sizeof *fresh);
      for (int i = 0; i < 4; i++)
        fresh[i] = i * i;
      table = fresh; //~ race
    }
    pthread_mutex_unlock(&lock);
  }
  return table; //~ race
}

static void *use(void *unused) {
  if (get()[3] != 9)
    printf("wrong\n");
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, use, NULL);
  pthread_create(&second, NULL, use, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(table);
  return 0;
}
