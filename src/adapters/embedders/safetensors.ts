/**
 * Tensors of a .safetensors file: a uint64 with the length of a JSON header, the header (name, dtype, shape, place of
 * each tensor), then the numbers, little-endian. Rows are read one by one or all at once, as float32. For model2vec.ts.
 */

import { MemoryError } from '../../core/errors.js';
import { ANOTHER_MODEL, damaged, isObject, ModelFile, parseObject } from './model-file.js';

const LENGTH_BYTES = 8;
/** The format's own limit. */
const MOST_HEADER_BYTES = 100_000_000;
const NUMBERS_A_READ = 1 << 18;

type Decode = (view: DataView, at: number) => number;

const KINDS: Readonly<Record<string, { readonly bytes: number; readonly decode: Decode }>> = {
  F64: { bytes: 8, decode: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, decode: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, decode: (view, at) => halfToNumber(view.getUint16(at, true)) },
  I64: { bytes: 8, decode: (view, at) => Number(view.getBigInt64(at, true)) },
  I32: { bytes: 4, decode: (view, at) => view.getInt32(at, true) },
  I8: { bytes: 1, decode: (view, at) => view.getInt8(at) },
};

export function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

export type Tensor = {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Of its first byte in the file. */
  readonly offset: number;
};

export type TensorFile = {
  readonly file: ModelFile;
  readonly header: string;
  readonly tensors: ReadonlyMap<string, Tensor>;
};

export function openTensors(path: string): TensorFile {
  const file = ModelFile.open(path);
  try {
    return { file, ...readHeader(file) };
  } catch (error) {
    file.close();
    throw error;
  }
}

function readHeader(file: ModelFile) {
  if (file.bytes < LENGTH_BYTES) throw damaged(file.path, 'it is too short');
  const start = Buffer.alloc(LENGTH_BYTES);
  file.read(start, 0, LENGTH_BYTES);
  const length = Number(start.readBigUInt64LE());
  if (length > MOST_HEADER_BYTES || length > file.bytes - LENGTH_BYTES) {
    throw damaged(file.path, 'its header is longer than the file');
  }
  const text = Buffer.alloc(length);
  file.read(text, LENGTH_BYTES, length, LENGTH_BYTES);
  const header = text.toString('utf8');
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(parseObject(file.path, header))) {
    if (name !== '__metadata__') tensors.set(name, readTensor(file, LENGTH_BYTES + length, name, entry));
  }
  return { header, tensors };
}

function readTensor(file: ModelFile, base: number, name: string, entry: unknown): Tensor {
  const { dtype, shape, data_offsets: place } = isObject(entry) ? entry : {};
  const isSound =
    typeof dtype === 'string' &&
    Array.isArray(shape) &&
    shape.every((size) => Number.isSafeInteger(size) && size >= 0) &&
    Array.isArray(place) &&
    place.length === 2 &&
    place.every((offset) => Number.isSafeInteger(offset) && offset >= 0 && base + offset <= file.bytes);
  if (!isSound) throw damaged(file.path, `the header's entry of the tensor "${name}" makes no sense`);
  const sizes = shape as number[];
  const [from, to] = place as [number, number];
  const kind = KINDS[dtype];
  if (kind !== undefined && to - from !== sizes.reduce((product, size) => product * size, kind.bytes)) {
    throw damaged(file.path, `the tensor "${name}" has another size than its shape`);
  }
  return { name, dtype, shape: sizes, offset: base + from };
}

/** Numbers of a tensor, from number `from` on, into `target`. */
export function readNumbers(
  file: ModelFile,
  tensor: Tensor,
  from: number,
  target: { [at: number]: number; readonly length: number },
): void {
  const kind = KINDS[tensor.dtype];
  if (kind === undefined) {
    throw new MemoryError(
      'unavailable',
      `The tensor "${tensor.name}" of "${file.path}" holds ${tensor.dtype}, which is not supported (${Object.keys(KINDS).join(', ')} are)`,
      { hint: ANOTHER_MODEL },
    );
  }
  const { bytes, decode } = kind;
  for (let at = 0; at < target.length; at += NUMBERS_A_READ) {
    const count = Math.min(NUMBERS_A_READ, target.length - at);
    const place = tensor.offset + (from + at) * bytes;
    const buffer = Buffer.alloc(count * bytes);
    file.read(buffer, place, buffer.length, place);
    const view = new DataView(buffer.buffer, buffer.byteOffset);
    for (let i = 0; i < count; i++) target[at + i] = decode(view, i * bytes);
  }
}
