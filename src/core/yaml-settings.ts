/** Settings that need a YAML library: read where they are more than plain lines, and changed without touching the rest. */

import { isMap, isScalar, parseDocument } from 'yaml';
import { MemoryError } from './errors.js';
import type { UserSettings } from './user-settings.js';

export function parseYamlSettings(text: string, name: string): UserSettings {
  const { contents } = parseMap(text, name);
  const settings = new Map<string, string>();
  if (!isMap(contents)) return settings;
  for (const { key, value } of contents.items) {
    if (isScalar(key) && isScalar(value) && value.value !== null)
      settings.set(String(key.value), value.source ?? String(value.value));
  }
  return settings;
}

export function changeYamlSetting(text: string, name: string, key: string, value: string): string {
  const document = parseMap(text, name);
  const before = document.get(key, true);
  // The node itself stays, since a comment may hang on it.
  if (isScalar(before)) before.value = value;
  else document.set(key, value);
  const changed = document.toString({ lineWidth: 0 });
  return text.includes('\r\n') ? changed.replace(/\r?\n/g, '\r\n') : changed;
}

function parseMap(text: string, name: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error !== undefined) {
    const line = error.linePos?.[0].line ?? 1;
    const [reason = ''] = error.message.split(/ at line |:?\n/);
    throw broken(name, `line ${line}: ${reason}`);
  }
  if (document.contents === null || isMap(document.contents)) return document;
  throw broken(name, 'it is no list of `key: value`');
}

function broken(name: string, reason: string): MemoryError {
  return new MemoryError('invalid_input', `The settings in "${name}" cannot be read: ${reason}`, {
    hint: 'Mend that in an editor, or move the file away.',
    details: { path: name },
  });
}
