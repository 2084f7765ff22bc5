import { intentOutcome } from '../../actions/index.ts';
import { messagesWith } from '../../channels/index.ts';

/**
 * SQL of the effects that were withheld after their step ordered them: by a budget, the gate, a protection, a person or the stop of the
 * campaign. A relation `(story_id, run_id, player_id, version_id, step, state, kind, ordered_reason, variant, reason, at)`: state and
 * ordered_reason are those of the step in `campaign_run_step`, reason and at those of the withholding.
 *
 * @param where SQL over `s`, a row of campaign_run_step
 */
export function withheldLater(where: string): string {
  const columns = `s.story_id, s.run_id, s.player_id, s.version_id, s.step, s.state, s.effect ->> 'kind' as kind, s.reason as ordered_reason,
    s.variant`;
  return `(
  select ${columns}, m.reason, m.at
    from campaign_run_step s join (${messagesWith('withheld').join(' union all ')}) m on m.message_id = (s.effect ->> 'message_id')::bigint
   where ${where} and s.state = 'done' and s.effect ? 'message_id'
  union all
  select ${columns}, i.reason, i.state_since
    from campaign_run_step s join bonus_intent i on i.intent_id = (s.effect ->> 'intent_id')::uuid
   where ${where} and s.state = 'done' and s.effect ? 'intent_id' and ${intentOutcome('i')} = 'withheld'
)`;
}

/**
 * The same for one step: a relation `(reason, at)` with a row if the effect of the step was withheld after it was ordered. Each table
 * is read by its key, so use it for few steps. With `withheldLater`, PostgreSQL may read a whole table of messages instead, even for a
 * single step, because it expects that hardly any message was withheld.
 *
 * @param s the name of a row of campaign_run_step
 */
export function withheldLaterOf(s: string): string {
  const by = (key: string) => `${s}.state = 'done' and ${s}.effect ? '${key}'`;
  const messages = messagesWith('withheld').map(
    (rows) =>
      `select m.reason, m.at from ${rows} m where ${by('message_id')} and m.message_id = (${s}.effect ->> 'message_id')::bigint`,
  );
  const intents = `select i.reason, i.state_since from bonus_intent i
    where ${by('intent_id')} and i.intent_id = (${s}.effect ->> 'intent_id')::uuid and ${intentOutcome('i')} = 'withheld'`;
  return `(${[...messages, intents].join(' union all ')})`;
}
