// A key-value store: a B-tree of fixed pages in one growing file image, with a free list, ordered cursors, a write-ahead log that is replayed
// after a simulated crash, and a check of every invariant of the tree; compared with a sorted array.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- pages ---- */

enum { MIN_KEYS = 3, MAX_KEYS = 2 * MIN_KEYS, KEY_SIZE = 12, NO_PAGE = 0 };

typedef struct {
  char key[KEY_SIZE];
  uint32_t value;
} record;

typedef struct {
  uint16_t count;
  uint16_t leaf;
  record records[MAX_KEYS];
  uint32_t child[MAX_KEYS + 1];
} page;

typedef struct {
  uint32_t magic, root, free, pages, keys;
} header;

/* The whole file: the header in page zero, then pages. */
typedef struct {
  uint8_t *image;
  uint32_t room;
  long reads, writes;
} file;

static void *need(void *p) {
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

static header *head(const file *f) { return (header *)f->image; }

static void page_read(file *f, uint32_t number, page *out) {
  if (number == NO_PAGE || number >= head(f)->pages) {
    fprintf(stderr, "page %u does not exist\n", (unsigned)number);
    exit(2);
  }
  memcpy(out, f->image + (size_t)number * sizeof(page), sizeof *out);
  f->reads++;
}

static void page_write(file *f, uint32_t number, const page *from) {
  memcpy(f->image + (size_t)number * sizeof(page), from, sizeof *from);
  f->writes++;
}

static uint32_t page_allocate(file *f) {
  if (head(f)->free) {
    uint32_t number = head(f)->free;
    page p;
    page_read(f, number, &p);
    head(f)->free = p.child[0];
    return number;
  }
  if (head(f)->pages == f->room) {
    f->image = need(realloc(f->image, (size_t)f->room * 2 * sizeof(page)));
    memset(f->image + (size_t)f->room * sizeof(page), 0, (size_t)f->room * sizeof(page));
    f->room *= 2;
  }
  return head(f)->pages++;
}

static void page_release(file *f, uint32_t number) {
  page p = {0};
  p.child[0] = head(f)->free;
  page_write(f, number, &p);
  head(f)->free = number;
}

static file file_new(void) {
  file f = {need(calloc(4, sizeof(page))), 4, 0, 0};
  page root = {.leaf = 1};
  *head(&f) = (header){0x42545231u, 1, NO_PAGE, 2, 0};
  page_write(&f, 1, &root);
  return f;
}

static file file_copy(const file *from) {
  file f = *from;
  f.image = need(malloc((size_t)f.room * sizeof(page)));
  memcpy(f.image, from->image, (size_t)f.room * sizeof(page));
  return f;
}

/* ---- searching ---- */

/* The first place whose key is not less. */
static int lower_bound(const page *p, const char *key, bool *equal) {
  int low = 0, high = p->count;
  *equal = false;
  while (low < high) {
    int middle = (low + high) / 2, order = strncmp(p->records[middle].key, key, KEY_SIZE);
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
      *equal = *equal || order == 0;
    }
  }
  return low;
}

static bool tree_get(file *f, const char *key, uint32_t *value) {
  page p;
  bool found;
  for (uint32_t at = head(f)->root;;) {
    page_read(f, at, &p);
    int i = lower_bound(&p, key, &found);
    if (found) {
      *value = p.records[i].value;
      return true;
    }
    if (p.leaf)
      return false;
    at = p.child[i];
  }
}

/* ---- insertion: full pages are split on the way down ---- */

static void open_gap(page *p, int at) {
  memmove(&p->records[at + 1], &p->records[at], (size_t)(p->count - at) * sizeof(record));
  if (!p->leaf)
    memmove(&p->child[at + 2], &p->child[at + 1], (size_t)(p->count - at) * sizeof *p->child);
  p->count++;
}

static void close_gap(page *p, int at) {
  p->count--;
  memmove(&p->records[at], &p->records[at + 1], (size_t)(p->count - at) * sizeof(record));
  if (!p->leaf)
    memmove(&p->child[at + 1], &p->child[at + 2], (size_t)(p->count - at) * sizeof *p->child);
}

static void split_child(file *f, page *parent, int at) {
  page left, right = {0};
  uint32_t number = page_allocate(f);
  page_read(f, parent->child[at], &left);
  int middle = left.count / 2;
  right.leaf = left.leaf;
  right.count = (uint16_t)(left.count - middle - 1);
  memcpy(right.records, &left.records[middle + 1], right.count * sizeof(record));
  if (!left.leaf)
    memcpy(right.child, &left.child[middle + 1], (right.count + 1u) * sizeof *right.child);
  open_gap(parent, at);
  parent->records[at] = left.records[middle];
  parent->child[at + 1] = number;
  left.count = (uint16_t)middle;
  page_write(f, parent->child[at], &left);
  page_write(f, number, &right);
}

