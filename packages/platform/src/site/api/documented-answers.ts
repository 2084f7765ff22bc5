import { type Answer, envelopeOf, type SiteErrorCode, siteErrors } from '@croupier/contracts';
import Type, { type TSchema } from 'typebox';
import { failed } from './envelope.ts';

/* Answers in the form of /openapi/site.json. */

/** The success answer of a call of the site API. */
export function answered(schemaName: string, data: TSchema, sample: unknown, description: string): Answer {
  const samples = { [schemaName]: { Data: sample, Success: true, Errors: [] } };
  return { status: 200, description, schema: envelopeOf(data), schemaName, samples };
}

/** One answer per status: several codes with one status are samples of the same answer. */
export function refused(description: string, ...codes: [SiteErrorCode, ...SiteErrorCode[]]): Answer {
  const { status } = siteErrors[codes[0]];
  return {
    status,
    description,
    schema: envelopeOf(Type.Null()),
    schemaName: 'Failure',
    samples: Object.fromEntries(codes.map((code) => [code, failed(code)])),
    ...([429, 503].includes(status) ? { headers: ['Retry-After'] } : {}),
  };
}

/** Refusals that every call of a signed-in player may get. */
export const sessionRefusals: readonly Answer[] = [
  refused('The session is missing, not valid, or has ended.', 'missing_session', 'invalid_session', 'session_ended'),
  refused('Too many invalid sessions from this address.', 'too_many_requests'),
  refused("The database or the operator's session check is unavailable.", 'unavailable', 'operator_away'),
];

export const wrongBody = refused('A field is missing or invalid. The message names it.', 'invalid_request');
