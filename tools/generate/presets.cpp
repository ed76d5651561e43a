// SPDX-License-Identifier: MIT
//
// The list of presets. y is up; b stands on or in a.

#include "generate/presets.hpp"

#include <cmath>
#include <numbers>

namespace lanefold::tools {

namespace {

constexpr float kSqrt2 = std::numbers::sqrt2_v<float>;
constexpr float kSqrt3 = std::numbers::sqrt3_v<float>;

std::vector<Vec3f> box(float x, float y, float z) {
    std::vector<Vec3f> out;
    for (unsigned c = 0; c < 8; ++c) {
        out.push_back({(c & 1U) != 0 ? x : -x, (c & 2U) != 0 ? y : -y, (c & 4U) != 0 ? z : -z});
    }
    return out;
}

std::vector<Vec3f> cube() { return box(1, 1, 1); }

// A right triangle with legs 4 (floor) and 3 (upright), 2 wide: the slope's normal is (0.6, 0.8, 0).
std::vector<Vec3f> wedge() { return {{0, 0, -1}, {4, 0, -1}, {0, 3, -1}, {0, 0, 1}, {4, 0, 1}, {0, 3, 1}}; }

// Six-sided, upright, 2 high.
std::vector<Vec3f> prism() {
    constexpr float kHalf = 0.75F;
    const float h = kHalf * kSqrt3 / 2;
    std::vector<Vec3f> out;
    for (const float y : {-1.0F, 1.0F}) {
        for (const Vec3f p : {Vec3f{kHalf, y, 0}, Vec3f{kHalf / 2, y, h}, Vec3f{-kHalf / 2, y, h}, Vec3f{-kHalf, y, 0},
                              Vec3f{-kHalf / 2, y, -h}, Vec3f{kHalf / 2, y, -h}}) {
            out.push_back(p);
        }
    }
    return out;
}

// The published example's solids: numbers, loops and numbering of the source. Some loops of the cube are not cyclic.
published::Polyhedron published_tetrahedron() {
    return {{{-0.015474963193511798, 0.33537417751658094, -0.1404996212167574},
             {0.5141696198411252, -0.9568235666566539, -0.35124017154634457},
             {-1.0335072548392017, -0.5373752088540689, 0.30094133605231416},
             {-0.6342374754213884, -0.1119237570390201, -1.3282023008556973}},
            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 2, 3}},
            {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}, {3, 1}}},
            {{0.38748992453971465, 0.004074648544093487, 0.9218649335013498},
             {-0.6349199599421436, 0.7711759948353863, 0.046521279611796626},
             {0.7500043993541771, 0.3903606074731003, -0.5339587971769095},
             {-0.3746117365449317, -0.8688005053127466, -0.3238081666837741}}};
}

published::Polyhedron published_cube() {
    return {{{-1.2969646066524665, -0.14439705019398202, 0.08105014237762323},
             {-0.5917402473790571, -0.34852692650445355, 0.7656251200986752},
             {0.09283473034199496, -0.43133948655379123, 0.0361372975730391},
             {-0.6123896289314145, -0.2272096102433197, -0.648437680148013},
             {-1.092834730341995, 0.8313394865537913, 0.1638627024269609},
             {-0.38761037106858554, 0.6272096102433198, 0.8484376801480129},
             {0.2969646066524665, 0.5443970501939821, 0.11894985762237678},
             {-0.40825975262094294, 0.7485269265044536, -0.5656251200986753}},
            {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 4, 5}, {1, 2, 5, 6}, {2, 3, 6, 7}, {3, 0, 7, 4}},
            {{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}},
            {{-0.2016831109350874, -0.9760273663061185, -0.08181994246567997},
             {0.2016831109350874, 0.9760273663061185, 0.08181994246567997},
             {-0.688355761979541, 0.08181994246567997, 0.720743950348859},
             {0.6967713166549776, -0.2016831109350874, 0.6883557619795408},
             {0.688355761979541, -0.08181994246567997, -0.720743950348859},
             {-0.6967713166549776, 0.2016831109350874, -0.6883557619795408}}};
}

std::vector<Vec3f> rounded(const published::Polyhedron& solid) {
    std::vector<Vec3f> out;
    for (const Vec3d& p : solid.positions) out.push_back(to_float(p));
    return out;
}

