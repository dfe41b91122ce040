/* Checkpointing of a loop as the program has it: snapshots are what its steps overwrite.
 *
 * Nothing says how much memory the steps of a loop may change; they say it when they run. Before the forward pass of a differentiated
 * function overwrites memory that steps use, it saves the old bytes here, once since the last mark. Undone down to a mark, last
 * entry first, memory is what it was at the mark: so a mark is a snapshot, and as large as what changed since the one before. (An undo
 * log, as data bases recover by: Gray & Reuter, Transaction Processing, 1993, ch. 10; and Griewank & Walther's snapshots of what changes.)
 *
 * The forward pass sets one mark, where the loop begins. The reverse undoes everything down to it, executes steps again, sets the marks
 * of the schedule (checkpoint.c), and reverses one step at a time. When it is done, memory is as it found it. */

/* Bytes that were overwritten: this head, the bytes, filled up to 8, and the length of all that. */
struct adj_entry {
  char *at;
  unsigned long size;
};

/* Which bytes of 64 at a multiple of 64 were saved since a mark. */
struct adj_line {
  unsigned long line, bytes, mark;
};

/* A block that a step has allocated. */
struct adj_own {
  char *at;
  unsigned long size;
};

/* What the program freed and the reverse still needs; what is called to free it, and its arguments, follow. */
struct adj_retired {
  struct adj_retired *next;
  void (*release)(struct adj_retired *);
};

struct adj_undo {
  char *entries;
  unsigned long top, room;
  /* Where the last entry begins, and 1 more; 0 if it may not grow. */
  unsigned long open;
  struct adj_line *lines;
  unsigned long lines_used, lines_room, mark;
  struct adj_own *own;
  unsigned long owned, own_room;
  long in_step;
  struct adj_retired *retired;
  void (*refuse)(const char *, unsigned long);
};

/* The head of a tape, as ad/src/runtime.rs lays it out. */
struct adj_head {
  char *next, *end;
  struct adj_chunk {
    struct adj_chunk *previous;
    unsigned long size;
  } *chunk;
  struct adj_undo *undo;
  unsigned long total; /* bytes of all chunks */
};

/* A loop that has run. What its steps get follows. */
struct adj_loop {
  struct adj_undo *undo;
  int (*forward)(void *, struct adj_head *, void **);
  void (*reverse)(void *, void *);
  void (*release)(struct adj_head *);
  long schedule, number, steps;
  unsigned long begin, end;
  long unused[3];
};

void *realloc(void *, unsigned long);

static void adj_refuse(struct adj_undo *undo, const char *text) {
  undo->refuse(text, __builtin_strlen(text));
}

/* From here on everything is saved anew. */
static void adj_mark(struct adj_undo *undo) {
  undo->mark++;
  undo->open = 0;
}

static struct adj_line *adj_find(struct adj_line *lines, unsigned long room, unsigned long line) {
  unsigned long i = (line * 0x9E3779B97F4A7C15UL) >> 20;
  for (;; i++)
    if (lines[i & (room - 1)].line == line || !lines[i & (room - 1)].mark)
      return &lines[i & (room - 1)];
}

/* The bytes of a line that were saved since the last mark. */
static unsigned long *adj_saved(struct adj_undo *undo, unsigned long line) {
  if (2 * undo->lines_used >= undo->lines_room) {
    unsigned long room = undo->lines_room ? 2 * undo->lines_room : 1024;
    struct adj_line *lines = calloc(room, sizeof *lines);
    undo->lines_used = 0;
    for (unsigned long i = 0; i < undo->lines_room; i++)
      if (undo->lines[i].mark == undo->mark)
        *adj_find(lines, room, undo->lines[i].line) = undo->lines[i], undo->lines_used++;
    free(undo->lines);
    undo->lines = lines, undo->lines_room = room;
  }
  struct adj_line *found = adj_find(undo->lines, undo->lines_room, line);
  undo->lines_used += !found->mark;
  if (found->mark != undo->mark)
    *found = (struct adj_line){line, 0, undo->mark};
  return &found->bytes;
}

