// strcmp of an array with a literal, which optimisers turn into bcmp over the literal's length: bytes behind the NUL were never written.
#include <stdio.h>
#include <string.h>

static const char *classify(const char *line) {
  char word[16], kind[12];
  if (sscanf(line, "%15s %11s", word, kind) != 2)
    return "incomplete";
  if (!strcmp(word, "matrix") && strcmp(kind, "coordinate") == 0)
    return "sparse matrix";
  if (strcmp(word, "vector") == 0)
    return "vector";
  return strcmp(kind, "array") ? "unknown" : "array of something";
}

int main(void) {
  static const char *const lines[] = {"matrix coordinate", "m array", "vector a", "x y", "matrix c", "v"};
  char buffer[32];
  int same = 0;
  for (int i = 0; i < 6; i++) {
    const char *c = classify(lines[i]);
    puts(c);
    strcpy(buffer, c);
    same += memcmp(buffer, "unknown", 8) == 0;
  }
  printf("%d\n", same);
  return 0;
}
