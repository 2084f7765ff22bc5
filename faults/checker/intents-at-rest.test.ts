import { expect, test } from 'vitest';
import type { ShownIntent } from './bonuses.ts';
import { intentsAtRest } from './intents-at-rest.ts';

const intent = (intent_id: string, state: string): ShownIntent => ({
  intent_id,
  state,
  user_id: 'gambler-254',
  bonus_code: 'RELOAD50',
  reason: state === 'unknown' ? 'timeout' : null,
});

/** The operator credited the younger intent; its bonus event without a reference matched the older one. */
const matched = [intent('older', 'credited'), intent('younger', 'unknown')];
/** The retry of the younger intent was answered 200, so a new round over the intents is requested. */
const answered = [intent('older', 'credited'), intent('younger', 'credited')];
const withdrawn = [intent('older', 'unknown'), intent('younger', 'credited')];

const calls = 4;

/**
 * The answer arrives after `answeredAfter` of the reader's calls, the withdrawal after `withdrawnAfter`. Each page contains one
 * intent.
 */
function reader(answeredAfter: number, withdrawnAfter: number) {
  let done = 0;
  const now = () => (done < answeredAfter ? matched : done < withdrawnAfter ? answered : withdrawn);
  return {
    async isAtRest() {
      const isAtRest = now() !== answered;
      done++;
      return isAtRest;
    },
    async list() {
      const [older] = now();
      done += 0.5;
      const [, younger] = now();
      done += 0.5;
      return [older, younger] as ShownIntent[];
    },
  };
}

test('the list never shows both intents as credited, whenever the answer and the withdrawal of the match happen', async () => {
  const moments = Array.from({ length: 2 * calls + 2 }, (_, n) => n / 2);
  for (const answeredAfter of moments) {
    for (const withdrawnAfter of moments.filter((moment) => moment >= answeredAfter)) {
      const shown = await intentsAtRest(reader(answeredAfter, withdrawnAfter));
      expect([undefined, matched, withdrawn], `answered ${answeredAfter}, withdrawn ${withdrawnAfter}`).toContainEqual(
        shown,
      );
    }
  }
});

test('at rest, the list is shown unchanged', async () => {
  expect(await intentsAtRest(reader(calls + 1, calls + 1))).toEqual(matched);
  expect(await intentsAtRest(reader(0, 0))).toEqual(withdrawn);
});
