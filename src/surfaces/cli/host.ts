/** What the command line needs from the process around it, so that it can be run inside a test. main.ts fills it. */

import type { InputField } from '../../operations/input-field.js';
import type { OperationContext } from '../../operations/operation.js';

/** A place where text goes: stdout or stderr. */
export type Outlet = {
  readonly isTerminal: boolean;
  /** Width of the terminal; meaningless elsewhere. */
  readonly columns: number;
  readonly write: (text: string) => void;
};

export type ContextSettings = {
  /** The folder given with `--vault`. */
  readonly vault: string | undefined;
  readonly signal: AbortSignal;
  readonly report: OperationContext['report'];
  readonly notice: OperationContext['notice'];
  readonly confirm?: OperationContext['confirm'];
};

/** A context for calls, and the end of what it opened. */
export type OpenContext = { readonly context: OperationContext; readonly close: () => Promise<void> };

/** A command that runs until it is told to stop and is no operation, such as `rpc`. */
export type Program = {
  readonly name: string;
  readonly summary: string;
  readonly fields: readonly InputField[];
  /** Fields that are given without their names, in this order. */
  readonly positional?: readonly string[];
  readonly examples: readonly Example[];
  /** Returns the exit code. */
  readonly run: (settings: ProgramSettings) => Promise<number>;
};

export type ProgramSettings = {
  readonly vault: string | undefined;
  readonly input: Readonly<Record<string, unknown>>;
  readonly notice: (text: string) => void;
  readonly json: boolean;
  readonly quiet: boolean;
};

/** A command line that works, and what it is for. */
export type Example = { readonly command: string; readonly purpose: string };

export type CommandLineHost = {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly stdout: Outlet;
  readonly stderr: Outlet;
  readonly readStdin: () => Promise<string>;
  /** Whether a person types what comes from stdin. */
  readonly isStdinTerminal: () => boolean;
  /** A line that a person types; undefined where stdin ends or the signal says stop first. */
  readonly readLine: () => Promise<string | undefined>;
  /** Aborted when the person asks to stop. */
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly openContext: (settings: ContextSettings) => OpenContext;
  /** Absolute path of the vault that commands would use. */
  readonly findVault: (vault: string | undefined) => Promise<string>;
  readonly programs: readonly Program[];
};
