/** What connecting a client to a vault takes and tells. What is done with files: adapters/client-config. */

/** Programs that can be told of a vault. `git` learns to merge notes. */
export const CLIENT_NAMES = [
  'claude-code',
  'claude-desktop',
  'codex',
  'cursor',
  'vscode',
  'zed',
  'opencode',
  'gemini-cli',
  'windsurf',
  'git',
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

export type ConnectInput = {
  readonly client?: ClientName | undefined;
  readonly write: boolean;
  readonly remove: boolean;
  readonly list: boolean;
  /** A project: its own configuration files and instructions instead of the user's and the vault's. */
  readonly folder?: string | undefined;
  /** The configuration file, where it is not in its usual place. */
  readonly file?: string | undefined;
  /** What the server is called in configurations. */
  readonly name: string;
  readonly instructions: boolean;
};

export type FileChange = {
  readonly path: string;
  readonly action: 'create' | 'change' | 'delete';
  readonly diff: string;
  /** The copy of the file as it was before; empty where none is kept. */
  readonly backup: string;
};

export type Connection = {
  readonly client: ClientName;
  readonly path: string;
  readonly state: 'connected' | 'not connected' | 'no file' | 'unreadable';
  /** Where connected, the vault. */
  readonly vault: string;
  /** Why a file is unreadable. */
  readonly reason: string;
};

export type ConnectOutput = {
  readonly changes: readonly FileChange[];
  /** Whether the changes were made. */
  readonly written: boolean;
  /** With `list`. */
  readonly connections: readonly Connection[];
  /** What is left to do for a person, in a line. */
  readonly next: string;
};
