import type { MessageReport, Micros } from '@croupier/contracts';
import type { BounceKind } from '../channels/index.ts';

/**
 * A provider's report about one message, converted from its own format. Each reader (providers/) returns these, and
 * `take-reports.ts` carries out their consequences.
 */
export interface ProviderReport {
  /** The provider's own id of the report. A repeated report has the same one. */
  key: string;
  what: MessageReport;
  /** Null if the provider does not send a time. */
  at: Micros | null;
  about: ReportSubject;
  /** The provider's id of the message. */
  reference?: string | undefined;
  /**
   * For a bounce. `hard`: the address will never accept messages. `soft`: it did not accept this one. `policy`: the sender or the
   * content was refused.
   */
  bounce?: BounceKind | undefined;
  /** For a click: the number of the link, counted from 1. */
  link?: string | undefined;
  /** The provider's text. */
  detail?: string | undefined;
}

/**
 * How a report identifies its message. `token`: signed by the platform; `message_id`: accepted only from a provider that signs
 * its calls.
 */
export type ReportSubject = { token: string } | { message_id: number } | { provider_id: string } | { nothing: true };

/** The content of a provider's call. */
export interface ReadReports {
  reports: ProviderReport[];
  /** Entries that are not about a message, or not used. */
  ignored: number;
  /** Replies of players that the call contains. */
  replies?: readonly SmsReply[];
}

/** A player's reply to an SMS. */
export interface SmsReply {
  /** The provider's id of the reply; null if it sends none. */
  id: string | null;
  /** The number of the sender. It begins with + if it is complete. */
  from: string;
  text: string;
  /** The provider itself says that the reply opts out. */
  isOptOut: boolean;
}

/** Reads `<77041.malta@casino.example>`, with or without the brackets. */
export function ofMessageId(text: unknown, brandCode: string): { message_id: number } | undefined {
  if (typeof text !== 'string') return undefined;
  const [, id, code] = /^<?(\d{1,15})\.([^@>]+)@[^@>]+>?$/.exec(text.trim()) ?? [];
  return id !== undefined && code === brandCode ? { message_id: Number(id) } : undefined;
}

/** Removes addresses and numbers, so that the stored text says what happened, but not to whom. */
export function withoutPeople(text: string): string {
  // The text may come from anyone who can write an e-mail. It is cut first, and the parts of an address are limited, because the time
  // grows with the square of a long text without @: 80 KB took 32 s.
  return text
    .slice(0, 1_000)
    .replace(/[^\s<>"'(),;:]{1,254}@[^\s<>"'(),;:]{1,254}/g, '(address)')
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

/** For a provider that itself calls a bounce temporary. */
export function neverHard(kind: BounceKind): BounceKind {
  return kind === 'hard' ? 'soft' : kind;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
