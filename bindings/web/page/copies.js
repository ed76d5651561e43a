// SPDX-License-Identifier: MIT
//
// The pair as a program and as a scene.

const float = (x) => {
  const text = String(Math.fround(x) === x ? shortest(x) : x);
  return `${/[.e]/.test(text) ? text : `${text}.0`}F`;
};
const double = (x) => (/[.e]/.test(String(x)) ? String(x) : `${x}.0`);

/** The shortest decimal that is this float32. */
function shortest(x) {
  for (let digits = 1; digits < 17; digits += 1) {
    const text = x.toPrecision(digits);
    if (Math.fround(Number(text)) === x) return Number(text);
  }
  return x;
}

function points(name, vertices) {
  const rows = [];
  for (let i = 0; i < vertices.length; i += 3) {
    rows.push(`        {${vertices.slice(i, i + 3).map(float).join(", ")}},`);
  }
  return [`    const Vec3f ${name}[] = {`, ...rows, "    };"];
}

const bodyText = (body, hull) =>
  `{{${body.position.map(double).join(", ")}}, {${body.orientation.map(float).join(", ")}}, ${hull}, 0}`;

/** A whole program that computes this pair and prints its record. */
export function asProgram(pair) {
  const batch = pair.method === "clip" || pair.method === "patch";
  const note = batch ? [] : [
    `// On the page the method was ${pair.method}: float64 reference code, see docs/methods.md for its calls.`,
    "// This is the same pair by the batch calls, strict and without a margin."];
  const type = `Manifold${pair.capacity}`;
  return [
    ...note,
    "#include <cstdio>",
    "",
    "#include <lanefold/hull_builder.hpp>",
    "#include <lanefold/serial.hpp>",
    "",
    "int main() {",
    "    using namespace lanefold;",
    ...points("points_a", pair.a.vertices),
    ...points("points_b", pair.b.vertices),
    "    const BuildResult a = build_hull(points_a);",
    "    const BuildResult b = build_hull(points_b);",
    "    if (!a || !b) return 1;",
    "    const HullSet hulls = a.hulls.append(b.hulls);",
    "    // Position, orientation (x, y, z, w), hull.",
    `    const BodyD body_a${bodyText(pair.a, 0)};`,
    `    const BodyD body_b${bodyText(pair.b, 1)};`,
    "    Options options;",
    `    options.margin = ${float(Math.fround(batch ? pair.margin : 0))};`,
    `    options.face_preference = ${float(Math.fround(batch ? pair.face_preference : 0))};`,
    ...(pair.method === "patch" ? ["    options.method = ContactMethod::patch;",
      `    options.patch_band = ${float(Math.fround(pair.band))};`] : []),
    ...(pair.points === "impact" ? ["    options.points = PointSelection::impact;"] : []),
    `    ${type} m{};`,
    "    Workspace workspace;",
    "    const BatchResult done = collide_pair(hulls, body_a, body_b, options, m, workspace);",
    "    if (!done.status) return 2;",
    "    std::printf(\"%s, distance %.9g, %d points\\n\", to_string(m.kind), double{m.distance}, m.count);",
    "    for (int i = 0; i < m.count; ++i) {",
    "        const auto p = world_point(body_a.position, m.points[i]);",
    "        std::printf(\"  at (%.9g, %.9g, %.9g), separation %.9g\\n\", p.x, p.y, p.z,",
    "                    double{m.points[i].separation});",
    "    }",
    "}",
    "",
  ].join("\n");
}

/** A Python program that writes the pair as a scene folder (docs/formats.md), and the commands that read it. */
export function asScene(pair) {
  const list = (values) => `[${values.join(", ")}]`;
  const n = pair.a.vertices.length / 3;
  const m = pair.b.vertices.length / 3;
  const options = [`--method ${pair.method}`];
  if (pair.method === "clip" || pair.method === "patch") {
    options.push(`--margin ${pair.margin}`, `--face-preference ${pair.face_preference}`, `--points ${pair.points}`);
  }
  if (pair.method === "patch") options.push(`--band ${pair.band}`);
  if (pair.method === "features") options.push(`--feature-angle ${pair.feature_angle}`);
  return [
    "# Writes the scene folder 'pair'. Then:",
    `#   lanefold show pair --pair 0,1 ${options.join(" ")}`,
    `#   lanefold collide pair -o contacts --capacity ${pair.capacity} ${options.join(" ")}`,
    "import json, os",
    "import numpy as np",
    "",
    `points = ${list([...pair.a.vertices, ...pair.b.vertices])}`,
    `position = [${list(pair.a.position)}, ${list(pair.b.position)}]`,
    `orientation = [${list(pair.a.orientation)}, ${list(pair.b.orientation)}]`,
    "os.makedirs(\"pair\")",
    `np.save("pair/hull_offsets.npy", np.array([0, ${n}, ${n + m}], np.uint64))`,
    "np.save(\"pair/hull_vertices.npy\", np.array(points, np.float32).reshape(-1, 3))",
    "np.save(\"pair/body_hull.npy\", np.array([0, 1], np.uint32))",
    "np.save(\"pair/position.npy\", np.array([position], np.float64))",
    "np.save(\"pair/orientation.npy\", np.array([orientation], np.float32))",
    "np.save(\"pair/pair_offsets.npy\", np.array([0, 1], np.uint64))",
    "np.save(\"pair/pairs.npy\", np.array([[0, 1]], np.uint32))",
    "with open(\"pair/scene.json\", \"w\") as file:",
    "    json.dump({\"format\": \"lanefold-scene\", \"version\": 1, \"unit\": \"m\"}, file)",
    "",
  ].join("\n");
}