Body at(float x, float y, float z) { return {{x, y, z}, 0, {0, 0, 0, 1}}; }

// Turned by an angle around one axis.
Body turned(float x, float y, float z, int axis, double degrees) {
    Body out = at(x, y, z);
    const double half = degrees * std::numbers::pi / 360;
    out.orientation[axis] = static_cast<float>(std::sin(half));
    out.orientation[3] = static_cast<float>(std::cos(half));
    return out;
}

// A cube whose corner (1, 1, 1) points straight down: the rotation that takes (1, 1, 1) / sqrt(3) to (0, -1, 0).
Body on_its_corner(float x, float y, float z) {
    Body out = at(x, y, z);
    const double c = 1 / std::numbers::sqrt3;  // of each component
    const double w = 1 - c;                    // 1 + u.v
    const double l = std::sqrt(2 * c * c + w * w);
    out.orientation[0] = static_cast<float>(c / l);  // u x v = (u_z, 0, -u_x)
    out.orientation[2] = static_cast<float>(-c / l);
    out.orientation[3] = static_cast<float>(w / l);
    return out;
}

}  // namespace

std::vector<Preset> presets() {
    constexpr float kDeep = kPresetDepth;
    const float gap = kPresetGap;
    // Along the slope of the wedge: over its middle, half a unit out, less the depth.
    const float out = 0.5F - kDeep;
    return {
        {"published", "tetrahedron and cube of the published example: edges cross, 0.4886 deep",
         rounded(published_tetrahedron()), rounded(published_cube()), at(0, 0, 0), at(0, 0, 0), published_tetrahedron(),
         published_cube()},
        {"aligned", "cube on cube, face on face: 4 points", cube(), cube(), at(0, 0, 0), at(0, 2 - kDeep, 0)},
        {"rotated", "cube on cube, turned by 45 degrees: an octagon, 8 points before the reduction", cube(), cube(),
         at(0, 0, 0), turned(0, 2 - kDeep, 0, 1, 45)},
        {"offset", "cube on cube, moved aside: a rectangle", cube(), cube(), at(0, 0, 0), at(1, 2 - kDeep, 0.5F)},
        {"edge-edge", "cubes on their edges, crossed: 1 point, no face involved", cube(), cube(),
         turned(0, 0, 0, 2, 45), turned(0, 2 * kSqrt2 - kDeep, 0, 0, 45)},
        {"edge-face", "cube standing on its edge: 2 points", cube(), cube(), at(0, 0, 0),
         turned(0, 1 + kSqrt2 - kDeep, 0, 2, 45)},
        {"vertex-face", "cube standing on its corner: 1 point", cube(), cube(), at(0, 0, 0),
         on_its_corner(0, 1 + kSqrt3 - kDeep, 0)},
        {"wedge", "small cube flat on the slope of a wedge: 4 points, normal (0.6, 0.8, 0)", wedge(),
         box(0.5F, 0.5F, 0.5F), at(0, 0, 0),
         turned(2 + 0.6F * out, 1.5F + 0.8F * out, 0, 2, -std::atan2(0.6, 0.8) * 180 / std::numbers::pi)},
        {"prism", "six-sided prism on a cube: 6 points before the reduction", cube(), prism(), at(0, 0, 0),
         at(0, 2 - kDeep, 0)},
        {"containment", "small cube inside a large one: out through the nearest side", cube(), box(0.25F, 0.25F, 0.25F),
         at(0, 0, 0), at(0.5F, 0, 0)},
        {"crossed-beams", "beam across a beam: the square where they cross", box(3, 0.5F, 0.5F), box(0.5F, 0.5F, 3),
         at(0, 0, 0), at(0, 1 - kDeep, 0)},
        {"gap", "cube over cube, apart but within the margin: 4 points with a separation above 0", cube(), cube(),
         at(0, 0, 0), at(0.5F, 2 + gap, 0)},
        {"corner-corner", "cubes apart, corner to corner: Euclidean distance along the diagonal", cube(), cube(),
         at(0, 0, 0), at(2 + gap / 2, 2 + gap / 2, 2 + gap / 2)},
    };
}

}  // namespace lanefold::tools
