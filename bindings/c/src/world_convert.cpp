// SPDX-License-Identifier: MIT
//
// Conversion of settings, bodies, links and results of worlds.
#include "world_convert.hpp"

namespace lanefold::c_api {

lanefold_world_settings settings_of(const WorldSettings& s) {
    lanefold_world_settings out = LANEFOLD_WORLD_SETTINGS_INIT;
    out.unit = s.unit;
    std::memcpy(out.gravity, &s.gravity, sizeof out.gravity);
    out.substeps = s.substeps;
    out.contact_hertz = s.contact_hertz;
    out.contact_damping = s.contact_damping;
    out.link_hertz = s.link_hertz;
    out.link_damping = s.link_damping;
    out.push_speed = s.push_speed;
    out.restitution_threshold = s.restitution_threshold;
    out.linear_damping = s.linear_damping;
    out.angular_damping = s.angular_damping;
    out.margin = s.margin;
    out.face_preference = s.face_preference;
    out.hysteresis = s.hysteresis;
    out.patch_method = s.method == ContactMethod::patch ? 1 : 0;
    out.sleep = s.sleep ? 1 : 0;
    out.sleep_speed = s.sleep_speed;
    out.sleep_time = s.sleep_time;
    out.threads = s.threads;
    out.reuse = s.reuse;
    out.instruction_set = s.isa == Isa::automatic ? nullptr : to_string(s.isa);
    return out;
}

bool take_settings(const lanefold_world_settings& from, WorldSettings& s) {
    s.unit = from.unit;
    std::memcpy(&s.gravity, from.gravity, sizeof from.gravity);
    s.substeps = from.substeps;
    s.contact_hertz = from.contact_hertz;
    s.contact_damping = from.contact_damping;
    s.link_hertz = from.link_hertz;
    s.link_damping = from.link_damping;
    s.push_speed = from.push_speed;
    s.restitution_threshold = from.restitution_threshold;
    s.linear_damping = from.linear_damping;
    s.angular_damping = from.angular_damping;
    s.margin = from.margin;
    s.face_preference = from.face_preference;
    s.hysteresis = from.hysteresis;
    s.method = from.patch_method != 0 ? ContactMethod::patch : ContactMethod::clip;
    s.sleep = from.sleep != 0;
    s.sleep_speed = from.sleep_speed;
    s.sleep_time = from.sleep_time;
    s.threads = from.threads;
    s.reuse = from.reuse;
    return take_instruction_set(from.instruction_set, s.isa);
}

RigidBody body_of(const lanefold_rigid_body& from) {
    RigidBody to;
    to.hull = from.hull;
    to.kind = static_cast<BodyKind>(from.kind);
    std::memcpy(to.position, from.position, sizeof to.position);
    std::memcpy(to.orientation, from.orientation, sizeof to.orientation);
    std::memcpy(to.velocity, from.velocity, sizeof to.velocity);
    std::memcpy(to.spin, from.spin, sizeof to.spin);
    to.density = from.density;
    to.mass = from.mass;
    to.friction = from.friction;
    to.restitution = from.restitution;
    to.category = from.category;
    to.collides_with = from.collides_with;
    to.group = from.group;
    return to;
}

BodyLink link_of(const lanefold_body_link& from) {
    BodyLink to;
    to.kind = static_cast<LinkKind>(from.kind);
    to.a = from.a;
    to.b = from.b;
    to.end_a = {from.end_a[0], from.end_a[1], from.end_a[2]};
    to.end_b = {from.end_b[0], from.end_b[1], from.end_b[2]};
    to.length = from.length;
    to.restitution = from.restitution;
    return to;
}

lanefold_step_result result_of(const StepResult& r) {
    lanefold_step_result out = LANEFOLD_STEP_RESULT_INIT;
    out.pairs = r.pairs;
    out.contacts = r.contacts;
    out.points = r.points;
    out.links = r.links;
    out.awake = r.awake;
    out.asleep = r.asleep;
    out.lost = r.lost;
    out.link_error = r.link_error;
    out.worst_link = r.worst_link;
    out.instruction_set = to_string(r.isa);
    out.seconds_pairs = r.seconds_pairs;
    out.seconds_collide = r.seconds_collide;
    out.seconds_solve = r.seconds_solve;
    out.carried = r.carried;
    return out;
}

}  // namespace lanefold::c_api