static void tree_put(file *f, const char *key, uint32_t value) {
  page p, child;
  uint32_t at = head(f)->root;
  page_read(f, at, &p);
  if (p.count == MAX_KEYS) {
    page root = {0};
    uint32_t number = page_allocate(f);
    root.child[0] = at;
    split_child(f, &root, 0);
    page_write(f, number, &root);
    head(f)->root = at = number;
    p = root;
  }
  for (;;) {
    bool found;
    int i = lower_bound(&p, key, &found);
    if (found) {
      p.records[i].value = value;
      page_write(f, at, &p);
      return;
    }
    if (p.leaf) {
      open_gap(&p, i);
      memset(p.records[i].key, 0, KEY_SIZE);
      memcpy(p.records[i].key, key, strnlen(key, KEY_SIZE));
      p.records[i].value = value;
      page_write(f, at, &p);
      head(f)->keys++;
      return;
    }
    page_read(f, p.child[i], &child);
    if (child.count == MAX_KEYS) {
      split_child(f, &p, i);
      page_write(f, at, &p);
      int order = strncmp(key, p.records[i].key, KEY_SIZE);
      if (order == 0)
        continue;
      i += order > 0;
    }
    at = p.child[i];
    page_read(f, at, &p);
  }
}

/* ---- deletion: a page has more than the least number of keys before it is entered ---- */

static void merge_children(file *f, page *parent, int at) {
  page left, right;
  uint32_t gone = parent->child[at + 1];
  page_read(f, parent->child[at], &left);
  page_read(f, gone, &right);
  left.records[left.count] = parent->records[at];
  memcpy(&left.records[left.count + 1], right.records, right.count * sizeof(record));
  if (!left.leaf)
    memcpy(&left.child[left.count + 1], right.child, (right.count + 1u) * sizeof *right.child);
  left.count = (uint16_t)(left.count + 1 + right.count);
  page_write(f, parent->child[at], &left);
  close_gap(parent, at);
  page_release(f, gone);
}

/* Gives the child at a place one more key than the least; returns the place where it is then. */
static int refill(file *f, page *parent, int at) {
  page child, other;
  page_read(f, parent->child[at], &child);
  if (child.count > MIN_KEYS - 1)
    return at;
  if (at > 0) {
    page_read(f, parent->child[at - 1], &other);
    if (other.count > MIN_KEYS - 1) {
      memmove(&child.records[1], child.records, child.count * sizeof(record));
      memmove(&child.child[1], child.child, (child.count + 1u) * sizeof *child.child);
      child.records[0] = parent->records[at - 1];
      child.child[0] = other.child[other.count];
      child.count++;
      parent->records[at - 1] = other.records[--other.count];
      page_write(f, parent->child[at - 1], &other);
      page_write(f, parent->child[at], &child);
      return at;
    }
  }
  if (at < parent->count) {
    page_read(f, parent->child[at + 1], &other);
    if (other.count > MIN_KEYS - 1) {
      child.records[child.count] = parent->records[at];
      child.child[child.count + 1] = other.child[0];
      child.count++;
      parent->records[at] = other.records[0];
      memmove(other.child, &other.child[1], other.count * sizeof *other.child);
      other.count--;
      memmove(other.records, &other.records[1], other.count * sizeof(record));
      page_write(f, parent->child[at + 1], &other);
      page_write(f, parent->child[at], &child);
      return at;
    }
  }
  if (at == parent->count)
    at--;
  merge_children(f, parent, at);
  return at;
}

static bool delete_below(file *f, uint32_t at, const char *key, record *last) {
  page p;
  bool found = false;
  page_read(f, at, &p);
  int i = key ? lower_bound(&p, key, &found) : p.count;
  if (p.leaf) {
    if (!key) { /* the greatest record is wanted */
      *last = p.records[p.count - 1];
      i = p.count - 1;
      found = true;
    }
    if (found) {
      close_gap(&p, i);
      page_write(f, at, &p);
    }
    return found;
  }
  if (found) {
    page left;
    page_read(f, p.child[i], &left);
    if (left.count > MIN_KEYS - 1) {
      record before;
      delete_below(f, p.child[i], NULL, &before);
      page_read(f, at, &p);
      p.records[i] = before;
      page_write(f, at, &p);
      return true;
    }
    page right;
    page_read(f, p.child[i + 1], &right);
    if (right.count <= MIN_KEYS - 1) {
      merge_children(f, &p, i);
      page_write(f, at, &p);
      return delete_below(f, p.child[i], key, last);
    }
    /* Turn the pair around: the record goes to the left, and is deleted there. */
    left.records[left.count] = p.records[i];
    left.child[left.count + 1] = right.child[0];
    left.count++;
    p.records[i] = right.records[0];
    memmove(right.child, &right.child[1], right.count * sizeof *right.child);
    right.count--;
    memmove(right.records, &right.records[1], right.count * sizeof(record));
    page_write(f, p.child[i], &left);
    page_write(f, p.child[i + 1], &right);
    page_write(f, at, &p);
    return delete_below(f, p.child[i], key, last);
  }
  i = refill(f, &p, i);
  page_write(f, at, &p);
  return delete_below(f, p.child[i], key, last);
}

