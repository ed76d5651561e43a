// SPDX-License-Identifier: MIT
//
// Lists of recipes for scenes. A recipe has an `info` with its name and description, and what makes the scene.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "scenes/scene.hpp"

namespace lanefold::bench {

template <class Recipe>
auto infos(const std::vector<Recipe>& recipes) {
    std::vector<decltype(Recipe::info)> out;
    for (const Recipe& r : recipes) out.push_back(r.info);
    return out;
}

// Throws for an unknown name; `kind`: a word for the recipes.
template <class Recipe>
const Recipe& recipe_of(const std::vector<Recipe>& recipes, const char* kind, const std::string& name) {
    for (const Recipe& r : recipes) {
        if (r.info.name == name) return r;
    }
    throw std::runtime_error(std::string("no ") + kind + " called " + name + "; see --list");
}

// A scene without hulls and frames.
template <class Info>
Scene empty_scene(const Info& info, double margin) {
    Scene scene;
    scene.name = info.name;
    scene.description = info.description;
    scene.margin = margin;
    return scene;
}

}  // namespace lanefold::bench
