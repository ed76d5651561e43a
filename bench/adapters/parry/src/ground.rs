// SPDX-License-Identifier: MIT
//
// Bodies on terrain by Parry, for lanefold_ground --adapter (bench/src/ground/parry_ground.cpp has the same types): a
// TriMesh or a HeightField, both with FIX_INTERNAL_EDGES; cuboids, balls, capsules and convex polyhedra. Every call has
// empty manifolds and no workspace.
use std::ffi::c_void;

use parry3d::math::{Pose, Rotation, Vector};
use parry3d::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d::shape::{
    Ball, Capsule, ConvexPolyhedron, Cuboid, HeightField, HeightFieldFlags, Shape, TriMesh, TriMeshFlags,
};
use parry3d::utils::Array2;

use crate::Body;

#[repr(C)]
pub struct GroundShape {
    kind: u32, // box, rock, sphere, capsule along x
    radius: f32,
    half: [f32; 3],
    point_count: u32,
    points: *const f32,
}

#[repr(C)]
pub struct GroundScene {
    shapes: *const GroundShape,
    shape_count: u32,
    body_count: u32,
    bodies: *const Body,
    points: *const f32, // of a mesh
    triangles: *const u32,
    point_count: u32,
    triangle_count: u32,
    heights: *const f32, // of a field, row after row along x; null: a mesh
    samples: u32,        // of a side
    cell: f32,
    margin: f32,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct GroundPoint {
    normal: [f32; 3], // out of the terrain
    separation: f32,
}

struct Ground {
    terrain: Box<dyn Shape>,
    pose: Pose,
    bodies: Vec<(u32, Pose)>,
    shapes: Vec<Box<dyn Shape>>,
    margin: f32,
    manifolds: Vec<ContactManifold<(), ()>>,
    found: Vec<Vec<GroundPoint>>,
}

unsafe fn slice<'a, T>(data: *const T, count: u32) -> &'a [T] {
    if count == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(data, count as usize)
    }
}

fn vectors(numbers: &[f32]) -> Vec<Vector> {
    numbers.chunks(3).map(|v| Vector::new(v[0], v[1], v[2])).collect()
}

unsafe fn shape_of(s: &GroundShape) -> Option<Box<dyn Shape>> {
    Some(match s.kind {
        0 => Box::new(Cuboid::new(Vector::new(s.half[0], s.half[1], s.half[2]))),
        2 => Box::new(Ball::new(s.radius)),
        3 => Box::new(Capsule::new_x(s.half[0], s.radius)),
        _ => Box::new(ConvexPolyhedron::from_convex_hull(&vectors(slice(s.points, 3 * s.point_count)))?),
    })
}

/// Its y is up, and its rows run along z, which is the terrain's -y: so the rows are taken from the last one on, and
/// cells have the same diagonals.
unsafe fn field(s: &GroundScene) -> (Box<dyn Shape>, Pose) {
    let n = s.samples as usize;
    let heights = slice(s.heights, s.samples * s.samples);
    let side = (s.samples - 1) as f32 * s.cell;
    let rows = Array2::from_fn(n, n, |i, j| heights[(n - 1 - i) * n + j]);
    let field = HeightField::with_flags(rows, Vector::new(side, 1.0, side), HeightFieldFlags::FIX_INTERNAL_EDGES);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    (Box::new(field), Pose::from_parts(Vector::ZERO, Rotation::from_xyzw(half, 0.0, 0.0, half)))
}

unsafe fn mesh(s: &GroundScene) -> Option<(Box<dyn Shape>, Pose)> {
    let triangles = slice(s.triangles, 3 * s.triangle_count).chunks(3).map(|t| [t[0], t[1], t[2]]).collect();
    let points = vectors(slice(s.points, 3 * s.point_count));
    let mesh = TriMesh::with_flags(points, triangles, TriMeshFlags::FIX_INTERNAL_EDGES).ok()?;
    Some((Box::new(mesh), Pose::identity()))
}

unsafe fn make(s: &GroundScene) -> Option<Ground> {
    let (terrain, pose) = if s.heights.is_null() { mesh(s)? } else { field(s) };
    let mut shapes = Vec::new();
    for shape in slice(s.shapes, s.shape_count) {
        shapes.push(shape_of(shape)?);
    }
    let mut bodies = Vec::new();
    for b in slice(s.bodies, s.body_count) {
        let (p, q) = (b.position, b.orientation);
        let rotation = Rotation::from_xyzw(q[0], q[1], q[2], q[3]).normalize();
        bodies.push((b.hull, Pose::from_parts(Vector::new(p[0], p[1], p[2]), rotation)));
    }
    let found = vec![Vec::new(); bodies.len()];
    Some(Ground { terrain, pose, bodies, shapes, margin: s.margin, manifolds: Vec::new(), found })
}

/// Null: Parry refuses a shape or the mesh.
#[no_mangle]
pub unsafe extern "C" fn lanefold_ground_create(scene: *const GroundScene) -> *mut c_void {
    match make(&*scene) {
        Some(ground) => Box::into_raw(Box::new(ground)) as *mut c_void,
        None => std::ptr::null_mut(),
    }
}

#[no_mangle]
pub unsafe extern "C" fn lanefold_ground_destroy(ground: *mut c_void) {
    drop(Box::from_raw(ground as *mut Ground));
}

#[no_mangle]
pub unsafe extern "C" fn lanefold_ground_run(ground: *mut c_void) {
    let ground = &mut *(ground as *mut Ground);
    for (k, (shape, pose)) in ground.bodies.iter().enumerate() {
        ground.manifolds.clear();
        ground.found[k].clear();
        let done = DefaultQueryDispatcher.contact_manifolds(
            &ground.pose.inv_mul(pose),
            &*ground.terrain,
            &*ground.shapes[*shape as usize],
            ground.margin,
            &mut ground.manifolds,
            &mut None,
        );
        if done.is_err() {
            continue;
        }
        for manifold in &ground.manifolds {
            let n = ground.pose.transform_vector(manifold.local_n1);
            for point in manifold.points.iter().filter(|p| p.dist <= ground.margin) {
                ground.found[k].push(GroundPoint { normal: [n.x, n.y, n.z], separation: point.dist });
            }
        }
    }
}

/// The points of a body after a run; the next run changes them.
#[no_mangle]
pub unsafe extern "C" fn lanefold_ground_points(
    ground: *const c_void,
    body: u32,
    count: *mut u32,
) -> *const GroundPoint {
    let ground = &*(ground as *const Ground);
    let points = &ground.found[body as usize];
    *count = points.len() as u32;
    points.as_ptr()
}
