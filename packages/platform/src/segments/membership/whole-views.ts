import type { Micros } from '@croupier/contracts';
import type { PlayerView, Rule } from '@croupier/rules';
import type { ClientBase } from 'pg';
import { awaitAll } from '../../database/index.ts';
import { needsOf } from './active/active-version.ts';
import { withSegmentsAndTags } from './live/player.ts';
import { readTags } from './live/store.ts';
import type { BrandRules } from './rule-reading.ts';

/** Loads what these rules use about players, including their segments and tags. The search path must be `live, public`. */
export async function loadWholeViews(
  tx: ClientBase,
  reading: BrandRules,
  asked: { players: readonly number[]; rules: readonly Rule[]; at: Micros },
): Promise<Map<number, PlayerView>> {
  const needs = asked.rules.map(needsOf);
  const segments = new Set(needs.flatMap((one) => [...one.segments]));
  const [views, codes, tags] = await awaitAll([
    reading.loadViews(tx, asked),
    segments.size > 0 ? readCodes(tx, asked.players, segments) : undefined,
    needs.some((one) => one.tags.size > 0) ? readTags(tx, asked.players) : undefined,
  ]);
  const none: ReadonlySet<string> = new Set();
  return new Map(
    [...views].map(([id, view]) => {
      const own = codes?.get(id) ?? none;
      return [id, withSegmentsAndTags(view, (code) => own.has(code), tags?.get(id) ?? none)];
    }),
  );
}

/** Which of these segments players are members of, by code. */
async function readCodes(
  tx: ClientBase,
  players: readonly number[],
  segments: ReadonlySet<string>,
): Promise<Map<number, Set<string>>> {
  const { rows } = await tx.query<{ player_id: number; codes: string[] }>({
    name: 'read_segment_codes',
    text: `select m.player_id, array_agg(a.code) as codes from segment_member m
             join segment_active a on a.version_id = m.version_id and a.phase in ('in_force', 'kept')
            where m.player_id = any($1::bigint[]) and a.code = any($2::text[]) and not m.protected group by m.player_id`,
    values: [players, [...segments]],
  });
  return new Map(rows.map(({ player_id, codes }) => [player_id, new Set(codes)]));
}
