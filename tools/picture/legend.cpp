// SPDX-License-Identifier: MIT
//
// The legend of a picture: title, counts, and meaning of the colours.

#include <iterator>

#include <fmt/format.h>

#include "console/table.hpp"
#include "picture/picture.hpp"

namespace lanefold::tools {

std::string escape_xml(std::string_view text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                // XML 1.0 cannot express most control characters.
                out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return out;
}

void add_legend(std::string& svg, const PictureInput& input, const Picture& picture) {
    constexpr int kLine = 22;
    const int lines = static_cast<int>(input.legend.size()) + (input.contacts.empty() ? 0 : 4);
    const int height = 50 + kLine * lines;
    fmt::format_to(std::back_inserter(svg),
                   "<g class=\"legend\" font-family=\"Helvetica,Arial,sans-serif\" font-size=\"14\" fill=\"#20242c\">\n"
                   "<rect x=\"18\" y=\"18\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#ffffff\" fill-opacity=\"0.88\" "
                   "stroke=\"#c9ced6\"/>\n<text x=\"34\" y=\"46\" font-size=\"17\" font-weight=\"bold\">{}</text>\n",
                   kLegendWidth, height, escape_xml(input.title));
    int y = 46 + 28;
    for (const auto& [name, value] : input.legend) {
        fmt::format_to(std::back_inserter(svg),
                       "<text x=\"34\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", y,
                       escape_xml(name), kLegendWidth + 2, y, escape_xml(value));
        y += kLine;
    }
    const auto key = [&](const char* colour, const std::string& text) {
        fmt::format_to(std::back_inserter(svg),
                       "<circle cx=\"40\" cy=\"{}\" r=\"4\" fill=\"{}\"/><text x=\"54\" y=\"{}\">{}</text>\n", y - 5,
                       colour, y, text);
        y += kLine;
    };
    if (input.contacts.empty()) {
        svg += "</g>\n";
        return;
    }
    key(kOverlapColour, "contact point, surfaces overlap");
    key(kGapColour, "contact point, a gap within the margin");
    fmt::format_to(std::back_inserter(svg),
                   "<path d=\"M34 {}h12\" stroke=\"#20242c\" stroke-width=\"1.4\"/>"
                   "<text x=\"54\" y=\"{}\">normal</text>\n"
                   "<text x=\"34\" y=\"{}\" fill=\"#6a717d\">{} points drawn, {} inside the pile</text>\n</g>\n",
                   y - 5, y, y + kLine, with_commas(picture.contacts), with_commas(picture.contacts_hidden));
}

}  // namespace lanefold::tools