static unsigned long adj_length(unsigned long size) {
  return sizeof(struct adj_entry) + (size + 7) / 8 * 8 + sizeof(unsigned long);
}

/* Room for so many bytes above a place, which become the top. */
static char *adj_reach(struct adj_undo *undo, unsigned long at, unsigned long length) {
  if (at + length > undo->room) {
    undo->room = 2 * undo->room + length + 4096;
    undo->entries = realloc(undo->entries, undo->room);
  }
  undo->top = at + length;
  *(unsigned long *)(undo->entries + undo->top - sizeof length) = length;
  return undo->entries + at;
}

/* An entry with these bytes on top. */
static void adj_enter(struct adj_undo *undo, char *at, const char *bytes, unsigned long size) {
  unsigned long begin = undo->top;
  struct adj_entry *entry = (struct adj_entry *)adj_reach(undo, begin, adj_length(size));
  entry->at = at;
  entry->size = size;
  __builtin_memcpy(entry + 1, bytes, size);
  undo->open = begin + 1;
}

/* Saves bytes of one line: with the last entry, if they follow its own. (What follows what is in use is in use, and of the same object.) */
static void adj_save(struct adj_undo *undo, char *at, unsigned long size) {
  if (undo->open) {
    unsigned long begin = undo->open - 1;
    struct adj_entry *last = (struct adj_entry *)(undo->entries + begin);
    if (last->at + last->size == at && (unsigned long)at % 64) {
      last = (struct adj_entry *)adj_reach(undo, begin, adj_length(last->size + size));
      __builtin_memcpy((char *)(last + 1) + last->size, at, size);
      last->size += size;
      return;
    }
  }
  adj_enter(undo, at, at, size);
}

/* Is it memory that is gone when the step is done? */
static int adj_is_own(struct adj_undo *undo, struct adj_head *tape, char *at) {
  unsigned long address = (unsigned long)at;
  for (unsigned long i = 0; i < undo->owned; i++)
    if (address - (unsigned long)undo->own[i].at < undo->own[i].size)
      return 1;
  for (struct adj_chunk *chunk = tape->chunk; chunk; chunk = chunk->previous)
    if (address - (unsigned long)chunk < sizeof *chunk + chunk->size)
      return 1;
  return 0;
}

/* Memory is about to be overwritten. */
__attribute__((weak)) void __adj_undo_save(struct adj_head *tape, char *at, unsigned long size) {
  struct adj_undo *undo = tape->undo;
  if (!undo || !size || undo->in_step && adj_is_own(undo, tape, at))
    return;
  for (unsigned long done = 0; done < size;) {
    unsigned long address = (unsigned long)at + done, first = address % 64, count = 64 - first;
    if (count > size - done)
      count = size - done;
    unsigned long bytes = (count == 64 ? ~0UL : (1UL << count) - 1) << first, *saved = adj_saved(undo, address / 64);
    if (bytes & ~*saved) {
      *saved |= bytes;
      adj_save(undo, at + done, count);
    }
    done += count;
  }
}

/* Pointers are about to be overwritten, `stride` bytes apart. */
__attribute__((weak)) void __adj_undo_save_pointers(struct adj_head *tape, char *at, unsigned long count,
                                                    unsigned long stride) {
  for (unsigned long i = 0; i < count; i++)
    __adj_undo_save(tape, at + i * stride, sizeof(void *));
}

/* A step has allocated memory. */
__attribute__((weak)) void __adj_undo_allocated(struct adj_head *tape, char *at, unsigned long size) {
  struct adj_undo *undo = tape->undo;
  if (!undo || !undo->in_step || !at)
    return;
  if (undo->owned == undo->own_room) {
    undo->own_room = 2 * undo->own_room + 16;
    undo->own = realloc(undo->own, undo->own_room * sizeof *undo->own);
  }
  undo->own[undo->owned++] = (struct adj_own){at, size};
}

