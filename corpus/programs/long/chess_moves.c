// A chess move generator on a 10x12 board: positions read from and written to Forsyth-Edwards notation, all rules of movement, make and
// unmake with incremental Zobrist keys, perft against known counts, and a small alpha-beta search with a transposition table.
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the board ---- */

enum { EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, KINDS, WHITE = 0, BLACK = 8, OFF = 255 };
enum { WHITE_SHORT = 1, WHITE_LONG = 2, BLACK_SHORT = 4, BLACK_LONG = 8 };
enum { SQUARES = 120, MAX_MOVES = 256, MAX_PLY = 64 };

typedef struct {
  uint8_t from, to;
  uint8_t promotion; /* the kind, or 0 */
  uint8_t special;   /* 0 none, 1 double step, 2 en passant, 3 castling */
} move;

typedef struct {
  move made;
  uint8_t captured, castling, passant;
  uint16_t clock;
  uint64_t key;
} undo;

typedef struct {
  uint8_t square[SQUARES];
  uint8_t king[2];
  int side; /* WHITE or BLACK */
  uint8_t castling, passant;
  uint16_t clock, number;
  uint64_t key;
  undo history[MAX_PLY];
  int ply;
} position;

static uint64_t piece_keys[16][SQUARES], castling_keys[16], passant_keys[SQUARES], side_key;

static uint64_t random64(void) {
  static uint64_t state = 0x123456789abcdefULL;
  state ^= state << 7;
  state ^= state >> 9;
  return state * 0x9E3779B97F4A7C15ULL;
}

static void keys_prepare(void) {
  for (int p = 0; p < 16; p++)
    for (int s = 0; s < SQUARES; s++)
      piece_keys[p][s] = random64();
  for (int c = 0; c < 16; c++)
    castling_keys[c] = random64();
  for (int s = 0; s < SQUARES; s++)
    passant_keys[s] = random64();
  side_key = random64();
}

static int kind_of(int piece) { return piece & 7; }
static int side_of(int piece) { return piece & 8; }
static int at(int file, int rank) { return 21 + file + 10 * rank; }
static int file_of(int s) { return s % 10 - 1; }
static int rank_of(int s) { return s / 10 - 2; }

static uint64_t full_key(const position *p) {
  uint64_t key = castling_keys[p->castling] ^ (p->passant ? passant_keys[p->passant] : 0) ^ (p->side ? side_key : 0);
  for (int s = 0; s < SQUARES; s++)
    if (p->square[s] != OFF && p->square[s])
      key ^= piece_keys[p->square[s]][s];
  return key;
}

/* ---- notation ---- */

static const char letters[] = " pnbrqk";

static bool read_position(position *p, const char *text) {
  memset(p, 0, sizeof *p);
  memset(p->square, OFF, sizeof p->square);
  int file = 0, rank = 7;
  for (int f = 0; f < 8; f++)
    for (int r = 0; r < 8; r++)
      p->square[at(f, r)] = EMPTY;
  for (; *text && *text != ' '; text++) {
    const char *found;
    if (*text == '/') {
      if (file != 8 || rank-- == 0)
        return false;
      file = 0;
    } else if (isdigit((unsigned char)*text)) {
      file += *text - '0';
    } else if (file < 8 && (found = strchr(letters + 1, tolower((unsigned char)*text)))) {
      int side = islower((unsigned char)*text) ? BLACK : WHITE, kind = (int)(found - letters);
      p->square[at(file, rank)] = (uint8_t)(kind | side);
      if (kind == KING)
        p->king[side / 8] = (uint8_t)at(file, rank);
      file++;
    } else {
      return false;
    }
    if (file > 8)
      return false;
  }
  char side, castling[5], passant[3];
  int clock, number;
  if (rank != 0 || file != 8 || sscanf(text, " %c %4s %2s %d %d", &side, castling, passant, &clock, &number) != 5)
    return false;
  if ((side != 'w' && side != 'b') || !p->king[0] || !p->king[1])
    return false;
  p->side = side == 'b' ? BLACK : WHITE;
  for (const char *c = castling; *c && *c != '-'; c++) {
    const char *flag = strchr("KQkq", *c);
    if (!flag)
      return false;
    p->castling |= (uint8_t)(1 << (flag - "KQkq"));
  }
  if (passant[0] != '-')
    p->passant = (uint8_t)at(passant[0] - 'a', passant[1] - '1');
  p->clock = (uint16_t)clock;
  p->number = (uint16_t)number;
  p->key = full_key(p);
  return true;
}

