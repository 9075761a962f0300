/**
 * SHA-256 (FIPS 180-4), in AssemblyScript, over whole blocks: src/adapters/vault-fs/sha-256.ts brings the bytes, pads the
 * last of them and reads the state. `npm run kernel` compiles this into sha-256-code.ts there.
 */

const BLOCK_BYTES: usize = 64;

// biome-ignore format: eight to a line, as the standard has them
const constants: usize = memory.data<u32>([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/** Eight words. */
export const state: usize = memory.data(32, 16);
const schedule: usize = memory.data(256, 16);
/** Where blocks are put, 32 kB of them. */
export const blocks: usize = memory.data(32768, 16);

export function begin(): void {
  store<u32>(state, 0x6a09e667, 0);
  store<u32>(state, 0xbb67ae85, 4);
  store<u32>(state, 0x3c6ef372, 8);
  store<u32>(state, 0xa54ff53a, 12);
  store<u32>(state, 0x510e527f, 16);
  store<u32>(state, 0x9b05688c, 20);
  store<u32>(state, 0x1f83d9ab, 24);
  store<u32>(state, 0x5be0cd19, 28);
}

/** Takes in so many bytes of what lies at `blocks`, a multiple of 64. */
export function take(size: usize): void {
  const end = blocks + size;
  for (let block = blocks; block < end; block += BLOCK_BYTES) takeBlock(block);
}

function takeBlock(block: usize): void {
  for (let i: usize = 0; i < 64; i += 4) store<u32>(schedule + i, bswap<u32>(load<u32>(block + i)));
  for (let i: usize = 64; i < 256; i += 4) {
    const at = schedule + i;
    const x = load<u32>(at - 60);
    const y = load<u32>(at - 8);
    const s0 = rotr<u32>(x, 7) ^ rotr<u32>(x, 18) ^ (x >> 3);
    const s1 = rotr<u32>(y, 17) ^ rotr<u32>(y, 19) ^ (y >> 10);
    store<u32>(at, load<u32>(at - 64) + s0 + load<u32>(at - 28) + s1);
  }
  let a = load<u32>(state, 0);
  let b = load<u32>(state, 4);
  let c = load<u32>(state, 8);
  let d = load<u32>(state, 12);
  let e = load<u32>(state, 16);
  let f = load<u32>(state, 20);
  let g = load<u32>(state, 24);
  let h = load<u32>(state, 28);
  for (let i: usize = 0; i < 256; i += 4) {
    const s1 = rotr<u32>(e, 6) ^ rotr<u32>(e, 11) ^ rotr<u32>(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + load<u32>(constants + i) + load<u32>(schedule + i);
    const s0 = rotr<u32>(a, 2) ^ rotr<u32>(a, 13) ^ rotr<u32>(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  store<u32>(state, load<u32>(state, 0) + a, 0);
  store<u32>(state, load<u32>(state, 4) + b, 4);
  store<u32>(state, load<u32>(state, 8) + c, 8);
  store<u32>(state, load<u32>(state, 12) + d, 12);
  store<u32>(state, load<u32>(state, 16) + e, 16);
  store<u32>(state, load<u32>(state, 20) + f, 20);
  store<u32>(state, load<u32>(state, 24) + g, 24);
  store<u32>(state, load<u32>(state, 28) + h, 28);
}
