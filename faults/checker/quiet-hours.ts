import { type Outcome, outcome } from '../outcome.ts';
import { allReached, type CampaignEvidence } from './campaigns.ts';

/**
 * P17: in the quiet hours of a player, no message is sent or becomes visible. The runs wait, and order the messages afterwards. The quiet
 * hours begin before the load. Bonuses have none.
 */
export function judgeQuiet(evidence: CampaignEvidence): Outcome {
  const { life, runs, messages } = evidence;
  const { users, ends_at } = life.quiet;
  const own = new Set(users);
  const reached = allReached(evidence).filter(({ channel, user }) => channel !== 'bonus' && own.has(user));
  const broken = reached.flatMap(({ what, at }) =>
    at < ends_at ? [`${what}, ${Math.round(ends_at - at)} ms before the end of the quiet hours`] : [],
  );
  const held = runs.filter(
    ({ user_id, story }) =>
      own.has(user_id) && story.some(({ state, reason }) => state === 'held' && reason === 'quiet_hours'),
  );
  const of = new Set(held.map(({ campaign, payment_id }) => `${campaign} ${payment_id}`));
  const after = messages.filter(({ key }) => of.has(`${key.split(' ')[0]} ${key.split(' ').at(-1)}`));
  for (const { channel, key, ordered_at } of after)
    if (ordered_at < ends_at) broken.push(`${channel} ${key} was ordered in the quiet hours`);
  for (const { run_id, user_id, state } of held)
    if (state === 'held') broken.push(`run ${run_id} of ${user_id} is still held after the quiet hours`);
  const counts = { held_by_quiet_hours: held.length, reached_after_quiet_hours: reached.length };
  return outcome('P17', 'no message is sent in the quiet hours of its player', counts, broken);
}
