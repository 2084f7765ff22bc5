import type { ClientBase } from 'pg';
import { timestamptzText } from '../../../database/index.ts';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { type ArrivingActivity, type ArrivingMessage, arrivalOf } from './arrival.ts';
import { decode } from './encode.ts';
import { keyRuleOf, roundName } from './keys.ts';
import { type RoundStatus, statusSql } from './list.ts';
import { roundGap } from './message.ts';
import { messageInForce, type Round, type RoundState } from './round.ts';

type FoundRound = Round & { status: RoundStatus };

/**
 * Maximum number of rounds to search, nearest in time first. An operator that restarts its activity numbers every day has
 * one activity_id in many rounds, and a person who looks at a contradiction needs those around it.
 */
const maxRounds = 50;

/**
 * The round of an event, with the events that can contradict it or that it can cancel. For an activity these are the
 * events of its key and its identity, in any round (keys.ts). For a game round message they are the messages of its
 * round.
 */
export async function roundOfEvent(
  db: Pick<ClientBase, 'query'>,
  source: DerivedEvent<'casino' | 'gameround'>,
): Promise<FactOfEvent | undefined> {
  const arrival = arrivalOf(source, keyRuleOf(source.settings));
  const lookups = 'message' in arrival ? [] : arrival.lookups;
  const rounds = await findRounds(db, source, arrival.round_key, lookups);
  return 'message' in arrival ? ofMessage(arrival, rounds) : ofActivity(arrival, rounds);
}

function ofActivity(arrival: ArrivingActivity, rounds: readonly FoundRound[]): FactOfEvent | undefined {
  const { settings } = arrival.source;
  const rule = keyRuleOf(settings);
  const { activity_id, type } = arrival.activity;
  const identity = rule.identity(arrival.ids, arrival.activity);
  const isRelated = (ids: Pick<Round, 'vendor_id' | 'game_id' | 'round_id'>, activity: typeof arrival.activity) =>
    rule.identity(ids, activity) === identity ||
    rule.key(ids, activity) === arrival.key ||
    (settings.rollback_by_round && activity.type === type && roundName(ids) === arrival.name);
  const found = rounds.flatMap((round) =>
    round.activities.filter((activity) => isRelated(round, activity)).map((activity) => ({ round, activity })),
  );
  const counting = found.filter(({ activity }) => activity.status === 'Approved' && activity.resolution === 'in_force');
  const { round } = counting[0] ?? found[0] ?? {};
  if (round === undefined) return undefined;
  return {
    fact: 'round',
    key: { ...namesOf(round), activity_id, type },
    status: round.status,
    orphan: found.some(({ activity }) => activity.resolution === 'orphan'),
    times: found.map(({ activity }) => activity.timestamp),
    inForce: new Set(counting.map(({ activity }) => activity.fingerprint)),
    isOf(other) {
      if (other.event.kind !== 'casino') return false;
      const its = arrivalOf(other as DerivedEvent<'casino'>, rule) as ArrivingActivity;
      return isRelated(its.ids, its.activity);
    },
  };
}

function ofMessage({ name, message }: ArrivingMessage, rounds: readonly FoundRound[]): FactOfEvent | undefined {
  for (const round of rounds) {
    const run = round.runs.find(({ until, versions }) => {
      const from = versions[0]?.timestamp ?? until;
      return message.timestamp >= from - roundGap && message.timestamp <= until + roundGap;
    });
    if (roundName(round) !== name || run === undefined) continue;
    const versions = round.runs.flatMap((each) => each.versions);
    const first = messageInForce(round);
    const times = versions.map(({ timestamp }) => timestamp);
    return {
      fact: 'round',
      key: namesOf(round),
      status: round.status,
      orphan: false,
      times,
      inForce: new Set(first === undefined ? [] : [first.fingerprint]),
      isOf: ({ event }) => event.kind === 'gameround' && roundName(event) === name,
    };
  }
  return undefined;
}

function namesOf({ vendor_id, game_id, round_id }: Round) {
  return { vendor_id, game_id, round_id };
}

async function findRounds(
  db: Pick<ClientBase, 'query'>,
  { player_id, event }: DerivedEvent,
  roundKey: number,
  lookups: readonly number[],
): Promise<FoundRound[]> {
  type Row = Omit<FoundRound, 'activities' | 'runs'> & Pick<RoundState, 'first_at' | 'day'> & { events: string };
  const { rows } = await db.query<Row>(
    `select player_id, round_key, vendor_id, game_id, round_id, first_at, day, events, ${statusSql} as status
     from round
     where player_id = $1 and round_key in (
       select $2::bigint
       union
       select round_key from casino_activity where player_id = $1 and lookup = any ($3::bigint[])
     )
     order by abs(extract(epoch from first_at - $4::timestamptz))
     limit $5`,
    [player_id, roundKey, lookups, timestamptzText(event.timestamp), maxRounds],
  );
  return rows.map(({ events, first_at, day, ...round }) => ({ ...round, ...decode(events, { first_at, day }) }));
}
