// SPDX-License-Identifier: MIT
//
// See the header. The interpolations between keys are those of the glTF 2.0 specification, appendix C.

#include "import/gltf_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "console/failure.hpp"
#include "console/printable.hpp"

namespace lanefold::tools {
namespace {

// Keys at multiples of a frame are off by the rounding of float32 seconds: of an hour, 1/4000 s. A time this near to a
// key, in frames, is the key's.
constexpr double kOnAKey = 0.01;
// A file that asks for more frames is wrong, or its --fps is.
constexpr double kMostFrames = 1e7;
// Keys nearer than this, in frames per second, are not those of frames: two programs wrote them, or a hand.
constexpr double kMostRateOfKeys = 1000;

// Keys a second below which an animation is not sampled: animators set one a pose. Bakes have 12 or more.
constexpr double kFewKeys = 10;

double from_product(const double* q) { return ((q[0] * q[0] + q[1] * q[1]) + q[2] * q[2]) + q[3] * q[3]; }

// Linear on the sphere, the short way.
void slerp(const double* a, const double* b, double u, double* out) {
    double cosine = ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3];
    const double sign = cosine < 0 ? -1 : 1;
    cosine = std::min(std::fabs(cosine), 1.0);
    const double angle = std::acos(cosine);
    // Below this angle sin loses its digits, and a straight line is as good.
    const bool straight = angle < 1e-4;
    const double wa = straight ? 1 - u : std::sin((1 - u) * angle) / std::sin(angle);
    const double wb = sign * (straight ? u : std::sin(u * angle) / std::sin(angle));
    for (int i = 0; i < 4; ++i) out[i] = wa * a[i] + wb * b[i];
}

Affine from_parts(const Vec3d& t, const Quat& q, const Vec3d& s) {
    Affine out{rotation(q), t};
    for (Vec3d& row : out.linear.row) row = {row.x * s.x, row.y * s.y, row.z * s.z};
    return out;
}

}  // namespace

GltfNodes::GltfNodes(const GltfFile& file, const GltfAnimationChoice& choice) : file_(file) {
    read_tree();
    read_animations(choice);
    check_for_conflicts();
    choose_times(choice.rate);
    find_zero_scale();
}

void GltfNodes::read_tree() {
    const std::uint64_t count = file_.length("nodes");
    by_number_.assign(count, GltfNode::kNoParent);
    std::vector<std::pair<std::uint64_t, std::size_t>> open;  // number and parent; the last is read next
    const auto add = [&](const Json& list, std::size_t parent, const std::string& where) {
        for (std::size_t i = list.size(); i-- > 0;) {
            if (!list[i].is_number_unsigned()) {
                throw bad_input("{}: {} names {}, which is no node", file_.path().string(), where, list[i].dump());
            }
            open.emplace_back(list[i].get<std::uint64_t>(), parent);
        }
    };
    if (file_.length("scenes") > 0) {
        const std::uint64_t scene = file_.index(file_.root(), "scene", "the file").value_or(0);
        add(file_.elements(file_.at("scenes", scene, "the file"), "nodes", "the scene"), GltfNode::kNoParent,
            fmt::format("scenes[{}]", scene));
    } else {
        std::vector<bool> is_child(count, false);
        for (std::uint64_t i = 0; i < count; ++i) {
            for (const Json& child : file_.elements(file_.at("nodes", i, "the file"), "children", "a node")) {
                if (child.is_number_unsigned() && child < count) is_child[child.get<std::uint64_t>()] = true;
            }
        }
        for (std::uint64_t i = count; i-- > 0;) {
            if (!is_child[i]) open.emplace_back(i, GltfNode::kNoParent);
        }
    }
    while (!open.empty()) {
        const auto [number, parent] = open.back();
        open.pop_back();
        read_node(number, parent);
        const std::string where = fmt::format("nodes[{}]", number);
        add(file_.elements(*nodes_.back().json, "children", where), nodes_.size() - 1, where);
    }
}