static void write_position(const position *p, char *out) {
  for (int r = 7; r >= 0; r--) {
    int gap = 0;
    for (int f = 0; f <= 8; f++) {
      int piece = f < 8 ? p->square[at(f, r)] : OFF;
      if (piece == EMPTY) {
        gap++;
        continue;
      }
      if (gap)
        *out++ = (char)('0' + gap);
      gap = 0;
      if (f < 8)
        *out++ = side_of(piece) ? letters[kind_of(piece)] : (char)toupper((unsigned char)letters[kind_of(piece)]);
    }
    *out++ = r ? '/' : ' ';
  }
  char castling[5] = "", passant[3] = "-";
  for (int i = 0, n = 0; i < 4; i++)
    if (p->castling >> i & 1) {
      castling[n++] = "KQkq"[i];
      castling[n] = '\0';
    }
  if (p->passant)
    snprintf(passant, sizeof passant, "%c%c", 'a' + file_of(p->passant), '1' + rank_of(p->passant));
  sprintf(out, "%c %s %s %d %d", p->side ? 'b' : 'w', castling[0] ? castling : "-", passant, p->clock, p->number);
}

static const char *move_name(move m) {
  static char text[6];
  snprintf(text, sizeof text, "%c%c%c%c%.1s", 'a' + file_of(m.from), '1' + rank_of(m.from), 'a' + file_of(m.to), '1' + rank_of(m.to),
           m.promotion ? &letters[m.promotion] : "");
  return text;
}

/* ---- movement ---- */

static const int8_t steps[KINDS][9] = {
    {0}, {0},
    {-21, -19, -12, -8, 8, 12, 19, 21, 0},
    {-11, -9, 9, 11, 0},
    {-10, -1, 1, 10, 0},
    {-11, -10, -9, -1, 1, 9, 10, 11, 0},
    {-11, -10, -9, -1, 1, 9, 10, 11, 0},
};

static bool slides(int kind) { return kind >= BISHOP && kind <= QUEEN; }

static bool attacked(const position *p, int target, int by) {
  int forward = by == WHITE ? 10 : -10;
  for (int d = -1; d <= 1; d += 2)
    if (p->square[target - forward + d] == (PAWN | by))
      return true;
  for (int kind = KNIGHT; kind <= KING; kind++)
    for (const int8_t *d = steps[kind]; *d; d++) {
      int s = target + *d;
      while (p->square[s] == EMPTY && slides(kind))
        s += *d;
      if (p->square[s] == (kind | by))
        return true;
    }
  return false;
}

static bool in_check(const position *p, int side) { return attacked(p, p->king[side / 8], side ^ BLACK); }

static void add(move *list, int *n, int from, int to, int promotion, int special) {
  list[(*n)++] = (move){(uint8_t)from, (uint8_t)to, (uint8_t)promotion, (uint8_t)special};
}

static void add_pawn(move *list, int *n, int from, int to, int special) {
  if (rank_of(to) == 0 || rank_of(to) == 7) {
    for (int kind = QUEEN; kind >= KNIGHT; kind--)
      add(list, n, from, to, kind, special);
  } else {
    add(list, n, from, to, 0, special);
  }
}

