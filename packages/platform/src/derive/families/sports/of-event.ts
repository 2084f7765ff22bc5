import type { ClientBase } from 'pg';
import type { DerivedEvent } from '../../event.ts';
import type { FactOfEvent } from '../../event-fact.ts';
import { type Activity, activityKey, inForce } from './activity.ts';
import { betActivity, betOf, isOrphan, settlementsOf } from './bet.ts';
import { activitiesShown } from './list.ts';

/** The bet that an event belongs to, with the events of all its activities. */
export async function betOfEvent(
  db: Pick<ClientBase, 'query'>,
  { player_id, event, settings }: DerivedEvent<'sports'>,
): Promise<FactOfEvent | undefined> {
  const ownKey = activityKey(event.type, event.activity_id);
  const activities = await activitiesBeside(db, player_id, ownKey);
  const own = activities.find(({ activity_key }) => activity_key === ownKey);
  const bet = betOf(activities, settings.time_zone);
  if (own === undefined || bet === undefined) return undefined;
  const stake = betActivity(activities);
  const counting = [...(stake === undefined ? [] : [inForce(stake)]), ...settlementsOf(activities)];
  const keys = new Set(activities.map(({ activity_key }) => activity_key));
  return {
    fact: 'bet',
    key: { bet_id: bet.bet_id },
    status: bet.state,
    orphan: isOrphan(event.status, own, activities),
    times: activities.flatMap(({ approved, rollbacks }) => [...approved, ...rollbacks].map((each) => each.timestamp)),
    inForce: new Set(counting.flatMap((version) => version?.fingerprint ?? [])),
    isOf: ({ event: other }) => other.kind === 'sports' && keys.has(activityKey(other.type, other.activity_id)),
  };
}

/** The activities of the bet that an activity belongs to, starting with that activity. */
async function activitiesBeside(
  db: Pick<ClientBase, 'query'>,
  playerId: number,
  activity_key: string,
): Promise<Activity[]> {
  const { rows } = await db.query<Activity>(
    `select a.player_id, encode(a.activity_key, 'hex') as activity_key, a.activity_id, a.type, a.approved, a.rollbacks
     from sports_activity own
     join sports_activity a on a.player_id = own.player_id and a.bet_key = own.bet_key
     where own.player_id = $1 and own.activity_key = decode($2, 'hex')
     order by a.activity_key <> own.activity_key, a.type, a.at
     limit $3`,
    [playerId, activity_key, activitiesShown],
  );
  return rows;
}
