// Streams over strings: output in every format, input of words, numbers, lines and characters, states, positions and both ways at once;
// and strings made of views, parts and lists.
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

static void states(const char *what, const std::ios &s) {
    std::printf("%s: good %d eof %d fail %d bad %d\n", what, s.good(), s.eof(), s.fail(), s.bad());
}

static void output() {
    std::ostringstream out;
    out << "x = " << 3 << ", " << std::fixed << std::setprecision(3) << 2.5 << ' ' << std::hex << 255 << std::dec << '\n';
    std::string once = out.str();
    for (int i = 0; i < 200; i++)
        out << i << (i % 10 == 9 ? '\n' : ' ');
    std::printf("%s%zu\n", once.c_str(), out.str().size());
    out.str("");
    out << "anew" << std::setw(6) << true;
    std::printf("[%s]\n", out.str().c_str());
    std::ostringstream over("0123456789"), behind("0123", std::ios::ate);
    over << "ab";
    behind << "ab";
    std::printf("%s %s\n", over.str().c_str(), behind.str().c_str());
}

static void input() {
    std::istringstream in("  12 -7 3.25e1 word 0x1F 99999999999 rest of line\nsecond\n\nlast");
    int a = 0, b = 0;
    double c = 0;
    std::string word, line;
    in >> a >> b >> c >> word;
    std::printf("%d %d %g %s\n", a, b, c, word.c_str());
    in >> std::hex >> a >> std::dec;
    in >> b;
    std::printf("%d %d\n", a, b);
    states("too large", in);
    in >> word;
    std::printf("still %s\n", word.c_str());
    in.clear();
    char x = 0, y = 0;
    in >> x;
    in.get(y);
    in.unget();
    std::printf("%c %c %c\n", x, y, in.peek());
    while (std::getline(in, line))
        std::printf("line [%s]\n", line.c_str());
    states("end", in);
    in.clear();
    in.str("1,2;;3");
    std::vector<int> numbers;
    for (int n; in >> n;) {
        numbers.push_back(n);
        while (in.peek() == ',' || in.peek() == ';')
            in.ignore();
    }
    std::printf("%zu numbers, %d last\n", numbers.size(), numbers.back());
    std::istringstream bad("abc 5");
    int n = 7;
    bad >> n;
    std::printf("%d\n", n);
    states("no number", bad);
}

static void both() {
    std::stringstream s;
    s << 10 << ' ' << 20;
    int a = 0, b = 0, c = -1;
    s >> a >> b;
    states("read all", s);
    s.clear();
    s << " 30 forty";
    s >> c;
    std::string rest;
    std::getline(s >> std::ws, rest);
    std::printf("%d %d %d %s %s\n", a, b, c, rest.c_str(), s.str().c_str());
    std::ostream &base = s;
    s.clear();
    base << '!' << std::endl;
    std::printf("%zu %d\n", s.str().size(), (int)s.str().back());
}

static void strings() {
    std::string text = "the quick brown fox", copy(text, 4, 5), list{'a', 'b', 'c'};
    std::string_view view = text;
    std::string of_view(view.substr(10, 5));
    copy.insert(0, text, 0, 4).replace(0, 3, text, 16, 3);
    std::string joined = "<" + of_view + ">";
    text.erase(text.begin() + 3, text.begin() + 9);
    list.append(40, 'z');
    list.resize(3);
    list.shrink_to_fit();
    std::printf("%s|%s|%s|%s|%s %zu %d\n", copy.c_str(), list.c_str(), of_view.c_str(), joined.c_str(), text.c_str(), list.capacity(),
                text.compare(4, 5, std::string("a brown dog"), 2, 5));
}

int main() {
    output();
    input();
    both();
    strings();
    return 0;
}
