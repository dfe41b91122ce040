// A compressor: a bit stream, LZ77 with hash chains and lazy matches, canonical Huffman codes of limited length (package-merge), a container
// with checksums, and a decompressor that refuses damaged data.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- growing buffers ---- */

typedef struct {
  uint8_t *bytes;
  size_t size, room;
} buffer;

static void *need(void *p) {
  if (!p) {
    fputs("out of memory\n", stderr);
    exit(2);
  }
  return p;
}

static void put_byte(buffer *b, uint8_t value) {
  if (b->size == b->room) {
    b->room = b->room ? 2 * b->room : 64;
    b->bytes = need(realloc(b->bytes, b->room));
  }
  b->bytes[b->size++] = value;
}

static void put_word(buffer *b, uint32_t value) {
  for (int i = 0; i < 4; i++)
    put_byte(b, (uint8_t)(value >> (8 * i)));
}

static void buffer_free(buffer *b) {
  free(b->bytes);
  *b = (buffer){0};
}

/* ---- checksums ---- */

static uint32_t crc_table[256];

static void crc_prepare(void) {
  for (uint32_t n = 0; n < 256; n++) {
    uint32_t c = n;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xEDB88320u ^ c >> 1 : c >> 1;
    crc_table[n] = c;
  }
}

static uint32_t crc32(const uint8_t *bytes, size_t size) {
  uint32_t c = 0xFFFFFFFFu;
  for (size_t i = 0; i < size; i++)
    c = crc_table[(c ^ bytes[i]) & 255] ^ c >> 8;
  return ~c;
}

