// SPDX-License-Identifier: MIT
//
// Parry's contact manifolds of convex polyhedra, and of cuboids, as an adapter of lanefold_bench
// (bench/adapters/adapter.h). Single precision. Every pair gets an empty manifold, so nothing is kept from before.
mod ground;

use std::ffi::{c_char, c_void};

use parry3d::math::{Pose, Vector};
use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::{ConvexPolyhedron, Cuboid, Shape};

macro_rules! text {
    ($words:expr) => {
        concat!($words, "\0").as_ptr() as *const c_char
    };
}

mod toi;

const MARGIN: f32 = 0.02;

#[repr(C)]
pub struct Hull {
    vertex_count: u32,
    face_count: u32,
    vertices: *const f32,
    face_offsets: *const u32,
    face_vertices: *const u32,
    planes: *const f64,
    centre: [f64; 3],
    is_box: i32,
    reserved: i32,
    half_extent: [f64; 3],
    axes: [f64; 9],
}

#[repr(C)]
pub struct Body {
    position: [f32; 3],
    hull: u32,
    orientation: [f32; 4],
}

#[repr(C)]
pub struct Pair {
    a: u32,
    b: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    position: [f32; 3],
    separation: f32,
}

#[repr(C)]
pub struct Record {
    normal: [f32; 3],
    distance: f32,
    count: u32,
    points: [Point; 4],
}

#[repr(C)]
pub struct Setting {
    id: *const c_char,
    title: *const c_char,
    version: *const c_char,
    settings: *const c_char,
    build: *const c_char,
    precision: *const c_char,
    margin: f64,
    max_points: u32,
    coherent: u8,
    rounded: u8,
    reserved: [u8; 2],
}

#[repr(C)]
pub struct Adapter {
    version: u32,
    setting_count: u32,
    settings: *const Setting,
    create: extern "C" fn(u32) -> *mut c_void,
    destroy: extern "C" fn(*mut c_void),
    prepare: extern "C" fn(*mut c_void, *const Hull, u32, *const Body, u32) -> *const c_char,
    set_frame: extern "C" fn(*mut c_void, *const Body, u32),
    collide: extern "C" fn(*mut c_void, *const Pair, u32, *mut Record),
    forget: Option<extern "C" fn(*mut c_void)>,
}

unsafe impl Sync for Setting {}
unsafe impl Sync for Adapter {}

struct Engine {
    boxes: bool,
    // A shape, and its own frame in the coordinates of its hull.
    shapes: Vec<(Box<dyn Shape>, Pose)>,
    bodies: Vec<(u32, Pose)>,
    manifold: ContactManifold<(), ()>,
}

const BUILD: *const c_char = text!("cargo build --release, target-cpu=native, lto");
const VERSION: *const c_char = text!("0.31.1");

const fn setting(id: *const c_char, title: *const c_char, settings: *const c_char) -> Setting {
    Setting {
        id,
        title,
        version: VERSION,
        settings,
        build: BUILD,
        precision: text!("float32"),
        margin: MARGIN as f64,
        max_points: 16,
        coherent: 0,
        rounded: 0,
        reserved: [0; 2],
    }
}

static SETTINGS: [Setting; 2] = [
    setting(
        text!("parry"),
        text!("Parry, convex polyhedra"),
        text!("contact_manifold_convex_convex, ConvexPolyhedron, prediction 0.02 m, empty manifold"),
    ),
    setting(
        text!("parry-box"),
        text!("Parry cuboids"),
        text!("contact_manifold_convex_convex, Cuboid, prediction 0.02 m, empty manifold"),
    ),
];

static ADAPTER: Adapter = Adapter {
    version: 1,
    setting_count: 2,
    settings: SETTINGS.as_ptr(),
    create,
    destroy,
    prepare,
    set_frame,
    collide,
    forget: None,
};

#[no_mangle]
pub extern "C" fn lanefold_adapter() -> *const Adapter {
    &ADAPTER
}

extern "C" fn create(setting: u32) -> *mut c_void {
    Box::into_raw(Box::new(Engine {
        boxes: setting == 1,
        shapes: Vec::new(),
        bodies: Vec::new(),
        manifold: ContactManifold::new(),
    })) as *mut c_void
}

extern "C" fn destroy(engine: *mut c_void) {
    drop(unsafe { Box::from_raw(engine as *mut Engine) });
}

