// SPDX-License-Identifier: MIT
//
// Parry's times of impact of convex polyhedra that move and turn (bench/adapters/toi.h): cast_shapes_nonlinear, single
// precision. Both sides describe a motion in the same way, so poses differ by rounding only.
use std::ffi::{c_char, c_void};

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{cast_shapes_nonlinear, NonlinearRigidMotion, ShapeCastStatus};
use parry3d::shape::Shape;

use crate::{polyhedron, Hull, Pair};

#[repr(C)]
pub struct Motion {
    position: [f32; 3],
    hull: u32,
    orientation: [f32; 4],
    shift: [f32; 3],
    reserved_a: f32,
    spin: [f32; 3],
    reserved_b: f32,
}

#[repr(C)]
pub struct Impact {
    time: f32,
    finding: i32,
}

#[repr(C)]
pub struct ToiAdapter {
    version: u32,
    reserved: u32,
    title: *const c_char,
    settings: *const c_char,
    create: extern "C" fn() -> *mut c_void,
    destroy: extern "C" fn(*mut c_void),
    prepare: extern "C" fn(*mut c_void, *const Hull, u32) -> *const c_char,
    set_motions: extern "C" fn(*mut c_void, *const Motion, u32),
    impacts: extern "C" fn(*mut c_void, *const Pair, u32, *mut Impact),
}

unsafe impl Sync for ToiAdapter {}

struct Engine {
    shapes: Vec<Box<dyn Shape>>,
    bodies: Vec<(u32, NonlinearRigidMotion)>,
}

static ADAPTER: ToiAdapter = ToiAdapter {
    version: 1,
    reserved: 0,
    title: text!("Parry 0.31.1"),
    settings: text!("cast_shapes_nonlinear, ConvexPolyhedron, stops at penetration, float32"),
    create,
    destroy,
    prepare,
    set_motions,
    impacts,
};

#[no_mangle]
pub extern "C" fn lanefold_toi_adapter() -> *const ToiAdapter {
    &ADAPTER
}

extern "C" fn create() -> *mut c_void {
    Box::into_raw(Box::new(Engine { shapes: Vec::new(), bodies: Vec::new() })) as *mut c_void
}

extern "C" fn destroy(engine: *mut c_void) {
    drop(unsafe { Box::from_raw(engine as *mut Engine) });
}

extern "C" fn prepare(engine: *mut c_void, hulls: *const Hull, count: u32) -> *const c_char {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    engine.shapes.clear();
    for hull in unsafe { std::slice::from_raw_parts(hulls, count as usize) } {
        match polyhedron(hull) {
            Some(shape) => engine.shapes.push(shape),
            None => return text!("refuses a hull"),
        }
    }
    std::ptr::null()
}

extern "C" fn set_motions(engine: *mut c_void, bodies: *const Motion, count: u32) {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    engine.bodies.clear();
    for b in unsafe { std::slice::from_raw_parts(bodies, count as usize) } {
        let (p, q, v, w) = (b.position, b.orientation, b.shift, b.spin);
        let rotation = Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize();
        let motion = NonlinearRigidMotion::new(
            Pose::from_parts(Vector::new(p[0], p[1], p[2]), rotation),
            Vector::ZERO,
            Vector::new(v[0], v[1], v[2]),
            Vector::new(w[0], w[1], w[2]),
        );
        engine.bodies.push((b.hull, motion));
    }
}

extern "C" fn impacts(engine: *mut c_void, pairs: *const Pair, count: u32, out: *mut Impact) {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    let (pairs, out) = unsafe {
        (
            std::slice::from_raw_parts(pairs, count as usize),
            std::slice::from_raw_parts_mut(out, count as usize),
        )
    };
    for (pair, out) in pairs.iter().zip(out) {
        let (ha, a) = &engine.bodies[pair.a as usize];
        let (hb, b) = &engine.bodies[pair.b as usize];
        let found = cast_shapes_nonlinear(
            a,
            &*engine.shapes[*ha as usize],
            b,
            &*engine.shapes[*hb as usize],
            0.0,
            1.0,
            true,
        );
        *out = match found {
            Ok(None) => Impact { time: 1.0, finding: 0 },
            Ok(Some(hit)) => Impact { time: hit.time_of_impact, finding: finding(hit.status) },
            Err(_) => Impact { time: 0.0, finding: 3 },
        };
    }
}

fn finding(status: ShapeCastStatus) -> i32 {
    match status {
        ShapeCastStatus::Converged => 1,
        ShapeCastStatus::PenetratingOrWithinTargetDist => 2,
        _ => 3,
    }
}
