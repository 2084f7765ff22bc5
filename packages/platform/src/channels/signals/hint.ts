/*
 * The encoding of hints: pairs "signal.player" in base 36, separated by commas. A pair has 8 to 16 characters with a million
 * players and a billion signals, so one notification carries about 600.
 */
export interface SignalHint {
  signal_id: number;
  player_id: number;
}

/** Too many to list: poll instead. */
export const pollHint = '*';
/** PostgreSQL refuses a payload of 8000 bytes. */
export const maxPayloadBytes = 7_999;

/** Encodes these hints in as few payloads as possible. */
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

/** Null for the hint to poll, and for a payload that no version of the platform has written. */
export function readHints(payload: string): SignalHint[] | null {
  const hints = payload.split(',').map((pair) => {
    const [signal = '', player = ''] = pair.split('.');
    return { signal_id: Number.parseInt(signal, 36), player_id: Number.parseInt(player, 36) };
  });
  return hints.every(({ signal_id, player_id }) => signal_id > 0 && player_id > 0) ? hints : null;
}
