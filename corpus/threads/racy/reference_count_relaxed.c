// The last owner frees the object; a relaxed decrement does not order the others' accesses before that.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

struct shared {
  atomic_int owners;
  int values[2];
};

struct handle {
  struct shared *object;
  int place;
};

static void *use(void *argument) {
  struct handle *mine = argument;
  struct shared *object = mine->object;
  object->values[mine->place] = 5; //~ race
  if (atomic_fetch_sub_explicit(&object->owners, 1, memory_order_relaxed) == 1) //~ race
    free(object); //~ race
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  struct handle handles[2];
  struct shared *object = malloc(sizeof *object);
  atomic_init(&object->owners, 2);
  for (int i = 0; i < 2; i++) {
    handles[i] = (struct handle){object, i};
    pthread_create(&threads[i], NULL, use, &handles[i]);
  }
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  printf("done\n");
  return 0;
}
