import type { Micros } from '@croupier/contracts';
import { sentenceOf } from '@croupier/rules';
import type { Pool } from 'pg';
import type { Brand } from '../brands/index.ts';
import {
  type Cause,
  type PlatformRules,
  playerInSegment,
  readSegments,
  readVersions,
} from '../segments/membership/index.ts';
import { ScenarioError } from './scenario-error.ts';
import type { TimelineEntry } from './timeline.ts';

interface TransitionRow {
  number: number;
  transition: 'entered' | 'left';
  at: Micros;
  cause: Cause;
  version: number;
  silent: boolean;
}

/** Reads the transitions of one player and one segment repeatedly: each call returns what happened since the last one. */
export class Transitions {
  readonly #of: { pool: Pool; brand: Brand; rules: PlatformRules; playerId: number; segment: string };
  #last = 0;

  constructor(of: { pool: Pool; brand: Brand; rules: PlatformRules; playerId: number; segment: string }) {
    this.#of = of;
  }

  async next(at: Micros): Promise<TimelineEntry[]> {
    const { pool, brand, rules, playerId: player_id, segment: code } = this.#of;
    const [segment] = await readSegments(pool, brand.brand_id, { code });
    if (segment === undefined) throw new ScenarioError(`the segment ${code} does not exist`);
    const { rows } = await pool.query<TransitionRow>(
      `select number, transition, at, cause, version, silent from segment_transition
        where player_id = $1 and segment_id = $2 and number > $3 order by number`,
      [player_id, segment.segment_id, this.#last],
    );
    if (rows.length === 0) return [];
    this.#last = rows.at(-1)?.number ?? this.#last;
    const version = (await readVersions(pool, [segment.segment_id])).find(({ published_at }) => published_at !== null);
    if (version === undefined || version.rule === null) return [];
    const { trace } = await playerInSegment(pool, rules, { brand, version, player_id, at });
    const { catalog } = await rules.of(brand);
    const sentence = sentenceOf(version.rule, catalog);
    return rows.map((row) => ({
      at: row.at,
      campaign: code,
      version: row.version,
      step: null,
      what: 'segment',
      outcome: row.transition,
      reason: row.silent ? `${wordsOf(row.cause)}, silent` : wordsOf(row.cause),
      variant: null,
      channel: null,
      template: null,
      bonus_code: null,
      until: null,
      rendered: null,
      sentence,
      trace,
    }));
  }
}

/** The cause in few words: `event payment`, `time`, `record look_up`. */
function wordsOf(cause: Cause): string {
  switch (cause.type) {
    case 'event':
      return `event ${cause.kind}`;
    case 'record':
    case 'protection':
      return `${cause.type} ${cause.source}`;
    case 'tag':
      return `tag ${cause.tag}`;
    case 'segment':
      return `segment ${cause.code}`;
    case 'time':
    case 'message':
    case 'offer':
    case 'rule':
    case 'recomputation':
      return cause.type;
    default:
      return cause satisfies never;
  }
}
