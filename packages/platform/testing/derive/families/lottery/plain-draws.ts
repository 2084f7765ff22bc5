import fc from 'fast-check';

/** A simple implementation of draws, for tests. */

export interface DrawBody {
  draw_id: string;
  draw_date: string;
  timestamp: string;
  lottery_name?: string;
  draw_numbers?: number[];
}

/** Few draws, minutes and names. */
export const drawBody: fc.Arbitrary<DrawBody> = fc.record(
  {
    draw_id: fc.constantFrom('d1', 'd2'),
    draw_date: fc.constantFrom('2026-05-01T18:00:00Z', '2026-05-02T18:00:00Z'),
    timestamp: fc.constantFrom('2026-04-30T10:00:01Z', '2026-04-30T10:00:59Z', '2026-04-30T10:01:00Z'),
    lottery_name: fc.constantFrom('Lotto', 'Lótto', 'lotto'),
    draw_numbers: fc.constantFrom([1, 2], [1, 10], [3]).map((numbers) => [...numbers]),
  },
  { requiredKeys: ['draw_id', 'draw_date', 'timestamp'] },
);

export const lotteryBody = ({ draw_numbers, ...fields }: DrawBody) => ({
  user_id: 'a',
  ticket_id: 't',
  lottery_id: '7',
  lines: [],
  amount: 1,
  currency: 'EUR',
  exchange_rate: 1,
  origin: 'o',
  type: draw_numbers === undefined ? 'Bet' : 'Settlement',
  ...fields,
  ...(draw_numbers !== undefined && { draw_numbers }),
});

/** The value from the latest minute whose bytes sort first. */
export function said(bodies: readonly DrawBody[], of: (body: DrawBody) => string | undefined): string | null {
  const sayings = bodies.flatMap((body) => {
    const value = of(body);
    return value === undefined ? [] : [{ value: Buffer.from(value), minute: body.timestamp.slice(0, 16) }];
  });
  const last = sayings
    .map(({ minute }) => minute)
    .sort()
    .at(-1);
  const [first] = sayings.flatMap(({ value, minute }) => (minute === last ? [value] : [])).sort(Buffer.compare);
  return first?.toString() ?? null;
}
