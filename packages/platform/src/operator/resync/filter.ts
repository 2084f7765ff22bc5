import type { Micros } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import type { LookUp } from '../judging/index.ts';

/** States of a player's look-ups that a run can select. A player is in a state if any of the run's look-ups is. */
export const resyncChoices = ['never', 'retrying', 'details_missing'] as const;
export type ResyncChoice = (typeof resyncChoices)[number];

/** The players of a run: those who meet every condition. {} selects all players. */
export interface ResyncFilter {
  /** Values of the profile; one of them must match. */
  countries?: string[];
  origins?: string[];
  markets?: string[];
  registered_from?: Micros;
  registered_to?: Micros;
  /** One of the run's look-ups was last answered before this moment, or never. */
  looked_up_before?: Micros;
  states?: ResyncChoice[];
}

/** The filter as an SQL condition on `p` (player) and `f` (its profile, which may be missing). Values are bound in order. */
export function conditionOf(
  filter: ResyncFilter,
  lookUps: readonly LookUp[],
  bind: (value: unknown) => string,
): string {
  const conditions = [
    ...anyOf('country', filter.countries, bind),
    ...anyOf('origin', filter.origins, bind),
    ...anyOf('market', filter.markets, bind),
  ];
  const { registered_from, registered_to, looked_up_before, states } = filter;
  if (registered_from !== undefined)
    conditions.push(`f.registration_date >= ${bind(timestamptzText(registered_from))}::timestamptz`);
  if (registered_to !== undefined)
    conditions.push(`f.registration_date <= ${bind(timestamptzText(registered_to))}::timestamptz`);
  if (looked_up_before !== undefined) {
    const moment = bind(timestamptzText(looked_up_before));
    conditions.push(someLookUp(lookUps, bind, `s.as_of is null or s.as_of < ${moment}::timestamptz`));
  }
  if (states !== undefined)
    conditions.push(someLookUp(lookUps, bind, states.map((state) => stateSql[state]).join(' or ')));
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

/** The states of look-ups, as in reading/player.ts. */
const stateSql: Record<ResyncChoice, string> = {
  never: 's.as_of is null',
  retrying: '(not s.parked and s.requested > s.done and s.attempts > 0)',
  details_missing: 's.parked',
};

function anyOf(column: string, values: readonly string[] | undefined, bind: (value: unknown) => string): string[] {
  return values === undefined ? [] : [`f.${column} = any(${bind(values)}::text[])`];
}

/** A look-up that was never requested has no row; all its columns are null here. */
function someLookUp(lookUps: readonly LookUp[], bind: (value: unknown) => string, condition: string): string {
  return `exists (select from unnest(${bind(lookUps)}::text[]) as l (look_up)
             left join player_sync s on s.player_id = p.player_id and s.look_up = l.look_up
            where ${condition})`;
}