void GltfNodes::read_node(std::uint64_t number, std::size_t parent) {
    const std::string where = fmt::format("nodes[{}]", number);
    GltfNode node;
    node.number = number;
    node.parent = parent;
    node.json = &file_.at("nodes", number, parent == GltfNode::kNoParent ? "the scene" : "a node");
    if (by_number_[number] != GltfNode::kNoParent) {
        throw bad_input("{}: {} is there twice: in a circle, or with two parents", file_.path().string(), where);
    }
    const Json& name = member(*node.json, "name");
    if (name.is_string()) node.name = printable(name.get<std::string>());
    double m[16];
    if (file_.list(*node.json, "matrix", where, m)) {  // columns, one after the other
        node.matrix = Affine{{{{m[0], m[4], m[8]}, {m[1], m[5], m[9]}, {m[2], m[6], m[10]}}}, {m[12], m[13], m[14]}};
    }
    double v[4];
    if (file_.list(*node.json, "translation", where, std::span(v, 3))) node.translation = {v[0], v[1], v[2]};
    if (file_.list(*node.json, "scale", where, std::span(v, 3))) node.scale = {v[0], v[1], v[2]};
    if (file_.list(*node.json, "rotation", where, v)) {
        const double l = std::sqrt(from_product(v));
        if (!(std::fabs(l * l - 1) <= kQuaternionTolerance)) {
            throw bad_input("{}: {}.rotation has length {:.6g} instead of 1", file_.path().string(), where, l);
        }
        node.rotation = {v[0] / l, v[1] / l, v[2] / l, v[3] / l};
    }
    by_number_[number] = nodes_.size();
    nodes_.push_back(std::move(node));
}

void GltfNodes::read_animations(const GltfAnimationChoice& choice) {
    const std::uint64_t count = file_.length("animations");
    std::string names;
    bool found = choice.name.empty();
    for (std::uint64_t a = 0; a < count; ++a) {
        const std::string where = fmt::format("animations[{}]", a);
        const Json& animation = file_.at("animations", a, "the file");
        const Json& name = member(animation, "name");
        const std::string text = name.is_string() ? name.get<std::string>() : std::string();
        names += fmt::format("{}'{}'", a == 0 ? "" : ", ", text);
        if (!choice.name.empty() && text != choice.name) continue;
        found = true;
        const Json& channels = file_.elements(animation, "channels", where);
        for (std::size_t c = 0; c < channels.size(); ++c) {
            read_channel(animation, channels[c], fmt::format("{}.channels[{}]", where, c));
        }
    }
    if (found) return;
    throw bad_input("{}: --animation {}: no animation has that name; there are {}", file_.path().string(), choice.name,
                    names.empty() ? "none" : names);
}

void GltfNodes::read_channel(const Json& animation, const Json& channel, const std::string& where) {
    const std::string place = file_.path().string() + ": " + where;
    const Json& target = member(channel, "target");
    const std::optional<std::uint64_t> node = file_.index(target, "node", where + ".target");
    if (!node) return;  // of an extension
    file_.at("nodes", *node, where + ".target");
    const std::size_t at = by_number_[*node];
    if (at == GltfNode::kNoParent) return;  // of another scene
    const Json& path = member(target, "path");
    Channel out;
    out.node = at;
    out.where = where;
    if (path == "weights") {
        throw bad_input("{} changes the shape of node '{}': a body is rigid", place, nodes_[at].name);
    }
    if (path != "translation" && path != "rotation" && path != "scale") return;  // of an extension
    out.path = path == "translation" ? Path::translation : path == "rotation" ? Path::rotation : Path::scale;
    const Json& samplers = file_.elements(animation, "samplers", where);
    const std::optional<std::uint64_t> number = file_.index(channel, "sampler", where);
    if (!number || *number >= samplers.size()) {
        throw bad_input("{} has no sampler of the {} that there are", place, samplers.size());
    }
    const Json& sampler = samplers[*number];
    const Json& how = member(sampler, "interpolation");
    if (how == "STEP") out.interpolation = Interpolation::step;
    if (how == "CUBICSPLINE") out.interpolation = Interpolation::cubic;
    if (!how.is_null() && how != "STEP" && how != "LINEAR" && how != "CUBICSPLINE") {
        throw bad_input("{}: its interpolation is {}, which glTF does not know", place, how.dump());
    }
    const std::optional<std::uint64_t> input = file_.index(sampler, "input", where);
    const std::optional<std::uint64_t> output = file_.index(sampler, "output", where);
    if (!input || !output) throw bad_input("{}: its sampler has no input or no output", place);
    out.times = file_.numbers(*input, where);
    out.values = file_.numbers(*output, where);
    const int width = out.path == Path::rotation ? 4 : 3;
    const std::uint64_t each = out.interpolation == Interpolation::cubic ? 3 : 1;
    if (out.times.components() != 1 || out.values.components() != width || out.times.count() == 0 ||
        out.values.count() / each != out.times.count() || out.values.count() % each != 0) {
        throw bad_input("{}: {} times and {} values of {} numbers do not belong together", place, out.times.count(),
                        out.values.count(), out.values.components());
    }
    if (nodes_[at].matrix) throw bad_input("{} moves node '{}', which has a matrix", place, nodes_[at].name);
    check_times(out);
    channels_.push_back(std::move(out));
}

