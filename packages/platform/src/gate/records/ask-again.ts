/*
 * When to ask the gate again about a held contact. The first intervals are short, because a healthy operator answers in 100 ms. The first
 * message to a new player waits for three look-ups: with a first interval of half a second, the message took longer than a second on a busy
 * machine. The intervals grow quickly, because the gate decides again each time: 8 times in the first two seconds. After an hour, 10,000
 * contacts that wait for an unavailable operator cause 33 decisions per second.
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
