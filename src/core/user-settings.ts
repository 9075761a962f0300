/**
 * The text of the user's own settings, a YAML map of plain values. Which file that is, app/user-config.ts knows; what
 * needs a YAML library is in yaml-settings.ts.
 */

/** Of the values that are texts, numbers or switches; as they are written. */
export type UserSettings = ReadonlyMap<string, string>;

/** `key: value` of words that mean nothing else in YAML. */
const PLAIN_LINE = /^([a-z][a-z-]*):[ \t]+([A-Za-z0-9./][\w./+-]*(?::[\w./+-]+)*)[ \t]*$/;
const EMPTY_LINE = /^[ \t]*(#.*)?$/;

/** Throws `invalid_input` for what is no YAML map; `name` is how people know the text. */
export async function parseSettings(text: string, name: string): Promise<UserSettings> {
  return parsePlainLines(text) ?? (await import('./yaml-settings.js')).parseYamlSettings(text, name);
}

/** The text with one value set; comments, order and keys of others stay. */
export async function changeSetting(text: string, name: string, key: string, value: string): Promise<string> {
  return (await import('./yaml-settings.js')).changeYamlSetting(text, name, key, value);
}

/** Without the YAML library, which costs a search more than everything else here. Undefined where that is not enough. */
function parsePlainLines(text: string): UserSettings | undefined {
  const settings = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (EMPTY_LINE.test(line)) continue;
    const [, key, value] = PLAIN_LINE.exec(line) ?? [];
    if (key === undefined || value === undefined || settings.has(key)) return undefined;
    settings.set(key, value);
  }
  return settings;
}
