// Two threads push nodes onto one list: both read the head, both write it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
static struct node *head;

static void *push(void *unused) {
  for (int i = 0; i < 5; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = head; //~ race
    head = node; //~ race
  }
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, push, NULL);
  pthread_create(&second, NULL, push, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  printf("done\n");
  return 0;
}
