/*
 * When to ask for a held contact again. An answer takes 100 ms if the operator is healthy, so the first intervals are
 * short: the first message to a new player waits for three look-ups, and with a first interval of half a second it took
 * longer than a second on a busy machine. They grow quickly, because each question costs a decision of the gate: 8 in the
 * first two seconds. After an hour, 10,000 contacts that wait for an unavailable operator cost 33 requests per second.
 */
const second = 1_000;
const minute = 60 * second;

const steps: readonly { heldForMs: number; askAgainMs: number }[] = [
  { heldForMs: 250, askAgainMs: 100 },
  { heldForMs: second, askAgainMs: 200 },
  { heldForMs: 10 * second, askAgainMs: 500 },
  { heldForMs: minute, askAgainMs: 2 * second },
  { heldForMs: 10 * minute, askAgainMs: 15 * second },
  { heldForMs: 60 * minute, askAgainMs: minute },
];
const longest = 5 * minute;

/** @param heldFor how long the contact has been held, in microseconds */
export function askAgainMs(heldFor: number): number {
  return steps.find(({ heldForMs }) => heldFor < heldForMs * 1_000)?.askAgainMs ?? longest;
}
