// SPDX-License-Identifier: MIT
//
// Results as tables on standard output.
#include <algorithm>

#include <fmt/format.h>

#include <lanefold/isa.hpp>

#include "results/results.hpp"

namespace lanefold::bench {
namespace {

// Below this share of the processors other work does not change the times.
constexpr double kQuiet = 0.05;

std::string title_of(const Results& r, const std::string& id) {
    for (const EngineInfo& e : r.engines) {
        if (e.id == id) return e.title;
    }
    return id;
}

const EngineInfo* find_engine(const Results& r, const std::string& id) {
    for (const EngineInfo& e : r.engines) {
        if (e.id == id) return &e;
    }
    return nullptr;
}

const Timing* find_timing(const Results& r, const std::string& scene, const std::string& engine,
                          const std::string& subset) {
    for (const Timing& t : r.timings) {
        if (t.scene == scene && t.engine == engine && t.subset == subset && t.order == "scene") return &t;
    }
    return nullptr;
}

std::string cell(const Timing* t) { return t == nullptr || t->empty() ? "-" : fmt::format("{:.1f}", t->median()); }

void print_scene_header(const Results& r, const SceneRow& s) {
    fmt::print("\n{}: {}\n", s.name, s.description);
    fmt::print(
        "  {} hulls (mean {:.1f} vertices, {:.1f} faces, {:.0f} bytes each), {} bodies, {} pairs, {:.0f}% "
        "touching at margin {} m, {:.0f}% overlapping, hash {}\n",
        s.hulls, s.mean_vertices, s.mean_faces,
        static_cast<double>(s.hot_bytes) / static_cast<double>(std::max<std::size_t>(s.hulls, 1)), s.bodies, s.pairs,
        100 * s.touching, s.margin, 100 * s.overlapping, s.hash.empty() ? "-" : s.hash);
    const Counters& c = s.counters;
    const double n = std::max<double>(static_cast<double>(s.pairs), 1) / 100;
    const auto share = [n](std::uint64_t v) { return static_cast<double>(v) / n; };
    fmt::print(
        "  of 100 pairs: {:.0f} box, {:.0f} hull, {:.0f} on a floor, {:.0f} float64 path; rejected by centre {:.0f}, "
        "face {:.0f}, edge {:.0f}, distance {:.1f}\n",
        share(c.box_pairs), share(c.hull_pairs), share(c.floor_pairs), share(c.precise_pairs), share(c.rejected_centre),
        share(c.rejected_face), share(c.rejected_edge), share(c.rejected_distance));
    fmt::print(
        "  of 100 pairs: {:.0f} faces evaluated, {:.0f} edges survive, {:.0f} edge pairs, {:.1f} distances "
        "finished, {:.0f} face and {:.0f} edge contacts, {:.1f} fall back from clipping\n",
        share(c.faces_evaluated), share(c.edges_surviving), share(c.edge_pairs), share(c.distance_finished),
        share(c.face_contacts), share(c.edge_contacts), share(c.clip_fallbacks));
    // The least bytes that the batch must move: pairs in, a manifold a pair out, every body and hull once.
    const double bytes = 136.0 + (32.0 * static_cast<double>(s.bodies) + static_cast<double>(s.hot_bytes)) /
                                     std::max<double>(static_cast<double>(s.pairs), 1);
    if (r.bandwidth > 0) {
        fmt::print("  at least {:.0f} bytes a pair: {:.1f} ns at the measured copy bandwidth of {:.1f} GB/s\n", bytes,
                   bytes / r.bandwidth * 1e9, r.bandwidth * 1e-9);
    }
}

void print_timing_table(const Results& r, const SceneRow& s) {
    fmt::print("  {:<28} {:>9} {:>9} {:>7} {:>6} {:>9} {:>9} {:>9} {:>5} {:>6}\n", "ns per pair", "median", "min",
               "+-%", "GHz", "cycles", "touching", "separated", "pts", "margin");
    for (const Timing& x : r.timings) {
        if (x.scene != s.name || x.subset != "all" || x.order != "scene") continue;
        const EngineInfo* e = find_engine(r, x.engine);
        std::string points = "-";
        for (const QualityRow& q : r.quality) {
            if (q.scene == s.name && q.engine == x.engine) points = fmt::format("{:.1f}", q.quality.points);
        }
        fmt::print("  {:<28} {:>9.1f} {:>9.1f} {:>7.1f} {:>6.2f} {:>9.0f} {:>9} {:>9} {:>5} {:>6}\n",
                   title_of(r, x.engine), x.median(), x.min(), 100 * x.spread(), x.median_ghz(),
                   x.median() * x.median_ghz(), cell(find_timing(r, s.name, x.engine, "touching")),
                   cell(find_timing(r, s.name, x.engine, "separated")), points,
                   e == nullptr ? "-" : fmt::format("{:g}", e->margin));
    }
    for (const Timing& t : r.timings) {
        if (t.scene != s.name || (t.subset == "all" && t.order == "scene") || t.subset == "touching" ||
            t.subset == "separated") {
            continue;
        }
        fmt::print("  {:<28} {:>9.1f} {:>9.1f} {:>7.1f} {:>6.2f} {:>9.0f}   {}{}\n", title_of(r, t.engine), t.median(),
                   t.min(), 100 * t.spread(), t.median_ghz(), t.median() * t.median_ghz(),
                   t.subset == "all" ? "" : t.subset, t.order == "scene" ? "" : " " + t.order);
    }
    for (const RefusalRow& x : r.refusals) {
        if (x.scene == s.name) fmt::print("  {:<28} {}\n", title_of(r, x.engine), x.why);
    }
}

// Compares lanefold with the fastest other engine for which `counts` is true.
void print_ratio(const Results& r, const SceneRow& s, const char* what, bool (*counts)(const EngineInfo&, double)) {
    const Timing* ours = find_timing(r, s.name, "lanefold", "all");
    const Timing* best = nullptr;
    for (const EngineInfo& e : r.engines) {
        const Timing* t = find_timing(r, s.name, e.id, "all");
        if (t == nullptr || t->empty() || e.id.rfind("lanefold", 0) == 0 || !counts(e, s.margin)) continue;
        if (best == nullptr || t->median() < best->median()) best = t;
    }
    if (ours == nullptr || ours->empty() || best == nullptr) return;
    fmt::print("  {:<52} {:>7.2f}  {}, {:.1f} ns\n", what, best->median() / ours->median(), title_of(r, best->engine),
               best->median());
}

void print_ratios(const Results& r, const SceneRow& s) {
    // Engines that do the same work: the same margin, up to four points, the given shapes, nothing kept from before.
    print_ratio(r, s, "best peer / lanefold: manifolds up to the margin", [](const EngineInfo& e, double margin) {
        return e.margin >= 0.999 * margin && e.max_points >= 4 && !e.coherent && !e.rounded;
    });
    print_ratio(r, s, "  any result (overlaps only, one point)",
                [](const EngineInfo& e, double) { return !e.coherent; });
    print_ratio(r, s, "  with a warm cache on bodies that did not move",
                [](const EngineInfo& e, double) { return e.coherent; });
}

void print_stages(const Results& r, const SceneRow& s) {
    for (const StageRow& row : r.stages) {
        if (row.scene != s.name) continue;
        const StageProfile& p = row.profile;
        fmt::print(
            "  stages, {}: {:.1f} ns a pair, {:.1f} with the clock in it; {:.0f} operations (float32, width 1)\n",
            lanefold::to_string(p.isa), p.plain_ns, p.staged_ns, p.flops);
        for (const StageTime& t : p.stages) {
            fmt::print("    {:<26} {:>9.2f} ns {:>5.1f}%", detail::stage_name(t.stage), t.ns, 100 * t.ns / p.staged_ns);
            fmt::print("{}\n", t.lanes > 0 ? fmt::format("  {:>3.0f}% of the lanes in use", 100 * t.lanes) : "");
        }
    }
}

void print_quality_table(const Results& r, const SceneRow& s) {
    bool any = false;
    for (const QualityRow& row : r.quality) {
        if (row.scene != s.name) continue;
        const Quality& q = row.quality;
        if (!any) {
            fmt::print("  {:<28} {:>6} {:>6} {:>6} {:>9} {:>6} {:>7} {:>9} {:>7} {:>9}\n",
                       fmt::format("against the oracle ({})", q.sample), "found", "points", "missed", "worst mm",
                       "false", "depth%", "worst mm", "normal%", "worst mm");
        }
        any = true;
        fmt::print("  {:<28} {:>6} {:>6.2f} {:>6} {:>9.2f} {:>6} {:>7.1f} {:>9.3f} {:>7.1f} {:>9.3f}\n",
                   title_of(r, row.engine), q.found, q.points, q.missed, 1e3 * q.worst_missed, q.false_hits,
                   100 * q.depth_good, 1e3 * q.depth_worst, 100 * q.normal_good, 1e3 * q.normal_worst);
    }
}

}  // namespace

void print_tables(const Results& r) {
    fmt::print("lanefold benchmark, commit {}, {}\n{}, {} processors, {}\n{}, {}\n", r.machine.commit, r.machine.date,
               r.machine.cpu, r.machine.processors, r.machine.system, r.machine.compiler, r.machine.flags);
    fmt::print("other work took {:.0f}% of the processors meanwhile{}\n", 100 * r.other_work,
               r.other_work > kQuiet ? ": not a quiet machine" : "");
    for (const EngineInfo& e : r.engines) {
        fmt::print("  {:<28} {:<8} {}, margin {:g} m: {}\n", e.title, e.version, e.precision, e.margin, e.settings);
    }
    for (const SceneRow& s : r.scenes) {
        print_scene_header(r, s);
        print_timing_table(r, s);
        print_ratios(r, s);
        print_quality_table(r, s);
        print_stages(r, s);
        for (const FlickerRow& f : r.flicker) {
            if (f.scene != s.name) continue;
            fmt::print("  {:<28} of {} contacts followed: normal jumps {:.2f}%, number of points changes {:.2f}%\n",
                       title_of(r, f.engine), f.flicker.followed, 100 * f.flicker.normal_jumps,
                       100 * f.flicker.count_changes);
        }
    }
    for (const StreamRow& s : r.streams) {
        fmt::print(
            "\nstreamed {}: {} pairs, {}, {} threads: {:.1f} ns per pair; memory {:.1f} MB after the first batch, "
            "{:.1f} MB at the end\n",
            s.scene, s.pairs, s.output, s.threads, s.ns, static_cast<double>(s.resident_before) * 1e-6,
            static_cast<double>(s.resident_after) * 1e-6);
    }
    for (const std::string& e : r.errors) fmt::print("\nWRONG: {}\n", e);
}

}  // namespace lanefold::bench
