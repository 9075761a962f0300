/** The product as its callers see it: one method per use case, each in a file of its own in this folder. */

import type { FollowOptions } from './follow-options.js';
import type { DoctorInput, DoctorOutput, ReindexInput, ReindexOutput, StatusOutput } from './index-types.js';
import type {
  LinksInput,
  LinksOutput,
  RecentInput,
  RecentOutput,
  ShowInput,
  ShowOutput,
  TagsInput,
  TagsOutput,
} from './reading-types.js';
import type {
  CalibrateOutput,
  EvalInput,
  EvalOutput,
  ExplainInput,
  ExplainOutput,
  SearchInput,
  SearchOutput,
} from './search-types.js';
import type {
  AddInput,
  AddOutput,
  ClaimInput,
  ClaimOutput,
  DeleteInput,
  DeleteOutput,
  EditInput,
  EditOutput,
  MoveInput,
  MoveOutput,
  OpenInput,
  OpenOutput,
  UndoInput,
  UndoOutput,
} from './writing-types.js';

/** Progress of a long call, for whoever listens. */
export type Progress = {
  readonly done: number;
  readonly total: number;
  readonly path?: string;
  /** What is counted: notes unless given. */
  readonly unit?: 'notes' | 'passages' | 'bytes';
  /** As the caller measures it; undefined where the listener shall. */
  readonly perSecond?: number;
  readonly secondsLeft?: number;
};

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  readonly report?: ((progress: Progress) => void) | undefined;
  /** One line for people about something out of the ordinary; goes to stderr. */
  readonly notice?: ((text: string) => void) | undefined;
  /** Asks a person for a yes; undefined where nobody can be asked. */
  readonly confirm?: ((question: string) => Promise<boolean>) | undefined;
};

/** An opened vault with its index. */
export interface Memory {
  search(input: SearchInput, options?: CallOptions): Promise<SearchOutput>;
  reindex(input: ReindexInput, options?: CallOptions): Promise<ReindexOutput>;
  show(input: ShowInput, options?: CallOptions): Promise<ShowOutput>;
  status(options?: CallOptions): Promise<StatusOutput>;
  /** Finds the thresholds of the bands of confidence for this vault and its models, and keeps them with the index. */
  explain(input: ExplainInput, options?: CallOptions): Promise<ExplainOutput>;
  calibrate(options?: CallOptions): Promise<CalibrateOutput>;
  links(input: LinksInput, options?: CallOptions): Promise<LinksOutput>;
  tags(input: TagsInput, options?: CallOptions): Promise<TagsOutput>;
  recent(input: RecentInput, options?: CallOptions): Promise<RecentOutput>;
  doctor(input: DoctorInput, options?: CallOptions): Promise<DoctorOutput>;
  /** On the vault's own golden questions; collections need no memory (core/evaluation). */
  eval(input: EvalInput, options?: CallOptions): Promise<EvalOutput>;
  add(input: AddInput, options?: CallOptions): Promise<AddOutput>;
  edit(input: EditInput, options?: CallOptions): Promise<EditOutput>;
  move(input: MoveInput, options?: CallOptions): Promise<MoveOutput>;
  delete(input: DeleteInput, options?: CallOptions): Promise<DeleteOutput>;
  undo(input: UndoInput, options?: CallOptions): Promise<UndoOutput>;
  open(input: OpenInput, options?: CallOptions): Promise<OpenOutput>;
  claim(input: ClaimInput, options?: CallOptions): Promise<ClaimOutput>;
  /** Keeps the index fresh, and the other calls' answers with it, until the signal says stop. Once at a time. */
  follow(options: FollowOptions): Promise<void>;
  /** Frees what the model of meaning holds; the next call that needs it loads it again. */
  release(): Promise<void>;
  close(): Promise<void>;
}