static int pseudo_moves(const position *p, move *list) {
  int n = 0, side = p->side, forward = side == WHITE ? 10 : -10;
  for (int s = 21; s < 99; s++) {
    int piece = p->square[s];
    if (piece == OFF || piece == EMPTY || side_of(piece) != side)
      continue;
    if (kind_of(piece) == PAWN) {
      if (p->square[s + forward] == EMPTY) {
        add_pawn(list, &n, s, s + forward, 0);
        if (rank_of(s) == (side ? 6 : 1) && p->square[s + 2 * forward] == EMPTY)
          add(list, &n, s, s + 2 * forward, 0, 1);
      }
      for (int d = -1; d <= 1; d += 2) {
        int to = s + forward + d, hit = p->square[to];
        if (hit != OFF && hit && side_of(hit) != side)
          add_pawn(list, &n, s, to, 0);
        else if (to == p->passant)
          add(list, &n, s, to, 0, 2);
      }
      continue;
    }
    for (const int8_t *d = steps[kind_of(piece)]; *d; d++)
      for (int to = s + *d; p->square[to] != OFF; to += *d) {
        int hit = p->square[to];
        if (hit && side_of(hit) == side)
          break;
        add(list, &n, s, to, 0, 0);
        if (hit || !slides(kind_of(piece)))
          break;
      }
  }
  int home = p->king[side / 8], rights = side ? p->castling >> 2 : p->castling, other = side ^ BLACK;
  if (rights & 3 && !in_check(p, side)) {
    if (rights & 1 && !p->square[home + 1] && !p->square[home + 2] && !attacked(p, home + 1, other))
      add(list, &n, home, home + 2, 0, 3);
    if (rights & 2 && !p->square[home - 1] && !p->square[home - 2] && !p->square[home - 3] && !attacked(p, home - 1, other))
      add(list, &n, home, home - 2, 0, 3);
  }
  return n;
}

static void place(position *p, int s, int piece) {
  if (p->square[s])
    p->key ^= piece_keys[p->square[s]][s];
  if (piece)
    p->key ^= piece_keys[piece][s];
  p->square[s] = (uint8_t)piece;
  if (kind_of(piece) == KING)
    p->king[side_of(piece) / 8] = (uint8_t)s;
}

/* Rights that end when something moves from or to a square. */
static int spoils(int s) {
  switch (s) {
  case 21: return WHITE_LONG;
  case 28: return WHITE_SHORT;
  case 25: return WHITE_LONG | WHITE_SHORT;
  case 91: return BLACK_LONG;
  case 98: return BLACK_SHORT;
  case 95: return BLACK_LONG | BLACK_SHORT;
  default: return 0;
  }
}

static void unmake(position *p);

/* Returns false, and takes the move back, if it leaves the king in check. */
static bool make(position *p, move m) {
  undo *u = &p->history[p->ply++];
  int piece = p->square[m.from], side = p->side, forward = side ? -10 : 10;
  *u = (undo){m, p->square[m.to], p->castling, p->passant, p->clock, p->key};
  p->key ^= castling_keys[p->castling] ^ (p->passant ? passant_keys[p->passant] : 0);
  p->clock = kind_of(piece) == PAWN || u->captured ? 0 : (uint16_t)(p->clock + 1);
  place(p, m.from, EMPTY);
  place(p, m.to, m.promotion ? m.promotion | side : piece);
  p->passant = m.special == 1 ? (uint8_t)(m.from + forward) : 0;
  if (m.special == 2)
    place(p, m.to - forward, EMPTY);
  if (m.special == 3) {
    bool shortly = m.to > m.from;
    place(p, shortly ? m.to + 1 : m.to - 2, EMPTY);
    place(p, shortly ? m.to - 1 : m.to + 1, ROOK | side);
  }
  p->castling &= (uint8_t)~(spoils(m.from) | spoils(m.to));
  p->key ^= castling_keys[p->castling] ^ (p->passant ? passant_keys[p->passant] : 0) ^ side_key;
  p->side ^= BLACK;
  p->number = (uint16_t)(p->number + (side == BLACK));
  if (in_check(p, side)) {
    unmake(p);
    return false;
  }
  return true;
}

