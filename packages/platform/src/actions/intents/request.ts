import type { Brand, OperatorSettings } from '../../brands/index.ts';
import type { OperatorCall, WritingEndpoint } from '../../operator/calling/index.ts';
import { exactNumber } from './exact-number.ts';
import type { BonusIntent, IntentKind, References } from './intent.ts';

export const endpointOf: Record<IntentKind, Extract<WritingEndpoint, 'bonus_credit' | 'bonus_credit_funds'>> = {
  bonus: 'bonus_credit',
  funds: 'bonus_credit_funds',
};

const pathOf: Record<IntentKind, readonly string[]> = {
  bonus: ['bonus', 'credit'],
  funds: ['bonus', 'credit', 'funds'],
};

/** The parts of an intent that its call contains. */
export type SentIntent = Pick<
  BonusIntent,
  keyof References | 'intent_id' | 'kind' | 'bonus_code' | 'amount' | 'currency' | 'extra'
>;

/**
 * The call of an intent (docs/reference/interface.md, Endpoints A, rules 4 and 5; docs/reference/decisions.md 6). It is the
 * same in every attempt, including key and references, so that an operator can recognize a repeat.
 */
export function requestOf(
  intent: SentIntent,
  userId: string,
  brand: Pick<Brand, 'settings'> & { operator: Pick<OperatorSettings, 'bonus_extra_fields'> },
): OperatorCall & { headers: Record<string, string>; body: Record<string, unknown> } {
  const { kind, bonus_code, amount, currency } = intent;
  const funds = amount === null || currency === null ? {} : { amount: exactNumber(amount), currency };
  return {
    method: 'POST',
    writes: endpointOf[kind],
    path: pathOf[kind],
    headers: headersOf(intent, brand.settings.reference_prefix),
    body: { ...extraFields(intent.extra, brand.operator.bonus_extra_fields), user_id: userId, bonus_code, ...funds },
  };
}

function headersOf(intent: SentIntent, prefix: string): Record<string, string> {
  const references: [string, string | null][] = [
    ['Id', intent.intent_id],
    ['Activityid', intent.activity_id],
    ['Actionid', intent.action_id],
    ['Actiongroupid', intent.action_group_id],
    ['Triggerhash', intent.trigger_hash],
  ];
  const headers: Record<string, string> = { 'Idempotency-Key': intent.intent_id };
  for (const [name, value] of references) {
    if (value !== null) headers[`X-${prefix}-${name}`] = headerValue(value);
  }
  return headers;
}

/**
 * Encodes characters that HTTP forbids in a header. With them, the call would fail before it is sent, but the failure would look like
 * that of a call that was sent.
 */
function headerValue(text: string): string {
  return text.toWellFormed().replace(/[^\x20-\x7e]/g, encodeURIComponent);
}

/**
 * Fields of the body that brand and operator have agreed on. The brand maps each field to a name in `extra` of the intent, from
 * which the field takes its value. If there is no value, the field is omitted.
 */
function extraFields(extra: Record<string, unknown>, mapping: Record<string, string>): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(mapping)) {
    if (Object.hasOwn(extra, name)) fields[field] = extra[name];
  }
  return fields;
}

/** The names in `extra` that the brand maps to no field. Their values would be lost silently. */
export function unmappedExtra(extra: Record<string, unknown>, mapping: Record<string, string>): string[] {
  const mapped = new Set(Object.values(mapping));
  return Object.keys(extra).filter((name) => !mapped.has(name));
}
