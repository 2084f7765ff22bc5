import type { Micros } from '@croupier/contracts';
import type { ClientBase } from 'pg';
import { awaitAll, databaseTime } from '../../../database/index.ts';
import type { FieldProblem, Found, LookUp } from '../../judging/index.ts';
import { insertRecordChanges, noteProtection } from '../../protection/index.ts';
import { type HeldTypes, meetLookUps } from '../own-changes/meet-look-ups.ts';
import { readOpenItems, writeMetItems } from '../own-changes/open-item-store.ts';
import { noteSegmentation } from '../segmentation/catalog.ts';
import { type LookUpClaim, lockHeldClaims, type Settlement, settle } from '../sync/claim-store.ts';
import { mergeBlocks } from './merge-blocks.ts';
import { mergeConsents } from './merge-consents.ts';
import { mergeProfile } from './merge-profile.ts';
import { replaceProblems } from './problem-store.ts';
import { readBlocks, readConsents, readProfiles, writeBlocks, writeConsents, writeProfiles } from './record-store.ts';
import type { AnswerTimes, BlockRow, ConsentRow, ProfileRow } from './rows.ts';

type Failed = Omit<Extract<Settlement, { failure: unknown }>, 'player_id' | 'look_up' | 'request'>;

/** How a claimed look-up ended. */
export interface LookUpResult {
  claim: LookUpClaim;
  outcome: { found: Found; problems: readonly FieldProblem[]; asked_at: Micros } | Failed;
}

/** Answers of one batch that may be written, with what was known before. */
type Answer<L extends LookUp> = {
  player_id: number;
  brand_id: number;
  record: Extract<Found, { look_up: L }>['record'];
  times: AnswerTimes;
};

/** The outcome of a batch. Results in neither list had lost their claim: another worker handles those look-ups. */
export interface Applied {
  written: LookUpResult[];
  /** Results whose rows are locked at the moment. Try them again. */
  busy: LookUpResult[];
  /** Players with an answered look-up that an update event had requested. Their other look-ups may still be open. */
  renewed: number[];
}

/**
 * Writes the results of look-ups whose claims still hold, in the caller's transaction: records, problems, and the next due
 * time.
 *
 * The first round trip locks the claims and reads what was known before, and the second one writes. A batch that changes records
 * needs a third one, because their protection may have changed. Derive waits for the locked rows if it requests another look-up of
 * these players, and on a busy worker, each round trip takes longer than its statements.
 */
export async function applyResults(tx: ClientBase, results: readonly LookUpResult[]): Promise<Applied> {
  const playersOf = (...lookUps: LookUp[]) =>
    results.flatMap(({ claim: { player_id, look_up }, outcome }) =>
      'found' in outcome && lookUps.includes(look_up) ? [player_id] : [],
    );
  // Statements run in the order in which they are sent. So the reads see the claims' rows locked.
  const [{ held, busy }, openItems, oldProfiles, oldConsents, oldBlocks, databaseAt] = await awaitAll([
    lockHeldClaims(
      tx,
      results.map(({ claim }) => claim),
    ),
    readOpenItems(tx, playersOf('consents', 'blocks')),
    readProfiles(tx, playersOf('details')),
    readConsents(tx, playersOf('consents')),
    readBlocks(tx, playersOf('blocks')),
    databaseTime(tx),
  ]);
  const heldRows = new Map(held.map((row) => [keyOf(row), row]));
  const busyKeys = new Set(busy.map(keyOf));
  const applied = results.flatMap((result) => {
    const row = heldRows.get(keyOf(result.claim));
    return row ? [{ ...result, before: row.as_of, news: row.news, news_at: row.news_at, silent: row.silent }] : [];
  });
  const found = applied.flatMap(({ claim, outcome, before }) =>
    'found' in outcome ? [{ claim, ...outcome, times: { asked_at: outcome.asked_at, before } }] : [],
  );
  const details = of(found, 'details');
  const consents = of(found, 'consents');
  const blocks = of(found, 'blocks');
  const { heldTypes, updates } = meetLookUps(
    openItems,
    found.map(({ claim: { player_id, request }, asked_at, found: record }) => ({
      player_id,
      request,
      asked_at,
      found: record,
    })),
  );
  const profiles = changedProfiles(details, oldProfiles);
  const newConsents = changedConsents(consents, oldConsents, heldTypes);
  const newBlocks = changedBlocks(blocks, oldBlocks, heldTypes);
  const { flags, others } = profiles;
  const changed = [...flags, ...idsOf(newConsents), ...idsOf(newBlocks)];
  const at = Math.max(...found.map(({ asked_at }) => asked_at));
  const loud = new Set(applied.flatMap(({ claim, silent }) => (silent ? [] : [claim.player_id])));
  const silent = new Set(applied.flatMap(({ claim: { player_id } }) => (loud.has(player_id) ? [] : [player_id])));
  const cause = { source: 'look_up', at } as const;
  const receivedAt = new Map<number, Micros>();
  for (const { claim, news_at } of applied) {
    const earlier = receivedAt.get(claim.player_id) ?? at;
    // An update that arrived while the operator answered did not cause this look-up.
    if (news_at !== null && news_at < earlier) receivedAt.set(claim.player_id, news_at);
  }
  const noted = new Set(changed);
  await awaitAll([
    writeMetItems(tx, updates),
    writeProfiles(
      tx,
      profiles.changed.map(({ row }) => row),
    ),
    noteSegmentation(tx, profiles.changed),
    writeConsents(tx, newConsents),
    writeBlocks(tx, newBlocks),
    insertRecordChanges(
      tx,
      others.filter((player_id) => !noted.has(player_id)),
      cause,
      silent,
    ),
    replaceProblems(
      tx,
      found.map(({ claim: { player_id, look_up, brand_id }, problems, asked_at }) => {
        return { player_id, look_up, brand_id, problems, at: asked_at };
      }),
    ),
    settle(
      tx,
      applied.map(({ claim, outcome }) => settlementOf(claim, outcome)),
      databaseAt,
    ),
    // Last, because it reads what the statements above write.
    noteProtection(tx, changed, cause, { silent, receivedAt }),
  ]);
  return {
    written: results.filter(({ claim }) => heldRows.has(keyOf(claim))),
    busy: results.filter(({ claim }) => busyKeys.has(keyOf(claim))),
    renewed: applied.flatMap(({ claim, outcome, news }) =>
      'found' in outcome && news !== null && news <= claim.request ? [claim.player_id] : [],
    ),
  };
}

