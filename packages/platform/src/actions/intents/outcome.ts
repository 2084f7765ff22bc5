/**
 * Returns SQL for the outcome of an intent, for counts: `credited`, `unknown`, `withheld` or `failed`. Null while it is open, and
 * for an offer that the player let expire.
 *
 * - `unknown`: a call may or may not have credited.
 * - `withheld`: the gate, a budget, a protection or a person decided against the credit, or Croupier gave it up without a call.
 * - `failed`: a call was made and nothing was credited.
 *
 * @param of the alias of bonus_intent
 */
export function intentOutcome(of: string): string {
  return `(case when ${of}.state = 'credited' then 'credited'
    when ${of}.state in ('unknown', 'needs_person') then 'unknown'
    when ${of}.state <> 'rejected' or ${of}.resolved_by = 'expiry' then null
    when ${of}.resolved_by in ('gate', 'budget', 'protection', 'cancellation') then 'withheld'
    when ${of}.resolved_by = 'retries' and ${of}.attempts = 0 then 'withheld'
    else 'failed' end)`;
}
