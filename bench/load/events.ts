import { createSimulation } from '@croupier/sandbox';
import type { NextRequest } from './http-load.ts';

const tenDaysAgo = () => (Date.now() - 10 * 86_400_000) * 1_000;

/** Casino bets of 5,000 players, each with its own ids: the most common event of an operator. About 480 bytes. */
export function casinoEvents(firstNumber: number): () => NextRequest {
  let number = firstNumber;
  return () => {
    number += 1;
    const amount = (number % 100) / 4;
    return {
      body: JSON.stringify({
        activity_id: `activity-${number}`,
        amount,
        balance_before: 100.5 + amount,
        balance_after: 100.5,
        bonus_wager_amount: 0,
        locked_wager_amount: 0,
        wager_amount: amount,
        currency: 'EUR',
        exchange_rate: 1,
        game_id: `game-${number % 200}`,
        is_round_end: false,
        origin: 'www.casino.example',
        round_id: `round-${number}`,
        timestamp: new Date().toISOString().slice(0, 19).replace('T', ' '),
        type: 'Bet',
        user_id: `player-${number % 5_000}`,
        vendor_id: `vendor-${number % 9}`,
      }),
    };
  };
}

/** The simulator's full mix of kinds, retries and quirks, without deliberately invalid events. Never ends. */
export function* simulatedMix(seed: number): Generator<NextRequest> {
  for (const { label, method, path, body } of simulationOf(seed)) {
    if (label !== 'invalid') yield { method, path, body };
  }
}

/** The players of a mix: those who act in its first 100,000 events, which are nearly all of them. */
export function playersOfMix(seed: number): string[] {
  const simulation = simulationOf(seed);
  simulation.take(100_000);
  return [...simulation.truth.userIds()];
}

function simulationOf(seed: number) {
  return createSimulation({ seed, players: 5_000, start: tenDaysAgo(), idPrefix: `s${seed}-` });
}