/* The program frees memory: may it be freed now? */
__attribute__((weak)) int __adj_undo_frees(struct adj_head *tape, char *at) {
  struct adj_undo *undo = tape->undo;
  if (!undo || !at)
    return 1;
  if (!undo->in_step)
    return 0;
  for (unsigned long i = undo->owned; i--;)
    if (undo->own[i].at == at) {
      undo->own[i] = undo->own[--undo->owned];
      return 1;
    }
  adj_refuse(undo, "a step of a loop with checkpoints frees memory that it has not allocated itself\n");
  return 1;
}

__attribute__((weak)) void __adj_undo_retire(struct adj_head *tape, struct adj_retired *retired) {
  retired->next = tape->undo->retired;
  tape->undo->retired = retired;
}

/* The gradient is done. */
__attribute__((weak)) void __adj_undo_free(struct adj_undo *undo) {
  for (struct adj_retired *retired = undo->retired; retired; retired = retired->next)
    retired->release(retired);
  free(undo->entries);
  free(undo->lines);
  free(undo->own);
  free(undo);
}

/* One step; what its reverse needs is left on the tape. */
static int adj_step_forward(struct adj_loop *loop, struct adj_head *tape, void **record) {
  struct adj_undo *undo = loop->undo;
  *tape = (struct adj_head){0, 0, 0, undo, 0};
  undo->in_step++;
  int left = loop->forward(loop + 1, tape, record);
  undo->in_step--;
  if (undo->owned)
    adj_refuse(undo, "memory that a step of a loop with checkpoints allocates is not freed in the same step\n");
  tape->undo = 0;
  return left;
}

/* One step, of which nothing is kept. */
static int adj_advance_one(struct adj_loop *loop) {
  struct adj_head tape;
  void *record;
  int left = adj_step_forward(loop, &tape, &record);
  loop->release(&tape);
  return left;
}

__attribute__((weak)) int __adj_undo_forward(struct adj_loop *loop, int (*forward)(void *, struct adj_head *, void **),
                                             void (*reverse)(void *, void *), void (*release)(struct adj_head *),
                                             void (*refuse)(const char *, unsigned long), long schedule, long number,
                                             struct adj_head *tape) {
  if (!tape->undo) {
    tape->undo = calloc(1, sizeof *tape->undo);
    tape->undo->refuse = refuse;
  }
  struct adj_undo *undo = tape->undo;
  loop->undo = undo;
  loop->forward = forward, loop->reverse = reverse, loop->release = release;
  loop->schedule = schedule, loop->number = number;
  loop->begin = undo->top;
  adj_mark(undo);
  int left;
  loop->steps = 0;
  do {
    left = adj_advance_one(loop);
    loop->steps++;
  } while (!left);
  loop->end = undo->top;
  adj_mark(undo);
  return left;
}

/* Exchanges what an entry holds for what memory holds. */
static void adj_exchange(char *entries, unsigned long at) {
  struct adj_entry *entry = (struct adj_entry *)(entries + at);
  char *held = (char *)(entry + 1), now[64];
  __builtin_memcpy(now, entry->at, entry->size);
  __builtin_memcpy(entry->at, held, entry->size);
  __builtin_memcpy(held, now, entry->size);
}

/* An entry holds what memory holds now; its length. */
static unsigned long adj_look(char *entries, unsigned long at) {
  struct adj_entry *entry = (struct adj_entry *)(entries + at);
  __builtin_memcpy(entry + 1, entry->at, entry->size);
  return adj_length(entry->size);
}

/* Memory becomes what it was when the log ended here. */
static void adj_undo_to(struct adj_undo *undo, unsigned long mark) {
  while (undo->top > mark) {
    undo->top -= *(unsigned long *)(undo->entries + undo->top - sizeof(unsigned long));
    struct adj_entry *entry = (struct adj_entry *)(undo->entries + undo->top);
    __builtin_memcpy(entry->at, entry + 1, entry->size);
  }
  adj_mark(undo);
}

