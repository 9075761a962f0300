/** What goes into and comes out of the care for an index: reindex, status, doctor; the methods are those of memory.ts. */

import type { SkippedFile } from '../ports.js';
import type { FindingKind } from './finding-kinds.js';

export type ReindexInput = {
  readonly verify?: boolean | undefined;
  readonly wait?: boolean | undefined;
};

export type ReindexOutput = {
  readonly indexed: number;
  readonly unchanged: number;
  readonly moved: number;
  readonly removed: number;
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  /** Of the further model, where one is set: passages that got a vector, and those without one. */
  readonly embedded?: number;
  readonly pending?: number;
  readonly failed?: number;
  readonly ms: number;
};

export type StatusOutput = {
  readonly notes: number;
  readonly ignored: number;
  readonly skipped: readonly SkippedFile[];
  readonly passages: number;
  readonly links: number;
  readonly indexBytes: number;
  readonly schema: number;
  /** ISO moment of the last complete comparison with the vault; empty when there was none. */
  readonly lastCheck: string;
  readonly vault: string;
  /** Of meaning; empty for none. */
  readonly model: string;
  /** Passages with a vector and without one, and vectors that no passage has. */
  readonly embedded: number;
  readonly pending: number;
  readonly stale: number;
  readonly vectorBytes: number;
  /** Where one is set. Of its pending passages it refused `failed`. */
  readonly further?: {
    readonly model: string;
    readonly embedded: number;
    readonly pending: number;
    readonly failed: number;
    readonly stale: number;
    readonly bytes: number;
  };
  /** That the profile `precise` asks, by its name; where one is chosen that is there. */
  readonly reranker?: string;
  /** ISO moment of the calibration that searches go by; empty where the usual thresholds hold. */
  readonly calibrated: string;
  /** How many notes there were then. */
  readonly calibratedNotes: number;
  /** As in DoctorOutput. */
  readonly lockedBy: string;
  readonly orphans: readonly string[];
};

export type DoctorInput = {
  /** Only what concerns this note. */
  readonly note?: string | undefined;
  /** Most findings to list of each kind; 20 unless given. Totals count all. */
  readonly limit?: number | undefined;
};

export type FindingItem = {
  readonly path: string;
  /** Counted from 1; 0 where the whole note is meant. */
  readonly line: number;
  readonly message: string;
  /** The command or edit that mends it. */
  readonly fix: string;
};

export type DoctorOutput = {
  readonly vault: string;
  readonly notes: number;
  readonly findings: readonly {
    readonly kind: FindingKind;
    readonly total: number;
    readonly items: readonly FindingItem[];
  }[];
  readonly index: {
    readonly place: string;
    readonly schema: number;
    readonly bytes: number;
    readonly lastCheck: string;
    /** Process and host that write to it now; empty where nobody does. */
    readonly lockedBy: string;
    /** Files beside it that no run needs: remains of killed rebuilds, indexes of other versions. */
    readonly orphans: readonly string[];
  };
};
