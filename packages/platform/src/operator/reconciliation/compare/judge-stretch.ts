import type { ClientBase } from 'pg';
import { subjectOf } from '../fields.ts';
import type { Run } from '../run/run.ts';
import { compareFact, type Fact, type Verdict } from './compare.ts';
import { type Candidate, countPlayers, findDiffering, lockLookUps, nextStretch, readFacts } from './fact-store.ts';
import { lookUpsOf } from './facts.ts';

/**
 * The number of players that one transaction reads, and the maximum that it may correct. Such a transaction takes some 50 to
 * 200 ms.
 */
const stretchSize = 10_000;
const mostDiffering = 1_000;

/** A run whose list is complete. */
export type ComparedRun = Run & { as_of: number };

/** A player for whom list and platform differ. */
export interface Judged extends Candidate, Fact {
  verdict: Exclude<Verdict, 'agrees'>;
}

export interface JudgedStretch {
  /** The last user_id that was read; null if there are no more players. */
  end: string | null;
  players: number;
  judged: Judged[];
}

/**
 * Reads the players after `run.position` and judges those who differ. It locks the rows that look-ups of these players write
 * before it reads them, so the verdicts are valid until the transaction ends.
 */
export async function judgeStretch(tx: ClientBase, run: ComparedRun): Promise<JudgedStretch> {
  const { brand_id, field, as_of, position } = run;
  const stretch = await nextStretch(tx, brand_id, position, stretchSize);
  if (stretch === null) return { end: null, players: 0, judged: [] };
  const found = await findDiffering(tx, run, { after: position, end: stretch.end, limit: mostDiffering });
  const last = found.length === mostDiffering ? found.at(-1)?.user_id : undefined;
  const players = last === undefined ? stretch.players : await countPlayers(tx, brand_id, position, last);
  const { about } = subjectOf(field);
  const playerIds = found.map(({ player_id }) => player_id);
  if (playerIds.length > 0) await lockLookUps(tx, playerIds, lookUpsOf(about));
  const facts = await readFacts(tx, field, playerIds);
  const judged = found.flatMap((candidate): Judged[] => {
    const fact = facts.get(candidate.player_id) ?? { we_say: null, since: null };
    const verdict = compareFact(about, fact, candidate.listed, as_of);
    return verdict === 'agrees' ? [] : [{ ...candidate, ...fact, verdict }];
  });
  return { end: last ?? stretch.end, players, judged };
}
