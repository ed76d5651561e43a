// SPDX-License-Identifier: MIT

/** Names of contact kinds, by their number in `Contacts.kind`. */
export const KINDS: readonly string[];

/** Names of outcomes, by their number in `Contacts.status`. */
export const STATUSES: readonly string[];

type Numbers = ArrayLike<number>;

/** A set of hulls and half-spaces in the engine's memory. A body names one by its index. */
export interface Hulls {
  readonly size: number;
  /** Of all bits of the set: 16 hexadecimal digits, equal on every machine. */
  readonly fingerprint: string;
  /** A new set, with those of `more` behind these. Both old sets stay. */
  append(more: Hulls): Hulls;
  /** Gives the memory back. Other sets that share hulls keep them. */
  free(): void;
}

/** N bodies. */
export interface Bodies {
  /** 3 N: where the origin of the hull's coordinates is, in your unit. */
  position: Numbers;
  /** 4 N: unit quaternions (x, y, z, w). */
  orientation: Numbers;
  /** N: indices of the set. */
  hull: Numbers;
}

export interface CollideOptions {
  /** Pairs within this distance touch, in your unit. 0 by default. */
  margin?: number;
  /** How much deeper a face may be than another axis and still give the normal, relative to the smaller hull's size. */
  facePreference?: number;
  /** Points of a contact: 4 (default), 16, or 0 for distances and normals alone. */
  capacity?: 0 | 4 | 16;
}

/** `count` contacts, in the order of their pairs; C is the capacity. */
export interface Contacts {
  readonly count: number;
  /** Index of each contact's pair in the call's pairs. */
  readonly candidate: Uint32Array;
  /** 2 a contact: bodies a and b. */
  readonly pair: Uint32Array;
  /** 3 a contact: unit vector from a to b, world axes. */
  readonly normal: Float32Array;
  /** Signed: negative where the bodies overlap. */
  readonly distance: Float32Array;
  readonly kind: Uint8Array;
  readonly status: Uint8Array;
  /** 2 a contact: the feature of a and of b; `kind` says which. */
  readonly feature: Uint32Array;
  /** Number of points, at most C. */
  readonly points: Uint8Array;
  /** 3 C a contact: offsets from the position of body a, midway between the surfaces. */
  readonly point: Float32Array;
  /** C a contact: separation at each point, along the normal. */
  readonly separation: Float32Array;
  /** C a contact: stable ids of the points. */
  readonly id: Uint32Array;
}

export interface CollideResult {
  readonly contacts: Contacts;
  readonly touching: number;
  readonly overlapping: number;
  readonly points: number;
  /** Of all records: 16 hexadecimal digits, equal on every machine. */
  readonly hash: string;
  /** The hash that `lanefold collide` prints for a scene with this frame alone. */
  readonly frameHash: string;
}

export interface Lanefold {
  /**
   * The convex hulls of point clouds, each 3 numbers a point. With a radius (one, or one a hull) they are rounded: one
   * point is a sphere, two are a capsule. Throws a RangeError that names the hull that is none.
   */
  buildHulls(pointsOfHulls: Iterable<Numbers>, options?: { radius?: number | Numbers }): Hulls;
  /** Half-spaces of 4 numbers each: a normal out of the solid side, and its offset. */
  buildHalfSpaces(planes: Numbers): Hulls;
  /** Contacts of pairs of bodies (2 indices each). Throws a RangeError for arguments that do not fit. */
  collide(hulls: Hulls, bodies: Bodies, pairs: Numbers, options?: CollideOptions): CollideResult;
}

/** Starts the engine; one is enough for all calls. */
export function load(): Promise<Lanefold>;