static void unmake(position *p) {
  undo u = p->history[--p->ply];
  p->side ^= BLACK;
  int side = p->side, forward = side ? -10 : 10;
  p->number = (uint16_t)(p->number - (side == BLACK));
  int piece = p->square[u.made.to];
  place(p, u.made.from, u.made.promotion ? PAWN | side : piece);
  place(p, u.made.to, u.captured);
  if (u.made.special == 2)
    place(p, u.made.to - forward, PAWN | (side ^ BLACK));
  if (u.made.special == 3) {
    bool shortly = u.made.to > u.made.from;
    place(p, shortly ? u.made.to - 1 : u.made.to + 1, EMPTY);
    place(p, shortly ? u.made.to + 1 : u.made.to - 2, ROOK | side);
  }
  p->castling = u.castling;
  p->passant = u.passant;
  p->clock = u.clock;
  p->key = u.key;
}

/* ---- counting ---- */

static int key_errors = 0;

static uint64_t perft(position *p, int depth) {
  if (depth == 0)
    return 1;
  move list[MAX_MOVES];
  int n = pseudo_moves(p, list);
  uint64_t total = 0;
  for (int i = 0; i < n; i++)
    if (make(p, list[i])) {
      if (depth > 1 && p->key != full_key(p))
        key_errors++;
      total += perft(p, depth - 1);
      unmake(p);
    }
  return total;
}

/* ---- searching ---- */

enum { TABLE = 512, MATE = 30000 };

typedef struct {
  uint64_t key;
  move best;
  int16_t score;
  int8_t depth, bound; /* 0 exact, 1 at least, 2 at most */
} entry;

typedef struct {
  entry *table;
  long nodes, hits;
} searcher;

static int evaluate(const position *p) {
  static const int values[KINDS] = {0, 100, 320, 330, 500, 900, 0};
  int score = 0;
  for (int s = 21; s < 99; s++) {
    int piece = p->square[s];
    if (piece == OFF || !piece)
      continue;
    int file = file_of(s), rank = rank_of(s);
    int centre = 6 - abs(2 * file - 7) / 2 - abs(2 * rank - 7) / 2;
    int value = values[kind_of(piece)] + (kind_of(piece) == KING ? -2 : 3) * centre;
    score += side_of(piece) == p->side ? value : -value;
  }
  return score;
}

static int order(const position *p, move m, move first) {
  if (!memcmp(&m, &first, sizeof m))
    return 1000;
  return 10 * kind_of(p->square[m.to]) - (p->square[m.to] ? kind_of(p->square[m.from]) : 0) + 50 * (m.promotion == QUEEN);
}

static int search(searcher *s, position *p, int depth, int alpha, int beta, move *best) {
  s->nodes++;
  if (depth == 0)
    return evaluate(p);
  entry *e = &s->table[p->key % TABLE];
  move first = {0};
  if (e->key == p->key) {
    first = e->best;
    if (e->depth >= depth && !best && (e->bound == 0 || (e->bound == 1 && e->score >= beta) || (e->bound == 2 && e->score <= alpha))) {
      s->hits++;
      return e->score;
    }
  }
  move list[MAX_MOVES], chosen = {0};
  int n = pseudo_moves(p, list), legal = 0, top = -MATE - 1, start = alpha;
  for (int i = 0; i < n; i++) {
    int pick = i;
    for (int j = i + 1; j < n; j++)
      if (order(p, list[j], first) > order(p, list[pick], first))
        pick = j;
    move m = list[pick];
    list[pick] = list[i];
    list[i] = m;
    if (!make(p, m))
      continue;
    legal++;
    int score = -search(s, p, depth - 1, -beta, -alpha, NULL);
    unmake(p);
    if (score > top) {
      top = score;
      chosen = m;
    }
    alpha = score > alpha ? score : alpha;
    if (alpha >= beta)
      break;
  }
  if (!legal)
    return in_check(p, p->side) ? -MATE + p->ply : 0;
  *e = (entry){p->key, chosen, (int16_t)top, (int8_t)depth, (int8_t)(top >= beta ? 1 : top <= start ? 2 : 0)};
  if (best)
    *best = chosen;
  return top;
}

