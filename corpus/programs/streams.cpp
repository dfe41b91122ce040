// std::cout with numbers in every format, manipulators, strings and input from an empty std::cin.
#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>

struct Point {
    double x, y;
};

static std::ostream &operator<<(std::ostream &out, const Point &p) {
    return out << '(' << p.x << ", " << p.y << ')';
}

int main() {
    std::string name = "stream";
    std::cout << "name " << name << ' ' << 42 << ' ' << -7L << ' ' << 3000000000u << ' ' << true << std::endl;
    std::cout << 2.5 << ' ' << 1.0 / 3 << ' ' << 1e20 << ' ' << 1.5f << ' ' << 1e-7 << ' ' << 100000.0 << ' ' << 1234567.0 << '\n';
    std::cout << std::setprecision(12) << 1.0 / 3 << ' ' << std::fixed << 1.0 / 3 << ' ' << std::scientific << 12345.678 << '\n';
    std::cout << std::defaultfloat << std::setprecision(6) << std::sqrt(2.0) << '\n';
    std::cout << '[' << std::setw(8) << 5 << "][" << std::left << std::setw(8) << 5 << "][" << std::right << std::setfill('*') << std::setw(8) << name << "]\n";
    std::cout << std::internal << std::setw(8) << -12 << std::right << ' ' << std::setfill(' ') << std::setw(12) << 3.25 << '\n';
    std::cout << std::hex << 255 << ' ' << std::showbase << 255 << ' ' << std::oct << 8 << ' ' << std::dec << 10 << std::noshowbase << '\n';
    std::cout << std::boolalpha << false << ' ' << std::showpos << 3 << ' ' << 2.0 << std::noshowpos << ' ' << std::uppercase << 1e-9 << std::nouppercase << '\n';
    std::cout << Point{1.5, -2} << ' ' << (const void *)nullptr << ' ' << 1.0L << ' ' << HUGE_VAL << ' ' << -HUGE_VAL << '\n';
    std::cout.precision(3);
    std::cout.width(10);
    std::cout << 3.14159 << '|' << std::cout.precision() << '\n';
    for (int row = 0; row < 3; row++) {
        for (int col = 0; col < 4; col++)
            std::cout << std::setw(6) << std::fixed << std::setprecision(2) << row * 1.25 + col;
        std::cout << std::endl;
    }
    int number = 5;
    std::string line;
    std::cout << (std::cin >> number ? "read" : "nothing") << ' ' << number << ' ' << (std::getline(std::cin, line) ? 1 : 0) << '\n';
    std::cerr << "done " << 1 << "\n";
    std::cout.put('!').write("end\n", 4);
    std::cout << std::flush;
    return std::cout.good() ? 0 : 1;
}