fn vector(v: &[f64; 3]) -> Vector {
    Vector::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn polyhedron(hull: &Hull) -> Option<Box<dyn Shape>> {
    let (vertices, offsets, corners) = unsafe {
        let offsets = std::slice::from_raw_parts(hull.face_offsets, hull.face_count as usize + 1);
        (
            std::slice::from_raw_parts(hull.vertices, 3 * hull.vertex_count as usize),
            offsets,
            std::slice::from_raw_parts(hull.face_vertices, offsets[hull.face_count as usize] as usize),
        )
    };
    let points = vertices.chunks(3).map(|v| Vector::new(v[0], v[1], v[2])).collect();
    // Parry joins the triangles of a plane to one face again.
    let mut triangles = Vec::new();
    for f in 0..hull.face_count as usize {
        let face = &corners[offsets[f] as usize..offsets[f + 1] as usize];
        for k in 1..face.len() - 1 {
            triangles.push([face[0], face[k], face[k + 1]]);
        }
    }
    ConvexPolyhedron::from_convex_mesh(points, &triangles).map(|p| Box::new(p) as Box<dyn Shape>)
}

/// The box of a hull and its frame. Its three axes are made a right-handed frame: the sign of an axis of a box is free.
fn cuboid(hull: &Hull) -> (Box<dyn Shape>, Pose) {
    let a = &hull.axes;
    let column = |c: usize| vector(&[a[c], a[3 + c], a[6 + c]]);
    let (x, y) = (column(0), column(1));
    let rotation = parry3d::math::Rotation::from_mat3(&parry3d::math::Matrix::from_cols(x, y, x.cross(y)));
    (Box::new(Cuboid::new(vector(&hull.half_extent))), Pose::from_parts(vector(&hull.centre), rotation))
}

extern "C" fn prepare(engine: *mut c_void, hulls: *const Hull, count: u32, _: *const Body, _: u32) -> *const c_char {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    engine.shapes.clear();
    for hull in unsafe { std::slice::from_raw_parts(hulls, count as usize) } {
        if engine.boxes {
            if hull.is_box == 0 {
                return text!("boxes only");
            }
            engine.shapes.push(cuboid(hull));
            continue;
        }
        match polyhedron(hull) {
            Some(shape) => engine.shapes.push((shape, Pose::identity())),
            None => return text!("refuses a hull"),
        }
    }
    std::ptr::null()
}

extern "C" fn set_frame(engine: *mut c_void, bodies: *const Body, count: u32) {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    engine.bodies.clear();
    for b in unsafe { std::slice::from_raw_parts(bodies, count as usize) } {
        let q = b.orientation;
        let rotation = parry3d::math::Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize();
        let p = b.position;
        let pose = Pose::from_parts(Vector::new(p[0], p[1], p[2]), rotation);
        engine.bodies.push((b.hull, pose * engine.shapes[b.hull as usize].1));
    }
}

extern "C" fn collide(engine: *mut c_void, pairs: *const Pair, count: u32, records: *mut Record) {
    let engine = unsafe { &mut *(engine as *mut Engine) };
    let (pairs, records) = unsafe {
        (
            std::slice::from_raw_parts(pairs, count as usize),
            std::slice::from_raw_parts_mut(records, count as usize),
        )
    };
    for (pair, out) in pairs.iter().zip(records) {
        let (ha, pose_a) = &engine.bodies[pair.a as usize];
        let (hb, pose_b) = &engine.bodies[pair.b as usize];
        let relative = pose_a.inv_mul(pose_b);
        // An empty manifold keeps the memory of its points, but no contact of the pair before.
        engine.manifold.points.clear();
        engine.manifold.local_n1 = Vector::ZERO;
        engine.manifold.local_n2 = Vector::ZERO;
        out.count = 0;
        let done = DefaultQueryDispatcher.contact_manifold_convex_convex(
            &relative,
            &*engine.shapes[*ha as usize].0,
            &*engine.shapes[*hb as usize].0,
            None,
            None,
            MARGIN,
            &mut engine.manifold,
        );
        if done.is_ok() && !engine.manifold.points.is_empty() {
            store(&engine.manifold, pose_a, pose_b, out);
        }
    }
}

/// The deepest point first, because a record has four at most.
fn store(manifold: &ContactManifold<(), ()>, pose_a: &Pose, pose_b: &Pose, out: &mut Record) {
    let normal = pose_a.transform_vector(manifold.local_n1);
    out.normal = [normal.x, normal.y, normal.z];
    out.count = manifold.points.len() as u32;
    let mut deepest = 0;
    for (k, point) in manifold.points.iter().enumerate() {
        if point.dist < manifold.points[deepest].dist {
            deepest = k;
        }
    }
    out.distance = manifold.points[deepest].dist;
    for k in 0..manifold.points.len().min(4) {
        let point = &manifold.points[if k == 0 { deepest } else if k == deepest { 0 } else { k }];
        let middle = (pose_a.transform_point(point.local_p1) + pose_b.transform_point(point.local_p2)) * 0.5;
        out.points[k] = Point { position: [middle.x, middle.y, middle.z], separation: point.dist };
    }
}
