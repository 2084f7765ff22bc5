/*
 * A hint as it travels: pairs "signal.player" in base 36, with commas between. A pair has 8 to 16 characters at a million
 * players and a billion signals, so that one notification carries about 600.
 */
export interface SignalHint {
  signal_id: number;
  player_id: number;
}

/** "More than is worth listing: look for yourself." */
export const pollHint = '*';
/** PostgreSQL refuses a payload of 8000 bytes. */
export const maxPayloadBytes = 7_999;

/** The payloads that carry these hints, each as full as may be. */
export function hintPayloads(hints: readonly SignalHint[]): string[] {
  const payloads: string[] = [];
  let payload = '';
  for (const { signal_id, player_id } of hints) {
    const pair = `${signal_id.toString(36)}.${player_id.toString(36)}`;
    if (payload === '') payload = pair;
    else if (payload.length + 1 + pair.length <= maxPayloadBytes) payload += `,${pair}`;
    else {
      payloads.push(payload);
      payload = pair;
    }
  }
  return payload === '' ? payloads : [...payloads, payload];
}

/** Null for the hint to poll, and for what no version of ours has written. */
export function readHints(payload: string): SignalHint[] | null {
  const hints = payload.split(',').map((pair) => {
    const [signal = '', player = ''] = pair.split('.');
    return { signal_id: Number.parseInt(signal, 36), player_id: Number.parseInt(player, 36) };
  });
  return hints.every(({ signal_id, player_id }) => signal_id > 0 && player_id > 0) ? hints : null;
}
