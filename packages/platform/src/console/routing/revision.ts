import { createHash } from 'node:crypto';
import { canonicalJson } from '@croupier/contracts';
import { Type } from 'typebox';
import type { Words } from '../../language.ts';
import { Refused } from './refused.ts';

export const Revision = Type.String({
  description:
    'Changes with each change of the content. Pass it to the `PUT` so that no change by another person is lost, and when you publish, so that you publish what you read',
});

/** Query of a call that replaces or publishes content which a person has read before. */
export const revisionQuery = {
  revision: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The revision that you read. The call is refused if it is no longer current. Default: any revision',
    }),
  ),
};

/** Query of a call that decides about content which a person must have read. */
export const requiredRevisionQuery = {
  revision: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The revision that you read. The call is refused if it is no longer current',
  }),
};

/** Identifies content: equal content has an equal revision. */
export function revisionOf(content: unknown): string {
  return createHash('sha256').update(canonicalJson(content)).digest('base64url').slice(0, 22);
}

/** @throws {Refused} if the content has changed since the caller read it */
export function refuseOutdated(what: Words, expected: string | undefined, current: string): void {
  if (expected === undefined || expected === current) return;
  throw new Refused('conflict', {
    en: `${what.en} was changed after you read it; read it again and repeat your change`,
    de: `${what.de} wurde geändert, nachdem Sie den Inhalt gelesen haben; lesen Sie ihn neu, und wiederholen Sie Ihre Änderung`,
  });
}
