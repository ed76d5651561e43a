// SPDX-License-Identifier: MIT
//
// Reads a JSON text from front to back without a tree of it: the caller takes the values that it knows and skips the
// others. The library has no JSON parser, and needs none for the few short files that it reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanefold::c_api {

// Every call returns false where the text is not what it asks for; then the rest is not read. Values are refused that
// nest deeper than kDeepest: the files have four levels, and each level takes a frame of the stack.
class JsonText {
public:
    static constexpr int kDeepest = 32;

    explicit JsonText(std::string_view text) : text_(text) {}

    // Calls member(key) for each member of an object; member reads or skips its value.
    template <class Member>
    bool object(const Member& member) {
        std::string key;
        return items('{', '}', [&] { return string(key) && take(':') && member(std::string_view(key)); });
    }
    // Calls element() for each element of an array; element reads or skips it.
    template <class Element>
    bool array(const Element& element) {
        return items('[', ']', element);
    }
    bool string(std::string& out);
    bool number(double& out);
    bool count(std::uint64_t& out);
    bool boolean(bool& out);
    // Any value.
    bool skip();
    // Nothing but blanks is left.
    bool ended();

private:
    template <class Item>
    bool items(char open, char close, const Item& item) {
        if (!take(open) || ++depth_ > kDeepest) return false;
        if (!take(close)) {
            do {
                if (!item()) return false;
            } while (take(','));
            if (!take(close)) return false;
        }
        --depth_;
        return true;
    }
    bool take(char c);
    bool word(std::string_view w);
    char next();  // behind blanks; 0 at the end
    bool escaped(std::string& out);
    bool hexadecimal(std::uint32_t& out);
    std::string_view number_text();

    std::string_view text_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace lanefold::c_api
