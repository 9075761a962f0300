/** A constant of the ranking as it is kept in profile.ts and judging-constants.ts. */
export type RankingConstant = {
  readonly value: number;
  /** What the value was derived from. */
  readonly reason: string;
};