void GltfNodes::check_times(const Channel& channel) const {
    double before = -1;
    for (std::uint64_t i = 0; i < channel.times.count(); ++i) {
        const double time = channel.times.get(i, 0);
        if (!std::isfinite(time) || !(time >= 0) || !(time > before)) {
            throw bad_input("{}: {}: key {} is at {} s after {}: times must be finite, not negative, and ascend",
                            file_.path().string(), channel.where, i, time, before);
        }
        before = time;
    }
    for (std::uint64_t i = 0; i < channel.values.count(); ++i) {
        for (int c = 0; c < channel.values.components(); ++c) {
            if (std::isfinite(channel.values.get(i, c))) continue;
            throw bad_input("{}: {}: value {} is not finite", file_.path().string(), channel.where, i);
        }
    }
}

// Animations are clips, of which people play one; but some programs write a clip for each object.
void GltfNodes::check_for_conflicts() const {
    std::map<std::pair<std::size_t, Path>, const Channel*> known;
    for (const Channel& channel : channels_) {
        const auto [at, first] = known.emplace(std::pair(channel.node, channel.path), &channel);
        if (first) continue;
        throw bad_input("{}: {} and {} both move node '{}': choose an animation with --animation NAME",
                        file_.path().string(), at->second->where, channel.where, nodes_[channel.node].name);
    }
}

// Frames go from the first key to the last. Their rate is that of the keys when these lie on a grid.
void GltfNodes::choose_times(const std::optional<double>& rate) {
    if (channels_.empty()) return;
    std::vector<double> keys;
    for (const Channel& channel : channels_) {
        for (std::uint64_t i = 0; i < channel.times.count(); ++i) keys.push_back(channel.times.get(i, 0));
        // Programs that write the same times for all nodes would fill the memory.
        if (keys.size() < (std::size_t{1} << 20U) && &channel != &channels_.back()) continue;
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    }
    first_ = keys.front();
    const double length = keys.back() - first_;
    double step = length;
    for (std::size_t i = 1; i < keys.size(); ++i) step = std::min(step, keys[i] - keys[i - 1]);
    if (keys.size() == 1) step = 1.0 / rate.value_or(24.0);
    const double steps = std::round(length / step);
    if (rate) {
        rate_ = *rate;
    } else {
        rate_ = keys.size() == 1 ? 1 / step : steps / length;
        // The nearest whole number, if float32 seconds cannot tell it from this one.
        if (std::fabs(rate_ - std::round(rate_)) < 1e-4 * rate_) rate_ = std::round(rate_);
        for (const double key : keys) {
            const double frame = (key - first_) * rate_;
            if (rate_ <= kMostRateOfKeys && std::fabs(frame - std::round(frame)) <= kOnAKey) continue;
            throw bad_input(
                "{}: the keys of the animation give no rate of frames (two are {:.6g} s apart, and one is at {:.6g} "
                "s): "
                "say with --fps how many frames a second has",
                file_.path().string(), step, key);
        }
    }
    if (!rate) note_few_keys(keys.size(), length);
    const double frames = std::floor(length * rate_ + kOnAKey) + 1;
    if (!(frames <= kMostFrames)) {
        throw bad_input("{}: {:.6g} s at {:.6g} frames a second are more than {:.0e} frames", file_.path().string(),
                        length, rate_, kMostFrames);
    }
    frames_ = static_cast<std::uint64_t>(frames);
}

void GltfNodes::note_few_keys(std::size_t keys, double length) {
    if (keys < 2 || rate_ >= kFewKeys) return;
    const auto is = [&](Interpolation how) {
        return std::any_of(channels_.begin(), channels_.end(),
                           [&](const Channel& c) { return c.interpolation == how; });
    };
    const bool curved = is(Interpolation::cubic);
    if (!curved && !is(Interpolation::linear)) return;  // nothing moves between keys
    note_ = fmt::format(
        "{}: the animation has {} keys in {:.6g} s, and frames are taken at these: {:.6g} a second. Its motion between "
        "them{} is left out; --fps 24 takes 24 frames a second of it",
        file_.path().string(), keys, length, rate_, curved ? ", by cubic splines," : "");
}

