import type { MessageReport, Micros } from '@croupier/contracts';

/**
 * What a provider says about one message, read from its own format. Each reader (providers/) gives these, and `take-reports.ts` does what
 * follows from them.
 */
export interface ProviderReport {
  /** The provider's own identifier of the report. A repeated report has the same one. */
  key: string;
  what: MessageReport;
  /** Null: the provider does not say when. */
  at: Micros | null;
  about: ReportSubject;
  /** The provider's identifier of the message. */
  reference?: string | undefined;
  /** Of a bounce. `hard`: the address takes no messages, now or ever. `soft`: not this time. */
  bounce?: 'hard' | 'soft' | undefined;
  /** Of a click: which link, counted from 1. */
  link?: string | undefined;
  /** The provider's words. */
  detail?: string | undefined;
}

/** How a report names its message. `token`: one that we signed; `message_id`: only from a provider that signs its calls. */
export type ReportSubject = { token: string } | { message_id: number } | { provider_id: string } | { nothing: true };

/** What a call of a provider holds. */
export interface ReadReports {
  reports: ProviderReport[];
  /** Entries that say nothing about a message, or nothing that is used. */
  ignored: number;
}

/** Reads `<77041.malta@casino.example>`, with or without its brackets. */
export function ofMessageId(text: unknown, brandCode: string): { message_id: number } | undefined {
  if (typeof text !== 'string') return undefined;
  const [, id, code] = /^<?(\d{1,15})\.([^@>]+)@[^@>]+>?$/.exec(text.trim()) ?? [];
  return id !== undefined && code === brandCode ? { message_id: Number(id) } : undefined;
}

/** Addresses and numbers are not kept: what is kept says what happened, not to whom. */
export function withoutPeople(text: string): string {
  return text
    .replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)')
    .replace(/\+?\d[\d ()-]{6,}\d/g, '(number)')
    .slice(0, 200);
}

export function secondsToMicros(value: unknown): Micros | null {
  const seconds = Number(value);
  return typeof value === 'boolean' || value === null || value === '' || !Number.isFinite(seconds)
    ? null
    : Math.round(seconds * 1_000_000);
}

/** RFC 3339. */
export function textToMicros(value: unknown): Micros | null {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time * 1_000;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