/* ---- the program ---- */

static int failures = 0;

static const struct {
  const char *fen;
  int depth;
  uint64_t counts[3];
} known[] = {
    {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, {20, 400, 8902}},
    {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 2, {48, 2039}},
    {"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 3, {14, 191, 2812}},
    {"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 2, {6, 264}},
    {"rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 2, {44, 1486}},
};

static void count_moves(void) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    position p;
    char again[100], after[100];
    if (!read_position(&p, known[i].fen)) {
      printf("FAILED to read %s\n", known[i].fen);
      failures++;
      continue;
    }
    write_position(&p, again);
    printf("%s\n ", known[i].fen);
    for (int d = 1; d <= known[i].depth; d++) {
      uint64_t count = perft(&p, d);
      printf(" %llu", (unsigned long long)count);
      if (count != known[i].counts[d - 1]) {
        printf(" (FAILED: %llu)", (unsigned long long)known[i].counts[d - 1]);
        failures++;
      }
    }
    printf("\n");
    write_position(&p, after);
    failures += strcmp(again, known[i].fen) != 0 || strcmp(again, after) != 0;
  }
  printf("%d keys differ\n", key_errors);
  failures += key_errors;
}

/* Playing moves by name from the start gives a known position. */
static void play(const char *moves, const char *expected) {
  position p;
  char after[100];
  read_position(&p, known[0].fen);
  for (const char *m = moves; *m; m += strcspn(m, " "), m += *m == ' ') {
    move list[MAX_MOVES];
    int n = pseudo_moves(&p, list), played = 0;
    size_t length = strcspn(m, " ");
    for (int i = 0; i < n && !played; i++)
      played = strlen(move_name(list[i])) == length && !strncmp(move_name(list[i]), m, length) && make(&p, list[i]);
    failures += !played;
  }
  write_position(&p, after);
  printf("%s\n  %s %s\n", moves, after, strcmp(after, expected) ? "FAILED" : "ok");
  failures += strcmp(after, expected) != 0;
}

static void solve(const char *fen, int depth, const char *expected, int least) {
  position p;
  searcher s = {calloc(TABLE, sizeof(entry)), 0, 0};
  if (!s.table || !read_position(&p, fen))
    exit(2);
  move best = {0};
  int score = 0;
  for (int d = 1; d <= depth; d++)
    score = search(&s, &p, d, -MATE, MATE, &best);
  bool right = !strcmp(move_name(best), expected) && score >= least;
  printf("%s: %s, score %d, %ld nodes, %ld from the table: %s\n", fen, move_name(best), score, s.nodes, s.hits, right ? "ok" : "FAILED");
  failures += !right;
  free(s.table);
}

int main(void) {
  keys_prepare();
  count_moves();
  play("e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1", "rn1qkbnr/pp1bpppp/3p4/1Bp5/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 3 4");
  play("e2e4 a7a6 e4e5 d7d5 e5d6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3");
  solve("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 2, "a1a8", MATE - 10);
  solve("k7/8/1K6/8/8/8/8/7R w - - 0 1", 2, "h1h8", MATE - 10);
  solve("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 2, "e4d5", 50);
  solve("8/P6k/8/8/8/8/7K/8 w - - 0 1", 2, "a7a8q", 500);
  static const char *const bad[] = {"", "8/8/8/8/8/8/8/8 w - - 0 1", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                    "k7/8/8/8/8/8/8/K6x w - - 0 1", "k7/8/8/8/8/8/8/K7 z - - 0 1", "k7/8/8/8/8/8/K7 w - - 0 1"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    position p;
    bool accepted = read_position(&p, bad[i]);
    printf("\"%s\" %s\n", bad[i], accepted ? "ACCEPTED" : "refused");
    failures += accepted;
  }
  printf("%d failures\n", failures);
  return failures != 0;
}