void GltfNodes::find_zero_scale() {
    const auto is_zero = [](double x, double y, double z) { return x == 0 && y == 0 && z == 0; };
    for (const GltfNode& node : nodes_) {
        zero_scale_ = zero_scale_ || is_zero(node.scale.x, node.scale.y, node.scale.z);
    }
    for (const Channel& channel : channels_) {
        if (channel.path != Path::scale) continue;
        const std::uint64_t each = channel.interpolation == Interpolation::cubic ? 3 : 1;
        for (std::uint64_t i = 0; i < channel.times.count(); ++i) {
            const std::uint64_t at = i * each + (each == 3 ? 1 : 0);
            const GltfNumbers& v = channel.values;
            zero_scale_ = zero_scale_ || is_zero(v.get(at, 0), v.get(at, 1), v.get(at, 2));
        }
    }
}

double GltfNodes::largest_key(std::size_t node) const {
    double largest = 0;
    for (; node != GltfNode::kNoParent; node = nodes_[node].parent) {
        for (const Channel& channel : channels_) {
            if (channel.node != node || channel.path != Path::translation) continue;
            const std::uint64_t each = channel.interpolation == Interpolation::cubic ? 3 : 1;
            for (std::uint64_t i = each / 2; i < channel.values.count(); i += each) {
                for (int c = 0; c < 3; ++c) largest = std::max(largest, std::fabs(channel.values.get(i, c)));
            }
        }
    }
    return largest;
}

void GltfNodes::sample(const Channel& channel, double time, double out[4]) const {
    const GltfNumbers& times = channel.times;
    const GltfNumbers& values = channel.values;
    const int width = values.components();
    const bool cubic = channel.interpolation == Interpolation::cubic;
    const auto read = [&](std::uint64_t key, int part,
                          double* to) {  // part of a spline: tangent in, value, tangent out
        for (int c = 0; c < width; ++c) to[c] = values.get(cubic ? 3 * key + static_cast<std::uint64_t>(part) : key, c);
    };
    // The last key that is not after the time.
    std::uint64_t low = 0;
    std::uint64_t high = times.count();
    while (high - low > 1) {
        const std::uint64_t middle = low + (high - low) / 2;
        (times.get(middle, 0) <= time + kOnAKey / rate_ ? low : high) = middle;
    }
    const double at = times.get(low, 0);
    const bool last = low + 1 == times.count();
    if (last || time <= at + kOnAKey / rate_ || channel.interpolation == Interpolation::step) {
        return read(low, 1, out);
    }
    const double length = times.get(low + 1, 0) - at;
    const double u = (time - at) / length;
    double a[4];
    double b[4];
    read(low, 1, a);
    read(low + 1, 1, b);
    if (cubic) {
        double leave[4];
        double arrive[4];
        read(low, 2, leave);
        read(low + 1, 0, arrive);
        const double uu = u * u;
        const double uuu = uu * u;
        for (int c = 0; c < width; ++c) {
            out[c] = ((2 * uuu - 3 * uu + 1) * a[c] + length * (uuu - 2 * uu + u) * leave[c]) +
                     ((3 * uu - 2 * uuu) * b[c] + length * (uuu - uu) * arrive[c]);
        }
    } else if (channel.path == Path::rotation) {
        slerp(a, b, u, out);
    } else {
        for (int c = 0; c < width; ++c) out[c] = a[c] + u * (b[c] - a[c]);
    }
}

void GltfNodes::place(std::uint64_t frame, std::vector<Affine>& world) const {
    struct Parts {
        Vec3d translation;
        Quat rotation;
        Vec3d scale;
    };
    std::vector<Parts> parts;
    for (const GltfNode& node : nodes_) parts.push_back({node.translation, node.rotation, node.scale});
    for (const Channel& channel : channels_) {
        double v[4];
        sample(channel, time_of(frame), v);
        Parts& of = parts[channel.node];
        if (channel.path == Path::translation) of.translation = {v[0], v[1], v[2]};
        if (channel.path == Path::scale) of.scale = {v[0], v[1], v[2]};
        if (channel.path != Path::rotation) continue;
        const double l = std::sqrt(from_product(v));
        // Splines between unit quaternions are shorter; keys are not, but for rounding.
        if (!(l > 0.5 && l < 2)) {
            throw bad_input("{}: {}: frame {}: the quaternion has length {:.6g} instead of 1", file_.path().string(),
                            channel.where, frame, l);
        }
        of.rotation = {v[0] / l, v[1] / l, v[2] / l, v[3] / l};
    }
    world.resize(nodes_.size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const GltfNode& node = nodes_[i];
        const Affine local =
            node.matrix ? *node.matrix : from_parts(parts[i].translation, parts[i].rotation, parts[i].scale);
        if (node.parent == GltfNode::kNoParent) {
            world[i] = local;
            continue;
        }
        const Affine& parent = world[node.parent];
        world[i] = {parent.linear * local.linear, parent.linear * local.translation + parent.translation};
    }
}

}  // namespace lanefold::tools