/* Takes the entries above a mark off, to be exchanged one by one. */
static char *adj_take(struct adj_undo *undo, unsigned long mark, unsigned long *length) {
  *length = undo->top - mark;
  char *taken = malloc(*length + 1);
  __builtin_memcpy(taken, undo->entries + mark, *length);
  undo->top = mark;
  return taken;
}

/* Puts them back. */
static void adj_give(struct adj_undo *undo, char *taken, unsigned long length) {
  for (unsigned long at = 0; at < length;) {
    struct adj_entry *entry = (struct adj_entry *)(taken + at);
    adj_enter(undo, entry->at, (char *)(entry + 1), entry->size);
    at += adj_length(entry->size);
  }
  free(taken);
}

struct adj_mark {
  struct adj_mark *below;
  unsigned long top;
  long at, budget;
};

static struct adj_mark *adj_set_mark(struct adj_mark *below, struct adj_undo *undo, long at, long budget) {
  struct adj_mark *made = malloc(sizeof *made);
  *made = (struct adj_mark){below, undo->top, at, budget};
  adj_mark(undo);
  return made;
}

__attribute__((weak)) void __adj_undo_reverse(struct adj_loop *loop) {
  struct adj_undo *undo = loop->undo;
  /* What was overwritten after the loop. */
  unsigned long later_length, length;
  char *later = adj_take(undo, loop->end, &later_length);
  for (unsigned long at = later_length; at;) {
    at -= *(unsigned long *)(later + at - sizeof at);
    adj_exchange(later, at);
  }
  /* The loop itself: what memory holds behind it, and the way back to where it began. */
  char *within = adj_take(undo, loop->begin, &length);
  char *after = malloc(length + 1);
  __builtin_memcpy(after, within, length);
  for (unsigned long at = 0; at < length;)
    at += adj_look(after, at);
  for (unsigned long at = length; at;) {
    at -= *(unsigned long *)(within + at - sizeof at);
    struct adj_entry *entry = (struct adj_entry *)(within + at);
    __builtin_memcpy(entry->at, entry + 1, entry->size);
  }
  adj_mark(undo);

  long to = loop->steps, at = 0, budget = loop->number < 1 ? 1 : loop->number;
  struct adj_mark *top = 0;
  while (at < to) {
    long next = at + adj_stride(loop->schedule, to - at, budget);
    top = adj_set_mark(top, undo, at, budget);
    /* The last stretch is executed when it is reversed. */
    if (next >= to)
      break;
    for (; at < next; at++)
      adj_advance_one(loop);
    budget -= loop->schedule == ADJ_REVOLVE;
  }
  while (top) {
    long steps = to - top->at;
    at = top->at;
    if (steps > 1 && top->budget > 1) {
      long next = at + adj_advance(steps, top->budget);
      for (; at < next; at++)
        adj_advance_one(loop);
      top = adj_set_mark(top, undo, at, top->budget - 1);
      continue;
    }
    for (; at < to - 1; at++)
      adj_advance_one(loop);
    struct adj_head tape;
    void *record;
    adj_step_forward(loop, &tape, &record);
    loop->reverse(loop + 1, record);
    loop->release(&tape);
    to = at;
    adj_undo_to(undo, top->top);
    if (to == top->at) {
      struct adj_mark *below = top->below;
      free(top);
      top = below;
      if (top)
        adj_undo_to(undo, top->top);
    }
  }

  /* As it was found. */
  for (unsigned long n = 0; n < length;)
    n += adj_look(within, n);
  for (unsigned long n = 0; n < length;) {
    struct adj_entry *entry = (struct adj_entry *)(after + n);
    __builtin_memcpy(entry->at, entry + 1, entry->size);
    n += adj_length(entry->size);
  }
  free(after);
  adj_give(undo, within, length);
  for (unsigned long n = 0; n < later_length; n += adj_length(((struct adj_entry *)(later + n))->size))
    adj_exchange(later, n);
  adj_give(undo, later, later_length);
  adj_mark(undo);
}
