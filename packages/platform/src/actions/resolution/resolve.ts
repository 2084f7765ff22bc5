import type { IntentPosition } from '../intents/position.ts';
import type { AssignedHow, Certainty } from './assign.ts';

/*
 * The effect of an assignment on an intent, by state:
 *
 *   state         resolved by          a bonus names it      a bonus fits it          none does (any longer)
 *   ------------  -------------------  --------------------  -----------------------  -------------------------
 *   offered       -                    event_reference (1)   -                        -
 *   pending       -                    event_reference       (2)                      -
 *   retry         -                    event_reference (1)   -                        -
 *   unknown       -                    event_reference       event_matched            -
 *   needs_person  -                    event_reference       event_matched            -
 *   credited      answer, person, ...  event_reference (3)   explained (4)            -
 *   credited      match                event_reference (3)   stays                    match_withdrawn -> unknown
 *   credited      reference            stays                 stays                    stays (5)
 *   rejected      anything             event_reference (1)   - (6)                    -
 *
 *   (1) No call of the platform can have done it, but no other intent has this id: the operator says that it credited this intent,
 *       so it must not be credited again.
 *   (2) An open call counts as credited until it is answered; the answer causes the next assignment. (3) Already credited; the better proof
 *   is stored, and the bonus that was assigned to it is free for other intents. (4) Its bonus is now known, and proves no other intent. (5)
 *   An operator that withdraws a reference contradicts itself; the credit stays. (6) The operator or a person stated that the intent was
 *   not credited, so a bonus that only fits came from elsewhere.
 */
type Resolved = Pick<IntentPosition, 'state' | 'resolved_by' | 'open_attempt'>;

export function certaintyOf({ state, resolved_by, open_attempt }: Resolved): Certainty {
  switch (state) {
    case 'unknown':
    case 'needs_person':
      return 'in_doubt';
    case 'credited':
      return resolved_by === 'match' ? 'in_doubt' : 'credited';
    case 'pending':
    case 'retry':
      return open_attempt === null ? 'closed' : 'credited';
    case 'offered':
    case 'rejected':
      return 'closed';
    default:
      return state satisfies never;
  }
}

export type ResolutionEvent = 'event_reference' | 'event_matched' | 'match_withdrawn';

/** @param how how a bonus was assigned to the intent; undefined if none was */
export function resolutionOf(intent: Resolved, how: AssignedHow | undefined): ResolutionEvent | null {
  if (how === 'reference') return intent.resolved_by === 'reference' ? null : 'event_reference';
  if (how === 'match') return intent.state === 'unknown' || intent.state === 'needs_person' ? 'event_matched' : null;
  return intent.state === 'credited' && intent.resolved_by === 'match' ? 'match_withdrawn' : null;
}
