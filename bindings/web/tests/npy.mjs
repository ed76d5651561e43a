// SPDX-License-Identifier: MIT
//
// Reads little-endian .npy arrays, as the stored scenes have them.
import { readFileSync } from "node:fs";

const TYPES = { "<f4": Float32Array, "<f8": Float64Array, "<u4": Uint32Array, "<u8": BigUint64Array };

export function readNpy(path) {
  const bytes = readFileSync(path);
  if (bytes.toString("latin1", 1, 6) !== "NUMPY") throw new Error(`${path} is no .npy file`);
  const long = bytes[6] >= 2;
  const start = long ? 12 : 10;
  const length = long ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8);
  const header = bytes.toString("latin1", start, start + length);
  const type = TYPES[/'descr': '([^']+)'/.exec(header)[1]];
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(",").filter((x) => x.trim()).map(Number);
  const data = new Uint8Array(bytes.subarray(start + length)).slice().buffer;
  return { shape, values: new type(data) };
}
