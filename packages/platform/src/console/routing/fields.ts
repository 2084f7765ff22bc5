import { type Micros, readTimestampText } from '@croupier/contracts';
import { type TSchema, Type } from 'typebox';
import { timestamptzText } from '../../database/index.ts';
import { refusedField } from './refused.ts';

/** Parts of schemas that several resources share. */

export const Nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** A time in an answer: RFC 3339, UTC, microseconds. */
export const Moment = Type.String({ format: 'date-time', examples: ['2026-05-01T08:27:58.000001Z'] });

/** A time in a cursor, in microseconds; the limits are those of timestamps that can be read. */
export const MicrosShape = Type.Integer({ minimum: -9e15, maximum: 9e15 });

export const momentText = timestamptzText;

export function momentTextOrNull(at: Micros | null): string | null {
  return at === null ? null : momentText(at);
}

/** Money in an answer: exact decimal text, never a JSON number, which a client would round. */
export const Money = Type.String({ examples: ['12.50'] });

export const BrandParams = Type.Object({ brand: Type.String({ description: 'Code of the brand' }) });

export const PlayerParams = Type.Object({
  brand: Type.String({ description: 'Code of the brand' }),
  user_id: Type.String({ minLength: 1, description: "The operator's id of the player" }),
});

const momentBound = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }));

/** Filters by time; both bounds are included. */
export const timeRange = {
  from: momentBound('From this time on (RFC 3339)'),
  to: momentBound('Up to this time (RFC 3339)'),
};

/** @throws {Refused} if the text matches the pattern of a date-time but is not a valid date */
export function readMoment(name: string, text: string): Micros;
export function readMoment(name: string, text: string | undefined): Micros | undefined;
export function readMoment(name: string, text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined;
  const written = readTimestampText(text);
  if (written?.zoned) return written.micros;
  const message = {
    en: `${name} must be a date-time with an offset, such as 2026-05-01T08:00:00Z`,
    de: `${name} muss ein Zeitpunkt mit UTC-Abweichung sein, zum Beispiel 2026-05-01T08:00:00Z`,
  };
  throw refusedField(name, 'date-time', message);
}
