import { eventKinds, type Micros, messages } from '@croupier/contracts';
import { timestamptzText } from '../../database/index.ts';
import type { VariableName } from './liquid.ts';

const day = 86_400_000_000;

/** Sample values for a preview, for variables that get their values from the cause of a message. */
export interface SampleCause {
  event: Record<string, unknown>;
  offer: Record<string, unknown>;
}

/**
 * Returns sample values for those names that are variables of the event or the offer. The values of event fields come from the
 * documented samples. If several kinds of events have a field, a payment is used, because most campaigns start with a deposit. A field
 * that no event has gets no value.
 */
export function sampleCause(
  names: readonly VariableName[],
  { base_currency, now }: { base_currency: string; now: Micros },
): SampleCause {
  const offer: Readonly<Record<string, unknown>> = {
    intent_id: '0198c2f0-0000-7000-8000-000000000000',
    step: 'offer',
    kind: 'offer',
    bonus_code: 'WELCOME10',
    amount: '10',
    currency: base_currency,
    expires_at: timestamptzText(now + 7 * day).replace(' ', 'T'),
    wagering: 10,
  };
  const cause: SampleCause = { event: {}, offer: {} };
  for (const name of names) {
    const [root, field, ...rest] = name.split('.');
    if (field === undefined || field.includes('[')) continue;
    if (root === 'offer' && field in offer) cause.offer[field] = offer[field];
    if (root !== 'event') continue;
    const value = ofEvents(field, rest, base_currency);
    if (value !== undefined) cause.event[field] = value;
  }
  return cause;
}

function ofEvents(field: string, inner: readonly string[], baseCurrency: string): unknown {
  if (field === 'currency') return baseCurrency;
  // Events of operators have no field for amounts in the base currency.
  const written = field.replace(/^base_/, '');
  for (const kind of ['payment' as const, ...eventKinds])
    for (const sample of Object.values(messages[kind].samples) as Record<string, unknown>[]) {
      const value = sample[written];
      if (value !== undefined && inner.every((key) => typeof value === 'object' && value !== null && key in value))
        return value;
    }
  return undefined;
}
