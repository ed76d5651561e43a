// SPDX-License-Identifier: MIT
//
// A recursive-descent parser. Its depth is bounded, so hostile input gives an error.

#include "files/python_literal.hpp"

#include <charconv>

namespace lanefold::tools {
namespace {

// Headers nest dictionary > list of fields > tuple > list of fields > tuple > shape. A deeper one is refused.
constexpr int kMaxDepth = 12;

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text) {}

    bool parse_all(PythonValue& out) {
        if (!value(out, 0)) return false;
        skip_space();
        return text_.empty();
    }

private:
    using Type = PythonValue::Type;

    void skip_space() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n' || text_.front() == '\t')) {
            text_.remove_prefix(1);
        }
    }

    bool take(char c) {
        skip_space();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    bool take_word(std::string_view word) {
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }

    bool value(PythonValue& out, int depth) {
        if (depth > kMaxDepth) return false;
        skip_space();
        if (text_.empty()) return false;
        const char c = text_.front();
        if (c == '\'' || c == '"') return string(out);
        if (c >= '0' && c <= '9') return integer(out);
        if (take('{')) return dictionary(out, depth);
        if (take('[')) return sequence(out, Type::list, ']', depth);
        if (take('(')) return sequence(out, Type::tuple, ')', depth);
        out.type = Type::boolean;
        out.boolean = take_word("True");
        return out.boolean || take_word("False");
    }

    bool string(PythonValue& out) {
        const char quote = text_.front();
        const std::size_t end = text_.find(quote, 1);
        if (end == std::string_view::npos) return false;
        out.type = Type::string;
        out.string = std::string(text_.substr(1, end - 1));
        text_.remove_prefix(end + 1);
        return out.string.find('\\') == std::string::npos;  // escapes do not occur in dtypes
    }

    bool integer(PythonValue& out) {
        out.type = Type::integer;
        const char* const first = text_.data();
        const auto [end, error] = std::from_chars(first, first + text_.size(), out.integer);
        if (error != std::errc{}) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - first));
        if (!text_.empty() && text_.front() == 'L') text_.remove_prefix(1);  // Python 2 wrote 10L
        return true;
    }

    bool sequence(PythonValue& out, Type type, char close, int depth) {
        out.type = type;
        while (!take(close)) {
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            if (take(',')) continue;
            // (x) is x itself in Python and occurs in no header; only (x,) is a tuple of one.
            return take(close) && (type == Type::list || out.items.size() > 1);
        }
        return true;
    }

    bool dictionary(PythonValue& out, int depth) {
        out.type = Type::dictionary;
        while (!take('}')) {
            PythonValue key;
            if (!value(key, depth + 1) || key.type != Type::string || !take(':')) return false;
            out.keys.push_back(std::move(key.string));
            if (!value(out.items.emplace_back(), depth + 1)) return false;
            if (take(',')) continue;
            return take('}');
        }
        return true;
    }

    std::string_view text_;
};

}  // namespace

const PythonValue* PythonValue::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i] == key) return &items[i];
    }
    return nullptr;
}

std::string PythonValue::repr() const {
    switch (type) {
        case Type::string:
            return "'" + string + "'";
        case Type::integer:
            return std::to_string(integer);
        case Type::boolean:
            return boolean ? "True" : "False";
        case Type::list:
        case Type::tuple: {
            std::string text(1, type == Type::list ? '[' : '(');
            for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : ", ") + items[i].repr();
            if (type == Type::tuple && items.size() == 1) text += ',';
            return text + (type == Type::list ? ']' : ')');
        }
        case Type::dictionary: {
            std::string text = "{";
            for (std::size_t i = 0; i < keys.size(); ++i) text += "'" + keys[i] + "': " + items[i].repr() + ", ";
            return text + '}';
        }
    }
    return {};
}

bool parse_python_literal(std::string_view text, PythonValue& out) { return Parser(text).parse_all(out); }

}  // namespace lanefold::tools
