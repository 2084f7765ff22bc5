import type { ClientBase } from 'pg';
import { awaitAll } from '../../../database/index.ts';
import type { DerivedTable } from '../../derivation.ts';
import { decide, groundOf, onlyGrows, type SessionDecision } from './decide.ts';
import type { SessionRoundChange } from './session-round.ts';
import { loadSessions, loadStretches, sessionTable } from './store.ts';
import { tracksOf } from './tracks.ts';

/** Sessions are part of the derivation of rounds, because they are made only of rounds. */
export const sessionTables: readonly DerivedTable[] = [{ name: sessionTable.name }];

/**
 * Updates game and play sessions after rounds changed. Call it once per batch, after the rounds were saved in the same
 * transaction. If a session may split, it reads the rounds of that session again from the table `round`.
 */
export async function changeSessions(tx: ClientBase, changes: readonly SessionRoundChange[]): Promise<void> {
  const works = tracksOf(changes);
  if (works.length === 0) return;
  const held = await loadSessions(tx, works);
  const shrinking = works.flatMap((work, place) =>
    onlyGrows(work) ? [] : [{ place, work, ground: groundOf(work, held[place] ?? []) }],
  );
  const reread =
    shrinking.length === 0
      ? []
      : await loadStretches(
          tx,
          shrinking.map(({ work }) => work),
          shrinking.map(({ ground }) => ground),
        );
  const stretches = new Map(shrinking.map(({ place }, i) => [place, reread[i] ?? []]));
  const decision: SessionDecision = { changed: [], gone: [] };
  works.forEach((work, place) => {
    const { changed, gone } = decide(work, held[place] ?? [], stretches.get(place));
    decision.changed.push(...changed);
    decision.gone.push(...gone);
  });
  await awaitAll([sessionTable.remove(tx, decision.gone), sessionTable.save(tx, decision.changed)]);
}

export { type ListedSession, listSessions, type SessionFilter, type SessionPlace } from './list.ts';
export { readSessionTotals } from './read.ts';
export { type SessionScope, sessionScopes } from './session.ts';
export { longEndOf, type SessionRound, type SessionRoundChange } from './session-round.ts';
