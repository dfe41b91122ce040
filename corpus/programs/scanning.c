// sscanf in all its conversions, and standard input that is empty: getchar, fgets, scanf, getline.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Row {
    char name[16];
    int count;
    double value;
};

static int parse_rows(const char *text, struct Row *rows, int room) {
    int used = 0;
    char line[64];
    while (used < room && sscanf(text, "%63[^\n]", line) == 1) {
        struct Row *row = &rows[used];
        if (sscanf(line, " %15[a-zA-Z_] = %d , %lf", row->name, &row->count, &row->value) == 3)
            used++;
        text += strlen(line);
        if (*text == '\n')
            text++;
    }
    return used;
}

int main(void) {
    int a = 0, b = 0, n;
    unsigned u = 0;
    long l = 0;
    short h = 0;
    char c = 0, word[20] = "", rest[20] = "";
    float f = 0;
    double d = 0;
    n = sscanf("12 -34 0x1f 077", "%d %d %x %o", &a, &b, &u, &n);
    printf("%d: %d %d %u\n", n, a, b, u);
    n = sscanf("  42abc 3.5e2 -1e-3", "%2d%s %f %lf", &a, word, &f, &d);
    printf("%d: %d %s %g %g\n", n, a, word, f, d);
    n = sscanf("123456 x", "%3d%ld %c", &a, &l, &c);
    printf("%d: %d %ld %c\n", n, a, l, c);
    n = sscanf("0x10 010 10", "%i %i %i", &a, &b, &n);
    printf("%d %d\n", a, b);
    n = sscanf("70000 skipped last", "%hd %*s %19s", &h, rest);
    printf("%d: %d %s\n", n, h, rest);
    n = sscanf("key:value", "%[^:]:%s", word, rest);
    printf("%d: %s %s\n", n, word, rest);
    n = sscanf("5 x", "%d %d", &a, &b);
    printf("%d: %d\n", n, a);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("50%", "%d%%", &a));
    struct Row rows[4];
    n = parse_rows("alpha = 3, 2.5\nbad line\nbeta_x = -7 , 1e3\n", rows, 4);
    for (int i = 0; i < n; i++)
        printf("%s %d %g\n", rows[i].name, rows[i].count, rows[i].value);
    char line[32] = "unchanged";
    printf("%d %s", getchar(), fgets(line, sizeof line, stdin) ? "line" : "none");
    printf(" %d %s %d\n", scanf("%d", &a), line, feof(stdin) != 0);
    char *grown = NULL;
    size_t room = 0;
    printf("%ld\n", (long)getline(&grown, &room, stdin));
    free(grown);
    return 0;
}