function keyOf({ player_id, look_up }: { player_id: number; look_up: LookUp }): string {
  return `${player_id} ${look_up}`;
}

function settlementOf({ player_id, look_up, request }: LookUpClaim, outcome: LookUpResult['outcome']): Settlement {
  const key = { player_id, look_up, request };
  return 'found' in outcome ? { ...key, as_of: outcome.asked_at } : { ...key, ...outcome };
}

function of<L extends LookUp>(
  answers: readonly { claim: LookUpClaim; found: Found; times: AnswerTimes }[],
  lookUp: L,
): Answer<L>[] {
  return answers.flatMap(({ claim: { player_id, brand_id }, found, times }) =>
    found.look_up === lookUp ? [{ player_id, brand_id, record: found.record as Answer<L>['record'], times }] : [],
  );
}

function idsOf(rows: readonly { player_id: number }[]): number[] {
  return rows.map(({ player_id }) => player_id);
}

/** @returns the profiles to write, the players whose flags changed, and those whose other fields changed */
function changedProfiles(answers: readonly Answer<'details'>[], rows: readonly ProfileRow[]) {
  const old = new Map(rows.map((row) => [row.player_id, row]));
  const changed = answers.flatMap(({ player_id, brand_id, record, times }) => {
    const row = mergeProfile(old.get(player_id), player_id, record, times);
    return row === undefined ? [] : [{ row, brand_id, segmentation: record.segmentation ?? {}, at: times.asked_at }];
  });
  const flags = changed.flatMap(({ row }) => (hasSameFlags(row, old.get(row.player_id)) ? [] : [row.player_id]));
  const others = changed.flatMap(({ row }) => (hasSameFlags(row, old.get(row.player_id)) ? [row.player_id] : []));
  return { changed, flags, others };
}

function hasSameFlags(row: ProfileRow, before: ProfileRow | undefined): boolean {
  return (
    row.is_blocked === before?.is_blocked &&
    row.is_excluded === before.is_excluded &&
    row.blocked_in_doubt === before.blocked_in_doubt &&
    row.excluded_in_doubt === before.excluded_in_doubt
  );
}

function changedConsents(
  answers: readonly Answer<'consents'>[],
  rows: readonly ConsentRow[],
  held: HeldTypes,
): ConsentRow[] {
  const old = Map.groupBy(rows, (row) => row.player_id);
  return answers.flatMap(({ player_id, record, times }) =>
    mergeConsents(old.get(player_id) ?? [], player_id, record, times, held(player_id, 'consents')),
  );
}

function changedBlocks(answers: readonly Answer<'blocks'>[], rows: readonly BlockRow[], held: HeldTypes): BlockRow[] {
  const old = Map.groupBy(rows, (row) => row.player_id);
  return answers.flatMap(({ player_id, record, times }) =>
    mergeBlocks(old.get(player_id) ?? [], player_id, record, times, held(player_id, 'blocks')),
  );
}