static uint32_t adler32(const uint8_t *bytes, size_t size) {
  uint32_t a = 1, b = 0;
  for (size_t i = 0; i < size; i++) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

/* ---- bits, least significant first ---- */

typedef struct {
  buffer *out;
  uint64_t held;
  int count;
} bit_writer;

static void put_bits(bit_writer *w, uint32_t value, int count) {
  w->held |= (uint64_t)value << w->count;
  w->count += count;
  while (w->count >= 8) {
    put_byte(w->out, (uint8_t)w->held);
    w->held >>= 8;
    w->count -= 8;
  }
}

static void flush_bits(bit_writer *w) {
  if (w->count)
    put_byte(w->out, (uint8_t)w->held);
  w->held = 0;
  w->count = 0;
}

typedef struct {
  const uint8_t *at, *end;
  uint64_t held;
  int count;
  bool failed;
} bit_reader;

static uint32_t get_bits(bit_reader *r, int count) {
  while (r->count < count) {
    if (r->at == r->end) {
      r->failed = true;
      return 0;
    }
    r->held |= (uint64_t)*r->at++ << r->count;
    r->count += 8;
  }
  uint32_t value = (uint32_t)(r->held & ((1ull << count) - 1));
  r->held >>= count;
  r->count -= count;
  return value;
}

/* ---- Huffman codes ---- */

enum { MAX_SYMBOLS = 320, MAX_LENGTH = 12 };

typedef struct {
  int symbols;
  uint8_t length[MAX_SYMBOLS];
  uint16_t code[MAX_SYMBOLS]; /* first bit in the least significant place */
} huffman;

typedef struct {
  uint64_t weight;
  int symbol;      /* or -1 for a package */
  int left, right; /* of a package */
} coin;

static int by_weight(const void *a, const void *b) {
  const coin *x = a, *y = b;
  if (x->weight != y->weight)
    return x->weight < y->weight ? -1 : 1;
  return (x->symbol > y->symbol) - (x->symbol < y->symbol);
}

static void count_coin(const coin *all, int which, uint8_t *length) {
  const coin *c = &all[which];
  if (c->symbol >= 0) {
    length[c->symbol]++;
    return;
  }
  count_coin(all, c->left, length);
  count_coin(all, c->right, length);
}

/* Lengths of at most MAX_LENGTH with the least total: coins of every size, packaged in pairs from the smallest up. */
static void huffman_lengths(huffman *h, const uint32_t *counts, int symbols) {
  coin leaves[MAX_SYMBOLS];
  int used = 0;
  memset(h, 0, sizeof *h);
  h->symbols = symbols;
  for (int s = 0; s < symbols; s++)
    if (counts[s])
      leaves[used++] = (coin){counts[s], s, 0, 0};
  if (used == 0)
    return;
  if (used == 1) {
    h->length[leaves[0].symbol] = 1;
    return;
  }
  qsort(leaves, (size_t)used, sizeof *leaves, by_weight);
  /* `all` keeps each level's list, since packages refer to the level below. */
  coin *all = need(malloc((size_t)(MAX_LENGTH * 2 * used) * sizeof *all));
  int start = 0, size = used;
  memcpy(all, leaves, (size_t)used * sizeof *all);
  for (int level = 1; level < MAX_LENGTH; level++) {
    int next = start + size, pairs = size / 2, i = 0, p = 0, n = 0;
    while (i < used || p < pairs) {
      const coin *a = &all[start + 2 * p];
      uint64_t package = p < pairs ? a[0].weight + a[1].weight : UINT64_MAX;
      if (i < used && leaves[i].weight <= package) {
        all[next + n++] = leaves[i++];
      } else {
        all[next + n++] = (coin){package, -1, start + 2 * p, start + 2 * p + 1};
        p++;
      }
    }
    start = next;
    size = n;
  }
  for (int k = 0; k < 2 * used - 2; k++)
    count_coin(all, start + k, h->length);
  free(all);
}

/* Codes in order of length, then of symbol. Returns false if the lengths describe no prefix code. */
static bool huffman_codes(huffman *h) {
  int counts[MAX_LENGTH + 1] = {0};
  uint32_t next[MAX_LENGTH + 2] = {0}, code = 0;
  long space = 1L << MAX_LENGTH;
  for (int s = 0; s < h->symbols; s++)
    if (h->length[s]) {
      counts[h->length[s]]++;
      space -= 1L << (MAX_LENGTH - h->length[s]);
    }
  if (space < 0)
    return false;
  for (int bits = 1; bits <= MAX_LENGTH; bits++) {
    code = (code + (uint32_t)(bits > 1 ? counts[bits - 1] : 0)) << 1;
    next[bits] = code;
  }
  for (int s = 0; s < h->symbols; s++) {
    int length = h->length[s];
    if (!length)
      continue;
    uint32_t forward = next[length]++, backward = 0;
    for (int i = 0; i < length; i++)
      backward |= (forward >> i & 1) << (length - 1 - i);
    h->code[s] = (uint16_t)backward;
  }
  return true;
}

static void put_symbol(bit_writer *w, const huffman *h, int symbol) { put_bits(w, h->code[symbol], h->length[symbol]); }

/* A table from the next MAX_LENGTH bits to symbol and length. */
typedef struct {
  int16_t symbol[1 << MAX_LENGTH];
  uint8_t length[1 << MAX_LENGTH];
} decoder;

static void decoder_fill(decoder *d, const huffman *h) {
  memset(d->symbol, -1, sizeof d->symbol);
  memset(d->length, 0, sizeof d->length);
  for (int s = 0; s < h->symbols; s++)
    if (h->length[s])
      for (uint32_t i = h->code[s]; i < 1u << MAX_LENGTH; i += 1u << h->length[s]) {
        d->symbol[i] = (int16_t)s;
        d->length[i] = h->length[s];
      }
}

static int get_symbol(bit_reader *r, const decoder *d) {
  while (r->count < MAX_LENGTH && r->at < r->end) {
    r->held |= (uint64_t)*r->at++ << r->count;
    r->count += 8;
  }
  uint32_t index = (uint32_t)(r->held & ((1u << MAX_LENGTH) - 1));
  if (d->symbol[index] < 0 || d->length[index] > r->count) {
    r->failed = true;
    return 0;
  }
  r->held >>= d->length[index];
  r->count -= d->length[index];
  return d->symbol[index];
}

/* Lengths are written as runs: a value of four bits and a count of four more. */
static void put_lengths(bit_writer *w, const huffman *h) {
  for (int s = 0; s < h->symbols;) {
    int run = 1;
    while (s + run < h->symbols && run < 16 && h->length[s + run] == h->length[s])
      run++;
    put_bits(w, h->length[s], 4);
    put_bits(w, (uint32_t)run - 1, 4);
    s += run;
  }
}

static bool get_lengths(bit_reader *r, huffman *h, int symbols) {
  memset(h, 0, sizeof *h);
  h->symbols = symbols;
  for (int s = 0; s < symbols;) {
    uint32_t length = get_bits(r, 4), run = get_bits(r, 4) + 1;
    if (r->failed || length > MAX_LENGTH || s + (int)run > symbols)
      return false;
    while (run--)
      h->length[s++] = (uint8_t)length;
  }
  return huffman_codes(h);
}

/* ---- matches ---- */

enum { WINDOW = 4096, MIN_MATCH = 3, MAX_MATCH = 66, HASHES = 1024, CHAIN = 16 };
enum { END_OF_BLOCK = 256, FIRST_LENGTH = 257, LITERALS = FIRST_LENGTH + (MAX_MATCH - MIN_MATCH) / 2 + 1, DISTANCES = 13 };

typedef struct {
  uint16_t length; /* 0: a literal */
  uint16_t value;  /* the literal, or the distance */
} token;

typedef struct {
  int32_t head[HASHES];
  int32_t *previous;
} chains;

static unsigned hash3(const uint8_t *p) { return ((unsigned)p[0] << 7 ^ (unsigned)p[1] << 4 ^ p[2] * 31u) % HASHES; }

static void remember(chains *c, const uint8_t *data, size_t at, size_t size) {
  if (at + MIN_MATCH > size)
    return;
  unsigned h = hash3(data + at);
  c->previous[at] = c->head[h];
  c->head[h] = (int32_t)at;
}

static int longest_match(const chains *c, const uint8_t *data, size_t at, size_t size, int *distance) {
  int best = 0;
  if (at + MIN_MATCH > size)
    return 0;
  int most = size - at < MAX_MATCH ? (int)(size - at) : MAX_MATCH;
  int32_t candidate = c->head[hash3(data + at)];
  for (int tries = 0; candidate >= 0 && (size_t)candidate + WINDOW > at && tries < CHAIN; tries++) {
    int length = 0;
    while (length < most && data[candidate + length] == data[at + (size_t)length])
      length++;
    if (length > best) {
      best = length;
      *distance = (int)(at - (size_t)candidate);
    }
    candidate = c->previous[candidate];
  }
  return best >= MIN_MATCH ? best : 0;
}

static size_t find_tokens(const uint8_t *data, size_t size, token *out) {
  chains c;
  memset(c.head, -1, sizeof c.head);
  c.previous = need(malloc((size + 1) * sizeof *c.previous));
  size_t n = 0;
  for (size_t at = 0; at < size;) {
    int distance = 0, later = 0;
    int length = longest_match(&c, data, at, size, &distance);
    remember(&c, data, at, size);
    if (length && at + 1 < size && longest_match(&c, data, at + 1, size, &later) > length)
      length = 0; /* a longer match begins at the next byte */
    if (!length) {
      out[n++] = (token){0, data[at++]};
      continue;
    }
    out[n++] = (token){(uint16_t)length, (uint16_t)distance};
    for (int k = 1; k < length; k++)
      remember(&c, data, at + (size_t)k, size);
    at += (size_t)length;
  }
  free(c.previous);
  return n;
}

static int log2_of(int x) {
  int n = 0;
  while (x >>= 1)
    n++;
  return n;
}

/* ---- the container: magic, size, CRC, Adler, then one block ---- */

static buffer compress(const uint8_t *data, size_t size) {
  buffer out = {0};
  put_word(&out, 0x315A4C41u);
  put_word(&out, (uint32_t)size);
  put_word(&out, crc32(data, size));
  put_word(&out, adler32(data, size));
  token *tokens = need(malloc((size + 1) * sizeof *tokens));
  size_t count = find_tokens(data, size, tokens);
  uint32_t literals[LITERALS] = {0}, distances[DISTANCES] = {0};
  for (size_t i = 0; i < count; i++) {
    if (tokens[i].length) {
      literals[FIRST_LENGTH + (tokens[i].length - MIN_MATCH) / 2]++;
      distances[log2_of(tokens[i].value)]++;
    } else {
      literals[tokens[i].value]++;
    }
  }
  literals[END_OF_BLOCK]++;
  huffman lh, dh;
  huffman_lengths(&lh, literals, LITERALS);
  huffman_lengths(&dh, distances, DISTANCES);
  huffman_codes(&lh);
  huffman_codes(&dh);
  bit_writer w = {&out, 0, 0};
  put_lengths(&w, &lh);
  put_lengths(&w, &dh);
  for (size_t i = 0; i < count; i++) {
    if (!tokens[i].length) {
      put_symbol(&w, &lh, tokens[i].value);
      continue;
    }
    int over = tokens[i].length - MIN_MATCH, bits = log2_of(tokens[i].value);
    put_symbol(&w, &lh, FIRST_LENGTH + over / 2);
    put_bits(&w, (uint32_t)over & 1, 1);
    put_symbol(&w, &dh, bits);
    put_bits(&w, (uint32_t)tokens[i].value - (1u << bits), bits);
  }
  put_symbol(&w, &lh, END_OF_BLOCK);
  flush_bits(&w);
  free(tokens);
  return out;
}

static uint32_t word_at(const uint8_t *p) { return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24; }

/* Returns what is wrong, or NULL. */
static const char *decompress(const uint8_t *bytes, size_t size, buffer *out) {
  if (size < 16 || word_at(bytes) != 0x315A4C41u)
    return "not a compressed file";
  uint32_t length = word_at(bytes + 4);
  bit_reader r = {bytes + 16, bytes + size, 0, 0, false};
  huffman lh, dh;
  if (!get_lengths(&r, &lh, LITERALS) || !get_lengths(&r, &dh, DISTANCES))
    return "malformed codes";
  decoder *ld = need(malloc(sizeof *ld)), *dd = need(malloc(sizeof *dd));
  decoder_fill(ld, &lh);
  decoder_fill(dd, &dh);
  const char *wrong = NULL;
  while (!wrong) {
    int symbol = get_symbol(&r, ld);
    if (r.failed) {
      wrong = "truncated";
    } else if (symbol < 256) {
      put_byte(out, (uint8_t)symbol);
    } else if (symbol == END_OF_BLOCK) {
      break;
    } else {
      int run = (symbol - FIRST_LENGTH) * 2 + MIN_MATCH + (int)get_bits(&r, 1);
      int bits = get_symbol(&r, dd);
      size_t distance = (1u << bits) + get_bits(&r, bits);
      if (r.failed)
        wrong = "truncated";
      else if (distance > out->size)
        wrong = "a match before the start";
      else
        while (run-- > 0)
          put_byte(out, out->bytes[out->size - distance]);
    }
    if (out->size > length)
      wrong = "too long";
  }
  free(ld), free(dd);
  if (wrong)
    return wrong;
  if (out->size != length)
    return "wrong size";
  if (crc32(out->bytes, out->size) != word_at(bytes + 8) || adler32(out->bytes, out->size) != word_at(bytes + 12))
    return "wrong checksum";
  return NULL;
}

/* ---- the program ---- */

static int failures = 0;

static buffer round_trip(const char *name, const uint8_t *data, size_t size) {
  buffer packed = compress(data, size), back = {0};
  const char *wrong = decompress(packed.bytes, packed.size, &back);
  bool same = !wrong && back.size == size && (size == 0 || !memcmp(back.bytes, data, size));
  printf("%-10s %5zu -> %5zu bytes, crc %08x, adler %08x: %s\n", name, size, packed.size, (unsigned)crc32(data, size),
         (unsigned)adler32(data, size), same ? "ok" : wrong ? wrong : "DIFFERENT");
  failures += !same;
  buffer_free(&back);
  return packed;
}

static void damage(const buffer *packed) {
  int detected = 0, tried = 0;
  for (size_t at = 0; at < packed->size; at += 1 + packed->size / 24) {
    buffer copy = {need(malloc(packed->size)), packed->size, packed->size}, out = {0};
    memcpy(copy.bytes, packed->bytes, packed->size);
    copy.bytes[at] ^= (uint8_t)(1 << at % 8);
    tried++;
    if (decompress(copy.bytes, copy.size, &out))
      detected++;
    /* Bits behind the end of the last code are padding. */
    else if (at + 1 == packed->size)
      detected++;
    buffer_free(&out);
    if (decompress(packed->bytes, at, &out))
      detected++;
    tried++;
    buffer_free(&out);
    buffer_free(&copy);
  }
  printf("%d of %d damages detected\n", detected, tried);
  failures += detected != tried;
}

static void limited_codes(void) {
  uint32_t counts[20];
  huffman h;
  counts[0] = counts[1] = 1;
  for (int i = 2; i < 20; i++)
    counts[i] = counts[i - 1] + counts[i - 2]; /* the worst case for lengths */
  huffman_lengths(&h, counts, 20);
  bool prefix = huffman_codes(&h);
  long space = 0;
  int longest = 0;
  for (int i = 0; i < 20; i++) {
    space += 1L << (MAX_LENGTH - h.length[i]);
    longest = h.length[i] > longest ? h.length[i] : longest;
  }
  printf("Fibonacci weights: longest code %d, space used %ld of %ld\n", longest, space, 1L << MAX_LENGTH);
  failures += !prefix || longest != MAX_LENGTH || space != 1L << MAX_LENGTH;
}

int main(void) {
  crc_prepare();
  failures += crc32((const uint8_t *)"123456789", 9) != 0xCBF43926u || adler32((const uint8_t *)"Wikipedia", 9) != 0x11E60398u;
  static const char *const words[] = {"the ", "adjoint ", "of ", "a ", "sum ", "is ", "tape ", "reversed ", "loop ", "shadow ", "memory, "};
  buffer text = {0}, noise = {0}, ramp = {0};
  uint32_t state = 1;
  while (text.size < 2500) {
    state = state * 1664525u + 1013904223u;
    for (const char *c = words[(state >> 20) % 11]; *c; c++)
      put_byte(&text, (uint8_t)*c);
  }
  for (int i = 0; i < 600; i++) {
    state = state * 1664525u + 1013904223u;
    put_byte(&noise, (uint8_t)(state >> 24));
    put_byte(&ramp, (uint8_t)(i / 3));
  }
  uint8_t zeros[1500] = {0};
  buffer packed = round_trip("text", text.bytes, text.size);
  failures += packed.size * 2 > text.size;
  damage(&packed);
  buffer_free(&packed);
  struct {
    const char *name;
    const uint8_t *data;
    size_t size;
  } others[] = {{"noise", noise.bytes, noise.size}, {"ramp", ramp.bytes, ramp.size}, {"zeros", zeros, sizeof zeros}, {"empty", zeros, 0}, {"one", text.bytes, 1}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    packed = round_trip(others[i].name, others[i].data, others[i].size);
    buffer_free(&packed);
  }
  limited_codes();
  buffer_free(&text), buffer_free(&noise), buffer_free(&ramp);
  printf("%d failures\n", failures);
  return failures != 0;
}
