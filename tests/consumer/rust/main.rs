// SPDX-License-Identifier: MIT
//
// lanefold from Rust without a crate: the part of lanefold.h that this program needs as an `extern "C"` module, a thin
// safe wrapper, and a pair of cubes whose contact is known.

mod ffi {
    use std::os::raw::{c_char, c_void};

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Status {
        pub code: i32,
        pub reserved: u32,
        pub location: u64,
        pub what: *const c_char,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Body {
        pub position: [f32; 3],
        pub hull: u32,
        pub orientation: [f32; 4],
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct BodyView {
        pub position: *const c_void,
        pub orientation: *const c_void,
        pub hull: *const c_void,
        pub strides: [usize; 3],
        pub count: u64,
        pub position_is_double: u32,
        pub reserved: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy)]
    pub struct Pair {
        pub a: u32,
        pub b: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct Point {
        pub position: [f32; 3],
        pub separation: f32,
        pub feature: u32,
    }

    #[repr(C)]
    #[derive(Clone, Copy, Default)]
    pub struct Manifold4 {
        pub pair: [u32; 2],
        pub normal: [f32; 3],
        pub distance: f32,
        pub feature_a: u32,
        pub feature_b: u32,
        pub total: u16,
        pub count: u8,
        pub kind: u8,
        pub status: u8,
        pub reserved: [u8; 3],
        pub child_a: u32,
        pub child_b: u32,
        pub points: [Point; 4],
    }

    pub enum Hulls {}
    pub enum Workspace {}

    extern "C" {
        pub fn lanefold_version() -> *const c_char;
        pub fn lanefold_build_hulls(
            points: *const f32,
            point_count: u64,
            offsets: *const u64,
            hull_count: u64,
            options: *const c_void,
            out: *mut *mut Hulls,
            frames: *mut c_void,
            reports: *mut c_void,
            report_capacity: u64,
            report_count: *mut u64,
        ) -> Status;
        pub fn lanefold_hulls_free(hulls: *mut Hulls);
        pub fn lanefold_view_bodies(bodies: *const Body, count: u64) -> BodyView;
        pub fn lanefold_workspace_create() -> *mut Workspace;
        pub fn lanefold_workspace_free(workspace: *mut Workspace);
        pub fn lanefold_collide4(
            hulls: *const Hulls,
            bodies: *const BodyView,
            pairs: *const Pair,
            pair_count: u64,
            options: *const c_void,
            out: *mut Manifold4,
            workspace: *mut Workspace,
            result: *mut c_void,
        ) -> Status;
    }
}

use std::ffi::CStr;

fn check(status: ffi::Status) -> Result<(), String> {
    if status.code == 0 {
        return Ok(());
    }
    let what = unsafe { CStr::from_ptr(status.what) }.to_string_lossy();
    Err(format!("{} (at {})", what, status.location))
}

struct Hulls(*mut ffi::Hulls);

impl Hulls {
    fn build(points: &[[f32; 3]], offsets: &[u64]) -> Result<Hulls, String> {
        let mut out = std::ptr::null_mut();
        let null = std::ptr::null_mut();
        check(unsafe {
            ffi::lanefold_build_hulls(
                points.as_ptr().cast(),
                points.len() as u64,
                offsets.as_ptr(),
                offsets.len() as u64 - 1,
                std::ptr::null(),
                &mut out,
                null,
                null,
                0,
                std::ptr::null_mut(),
            )
        })?;
        Ok(Hulls(out))
    }
}

impl Drop for Hulls {
    fn drop(&mut self) {
        unsafe { ffi::lanefold_hulls_free(self.0) }
    }
}

fn collide(hulls: &Hulls, bodies: &[ffi::Body], pairs: &[ffi::Pair]) -> Result<Vec<ffi::Manifold4>, String> {
    let mut out = vec![ffi::Manifold4::default(); pairs.len()];
    unsafe {
        let view = ffi::lanefold_view_bodies(bodies.as_ptr(), bodies.len() as u64);
        let workspace = ffi::lanefold_workspace_create();
        let status = ffi::lanefold_collide4(
            hulls.0,
            &view,
            pairs.as_ptr(),
            pairs.len() as u64,
            std::ptr::null(),
            out.as_mut_ptr(),
            workspace,
            std::ptr::null_mut(),
        );
        ffi::lanefold_workspace_free(workspace);
        check(status)?;
    }
    Ok(out)
}

fn main() -> Result<(), String> {
    assert_eq!(std::mem::size_of::<ffi::Manifold4>(), 128);
    println!("lanefold {}", unsafe { CStr::from_ptr(ffi::lanefold_version()) }.to_string_lossy());
    let side = |bit: bool| if bit { 1.0 } else { -1.0 };
    let cube: Vec<[f32; 3]> = (0..8).map(|i| [side(i & 1 != 0), side(i & 2 != 0), side(i & 4 != 0)]).collect();
    let hulls = Hulls::build(&cube, &[0, 8])?;
    let body = |z| ffi::Body { position: [0.0, 0.0, z], hull: 0, orientation: [0.0, 0.0, 0.0, 1.0] };
    let pairs = [ffi::Pair { a: 0, b: 1 }, ffi::Pair { a: 0, b: 2 }];
    let contacts = collide(&hulls, &[body(0.0), body(1.5), body(9.0)], &pairs)?;
    assert_eq!(contacts[0].distance, -0.5);
    assert_eq!(contacts[0].normal, [0.0, 0.0, 1.0]);
    assert_eq!((contacts[0].count, contacts[1].kind), (4, 0));
    assert!(contacts[0].points[..4].iter().all(|p| p.separation == -0.5));
    // Four points in a plane are no hull: the reason comes through.
    let refused = Hulls::build(&cube[..4], &[0, 4]).err().expect("a flat hull is refused");
    println!("refused: {refused}");
    Ok(())
}
