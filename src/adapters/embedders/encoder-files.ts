/**
 * The folder of a sentence encoder: config.json, tokenizer.json, tokenizer_config.json and onnx/model*.onnx, as
 * repositories of the hub have them. What they say of the model is read by folder-facts.ts.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ModelFacts } from './model-facts.js';
import { ModelFile } from './model-file.js';

type Dtype = ModelFacts['dtype'];

const ONNX_FILES: Readonly<Record<Dtype, string>> = {
  fp32: 'onnx/model.onnx',
  q8: 'onnx/model_quantized.onnx',
  fp16: 'onnx/model_fp16.onnx',
  q4: 'onnx/model_q4.onnx',
};
const BESIDE = ['config.json', 'tokenizer.json', 'tokenizer_config.json'];

/** From the beginning and from the end of each file. */
const HASHED_BYTES = 1 << 20;

/** In which forms the weights are there, the exactest first. */
export function dtypesIn(folder: string): readonly Dtype[] {
  return (Object.keys(ONNX_FILES) as Dtype[]).filter((dtype) => existsSync(join(folder, ONNX_FILES[dtype])));
}

/** Whether the folder is meant to hold an encoder; files of it may be missing. */
export function holdsEncoder(folder: string): boolean {
  return dtypesIn(folder).length > 0 && existsSync(join(folder, 'config.json'));
}

export function missingFiles(folder: string, dtype: Dtype): readonly string[] {
  return [...BESIDE, ONNX_FILES[dtype]].filter((name) => !existsSync(join(folder, name)));
}

/** Weights of more than two gigabytes lie in files beside the ONNX file. */
export function encoderFiles(folder: string, dtype: Dtype): readonly string[] {
  const onnx = ONNX_FILES[dtype];
  const start = `${basename(onnx)}_data`;
  const aside = readdirSync(join(folder, dirname(onnx))).filter((name) => name.startsWith(start));
  return [...BESIDE, onnx, ...aside.sort().map((name) => `${dirname(onnx)}/${name}`)];
}

/**
 * Tells models apart by the sizes of their files and by what these begin and end with: hashing all of them would take
 * seconds, and another training changes every weight.
 */
export function hashEncoderFiles(folder: string, dtype: Dtype): string {
  const hash = createHash('sha256');
  for (const name of encoderFiles(folder, dtype)) {
    const file = ModelFile.open(join(folder, name));
    try {
      hash.update(`${name}\n${file.bytes}\n`);
      const head = Math.min(file.bytes, HASHED_BYTES);
      const tail = Math.min(file.bytes - head, HASHED_BYTES);
      for (const [from, length] of [
        [0, head],
        [file.bytes - tail, tail],
      ] as const) {
        const bytes = new Uint8Array(length);
        file.read(bytes, from, length, from);
        hash.update(bytes);
      }
    } finally {
      file.close();
    }
  }
  return hash.digest('hex');
}