static bool tree_delete(file *f, const char *key) {
  bool deleted = delete_below(f, head(f)->root, key, NULL);
  page root;
  page_read(f, head(f)->root, &root);
  if (root.count == 0 && !root.leaf) {
    uint32_t old = head(f)->root;
    head(f)->root = root.child[0];
    page_release(f, old);
  }
  head(f)->keys -= deleted;
  return deleted;
}

/* ---- cursors: the way from the root, kept as a stack ---- */

enum { MAX_DEPTH = 12 };

typedef struct {
  file *f;
  page pages[MAX_DEPTH];
  int place[MAX_DEPTH];
  int depth;
} cursor;

static void descend(cursor *c, uint32_t number) {
  for (;;) {
    c->depth++;
    page_read(c->f, number, &c->pages[c->depth]);
    c->place[c->depth] = 0;
    if (c->pages[c->depth].leaf)
      return;
    number = c->pages[c->depth].child[0];
  }
}

static void cursor_seek(cursor *c, file *f, const char *from) {
  c->f = f;
  c->depth = -1;
  uint32_t number = head(f)->root;
  for (;;) {
    bool found;
    c->depth++;
    page *p = &c->pages[c->depth];
    page_read(f, number, p);
    c->place[c->depth] = lower_bound(p, from, &found);
    if (p->leaf || found)
      return;
    number = p->child[c->place[c->depth]];
  }
}

static const record *cursor_next(cursor *c) {
  while (c->depth >= 0 && c->place[c->depth] >= c->pages[c->depth].count)
    c->depth--;
  if (c->depth < 0)
    return NULL;
  page *p = &c->pages[c->depth];
  static record result;
  result = p->records[c->place[c->depth]++];
  if (!p->leaf)
    descend(c, p->child[c->place[c->depth]]);
  return &result;
}

/* ---- the invariants ---- */

static int check_below(file *f, uint32_t at, const char *low, const char *high, bool root, uint32_t *keys, uint32_t *pages) {
  page p;
  page_read(f, at, &p);
  ++*pages;
  *keys += p.count;
  if (!root && (p.count < MIN_KEYS - 1 || p.count > MAX_KEYS))
    return -1;
  for (int i = 0; i < p.count; i++) {
    const char *before = i ? p.records[i - 1].key : low;
    if ((before && strncmp(before, p.records[i].key, KEY_SIZE) >= 0) || (high && strncmp(p.records[i].key, high, KEY_SIZE) >= 0))
      return -1;
  }
  if (p.leaf)
    return 1;
  int height = 0;
  for (int i = 0; i <= p.count; i++) {
    int below = check_below(f, p.child[i], i ? p.records[i - 1].key : low, i < p.count ? p.records[i].key : high, false, keys, pages);
    if (below < 0 || (i && below != height))
      return -1;
    height = below;
  }
  return height + 1;
}

/* The height, or -1 if something is wrong. Every page is in the tree or in the free list. */
static int check_tree(file *f) {
  uint32_t keys = 0, pages = 1;
  int height = check_below(f, head(f)->root, NULL, NULL, true, &keys, &pages);
  for (uint32_t at = head(f)->free; at; pages++) {
    page p;
    page_read(f, at, &p);
    at = p.child[0];
  }
  return keys == head(f)->keys && pages == head(f)->pages ? height : -1;
}

/* ---- the log ---- */

typedef struct {
  char operation; /* 'p' or 'd' */
  char key[KEY_SIZE + 1];
  uint32_t value, sum;
} log_entry;

typedef struct {
  log_entry *entries;
  int count, room;
} journal;

static uint32_t checksum(const log_entry *e) {
  uint32_t sum = 2166136261u;
  const uint8_t *bytes = (const uint8_t *)e;
  for (size_t i = 0; i < offsetof(log_entry, key) + KEY_SIZE; i++)
    sum = (sum ^ bytes[i]) * 16777619u;
  return (sum ^ e->value) * 16777619u;
}

static void journal_add(journal *j, char operation, const char *key, uint32_t value) {
  if (j->count == j->room) {
    j->room = j->room ? 2 * j->room : 16;
    j->entries = need(realloc(j->entries, (size_t)j->room * sizeof *j->entries));
  }
  log_entry *e = &j->entries[j->count++];
  memset(e, 0, sizeof *e);
  e->operation = operation;
  memcpy(e->key, key, strnlen(key, KEY_SIZE));
  e->value = value;
  e->sum = checksum(e);
}

