/* Counts what is on the heap. Compiled apart, so that no differentiated program looks into its functions: the gradients' tapes and
 * those of the hand-written adjoints are counted alike. */
#include <malloc.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

static long live, least, most;

static void *count(void *block) {
  live += (long)malloc_usable_size(block);
  if (live > most) most = live;
  return block;
}

void *malloc(size_t size) { return count(__libc_malloc(size)); }
void *calloc(size_t n, size_t size) { return count(__libc_calloc(n, size)); }

void *realloc(void *block, size_t size) {
  live -= (long)malloc_usable_size(block);
  return count(__libc_realloc(block, size));
}

void free(void *block) {
  live -= (long)malloc_usable_size(block);
  __libc_free(block);
}

void meter_reset(void) { most = least = live; }
long meter_peak(void) { return most - least; }
