/** What follow-vault.ts is told, and what it tells. */

export type FollowEvent =
  /** The index is up to date. Told of the first look, and then of each that found changes. `notes`: in the index. */
  | {
      readonly kind: 'looked';
      readonly indexed: number;
      readonly moved: number;
      readonly removed: number;
      readonly notes: number;
      readonly skipped: number;
      readonly ms: number;
    }
  | { readonly kind: 'notice'; readonly text: string }
  /** The vault or its index cannot be used now. Told once; it goes on by itself. */
  | { readonly kind: 'waiting'; readonly message: string; readonly hint: string }
  /** What was waited for is there. */
  | { readonly kind: 'back' }
  /** The system tells of no changes, so that only looking now and then finds them. */
  | { readonly kind: 'polling'; readonly reason: string };

export type FollowOptions = {
  /** Ends it, after the look in hand. */
  readonly signal: AbortSignal;
  readonly tell: (event: FollowEvent) => void;
  /** Look every few seconds instead of asking the system for events. */
  readonly poll?: boolean | undefined;
};