static int journal_replay(const journal *j, file *f) {
  int done = 0;
  for (; done < j->count && j->entries[done].sum == checksum(&j->entries[done]); done++) {
    const log_entry *e = &j->entries[done];
    if (e->operation == 'p')
      tree_put(f, e->key, e->value);
    else
      tree_delete(f, e->key);
  }
  return done;
}

/* ---- the program ---- */

static int failures = 0;
static void expect(bool holds, const char *what) {
  printf("%-46s %s\n", what, holds ? "ok" : "FAILED");
  failures += !holds;
}

static uint32_t state = 42;
static uint32_t next_random(uint32_t bound) {
  state = state * 1664525u + 1013904223u;
  return (state >> 12) % bound;
}

static bool same_as(file *f, const uint32_t *mirror, int size) {
  cursor c;
  char key[16];
  cursor_seek(&c, f, "");
  for (int k = 0; k < size; k++) {
    if (!mirror[k])
      continue;
    const record *r = cursor_next(&c);
    snprintf(key, sizeof key, "key%05d", k);
    if (!r || strncmp(r->key, key, KEY_SIZE) || r->value != mirror[k])
      return false;
  }
  return cursor_next(&c) == NULL;
}

int main(void) {
  enum { KEYS = 150 };
  file f = file_new();
  journal j = {0};
  uint32_t mirror[KEYS] = {0}, value;
  char key[16];
  bool sound = true, agrees = true;
  for (int round = 0; round < 500; round++) {
    uint32_t k = next_random(KEYS);
    snprintf(key, sizeof key, "key%05u", (unsigned)k);
    bool put = next_random(100) < (round < 250 ? 75u : 30u);
    if (put) {
      tree_put(&f, key, mirror[k] = 1 + next_random(1000));
      journal_add(&j, 'p', key, mirror[k]);
    } else {
      agrees = agrees && tree_delete(&f, key) == (mirror[k] != 0);
      mirror[k] = 0;
      journal_add(&j, 'd', key, 0);
    }
    if (round % 20 == 0)
      sound = sound && check_tree(&f) > 0;
    snprintf(key, sizeof key, "key%05u", (unsigned)(k = next_random(KEYS)));
    agrees = agrees && tree_get(&f, key, &value) == (mirror[k] != 0) && (!mirror[k] || value == mirror[k]);
  }
  printf("%u keys in %u pages, height %d, %ld reads, %ld writes\n", (unsigned)head(&f)->keys, (unsigned)head(&f)->pages, check_tree(&f),
         f.reads, f.writes);
  expect(sound, "the tree stays sound");
  expect(agrees, "every answer agrees with the array");
  expect(same_as(&f, mirror, KEYS), "a cursor meets all keys in order");

  cursor c;
  int between = 0;
  cursor_seek(&c, &f, "key00040");
  for (const record *r; (r = cursor_next(&c)) && strncmp(r->key, "key00060", KEY_SIZE) < 0;)
    between++;
  int expected = 0;
  for (int k = 40; k < 60; k++)
    expected += mirror[k] != 0;
  expect(between == expected, "a range has the right number of keys");

  file again = file_new();
  expect(journal_replay(&j, &again) == j.count && same_as(&again, mirror, KEYS), "the log gives the same store");
  file crashed = file_new();
  j.entries[300].value ^= 1; /* a torn write */
  expect(journal_replay(&j, &crashed) == 300 && check_tree(&crashed) > 0, "replay stops at the torn entry");
  free(crashed.image);

  file snapshot = file_copy(&f);
  for (int k = 0; k < KEYS; k++) {
    snprintf(key, sizeof key, "key%05d", k);
    tree_delete(&f, key);
  }
  expect(head(&f)->keys == 0 && check_tree(&f) == 1, "everything can be deleted");
  uint32_t before = head(&f)->pages;
  for (int k = 0; k < 20; k++) {
    snprintf(key, sizeof key, "again%d", k);
    tree_put(&f, key, (uint32_t)k);
  }
  expect(head(&f)->pages == before && check_tree(&f) > 0, "free pages are used again");
  expect(same_as(&snapshot, mirror, KEYS), "a snapshot keeps what was");
  tree_put(&snapshot, "a key that is much too long", 7);
  expect(tree_get(&snapshot, "a key that is cut there", &value) && value == 7 && tree_get(&snapshot, "a key that i", &value) && value == 7,
         "long keys are cut");
  free(snapshot.image);
  free(again.image);
  free(f.image);
  free(j.entries);
  printf("%d failures\n", failures);
  return failures != 0;
}
