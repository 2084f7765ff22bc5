import type { About } from '../../api/named.ts';
import { messagePlace } from './message-place.ts';

/** The fields of a timeline entry that its line needs. */
export interface TimelineEntry {
  type: string;
  at: string;
  [field: string]: unknown;
}

export interface LineWords {
  /** The kind of the entry, as a code. */
  kind: string;
  /** The campaign or segment of the entry. */
  about?: About;
  /** A sentence, or a name that a person chose. */
  what?: string;
  /** Codes that are shown by their labels. */
  codes?: readonly string[];
  /** A code that is shown by its label. */
  state?: string;
  /** A code, or a text. */
  why?: string | null;
  /** Path of the page that shows the entry in full, below the brand. */
  link?: Place;
  /** The cause of the entry. */
  cause?: CauseWords;
}

interface CauseWords {
  /** A code, or the person who did it. */
  text: string;
  /** The name of the step. */
  detail?: string;
  about?: About;
  link?: Place;
}

interface Place {
  to: string;
  search?: Record<string, string>;
}

/** Returns the page of an event. Causes write a position in the ledger as `1:2:3`, but addresses write `1-2-3`. */
const eventAt = (id: string): Place => ({ to: `integration/inspector/${encodeURIComponent(id.replaceAll(':', '-'))}` });

/** Returns the author of something: `campaign <code>`, or an account. */
function madeBy(by: string): CauseWords {
  const campaign = /^campaign (\S+)$/.exec(by)?.[1];
  if (campaign === undefined) return { text: by };
  return { text: 'campaign', about: { campaign }, link: { to: `campaigns/${campaign}` } };
}

/** Returns the text of one entry. Pure. */
export function lineOf(entry: TimelineEntry, userId: string): LineWords {
  const text = (...names: string[]) =>
    names
      .map((name) => entry[name])
      .filter((value) => value !== null && value !== undefined && value !== '')
      .join(' ');
  const listed = (...names: string[]) => names.flatMap((name) => text(name) || []);
  const orNull = (name: string) => text(name) || null;
  switch (entry.type) {
    case 'event': {
      const state = entry.verdict === 'applied' ? {} : { state: text('verdict') };
      return { kind: text('kind'), what: text('summary'), link: eventAt(text('position')), ...state };
    }
    case 'refresh':
      return { kind: 'refresh', codes: listed('look_up'), state: text('outcome'), why: orNull('reason') };
    case 'change':
      return {
        kind: 'change',
        codes: [text('changed'), entry.wanted === true ? '✓' : '✗'],
        state: text('state'),
        why: orNull('source'),
      };
    case 'transition':
      return { kind: text('kind'), codes: listed('consent_type'), why: orNull('source') };
    case 'bonus_intent':
      return {
        kind: 'bonus_intent',
        what: text('bonus_code', 'amount', 'currency'),
        state: text('state'),
        why: orNull('reason'),
        link: { to: `rewards/intents/${text('intent_id')}` },
        cause: madeBy(text('created_by')),
      };
    case 'message':
      return {
        kind: 'message',
        codes: listed('channel', 'event'),
        state: text('state'),
        why: orNull('reason'),
        link: messagePlace({ userId, channel: text('channel'), messageId: text('message_id') }),
        ...(entry.campaign_id !== null && { cause: madeBy(`campaign ${text('campaign_id')}`) }),
      };
    case 'run': {
      const id = orNull('cause_id');
      const link = id === null ? undefined : causeLink(text('cause'), id);
      return {
        kind: 'run',
        about: { campaign: text('campaign') },
        state: text('state'),
        why: orNull('reason'),
        link: { to: `runs/${text('run_id')}` },
        cause: {
          text: text('cause'),
          ...(id !== null && entry.cause === 'segment' && { about: { segment: id } }),
          ...(link && { link }),
        },
      };
    }
    case 'step':
      return {
        kind: 'run',
        about: { campaign: text('campaign') },
        what: `→ ${text('step')}`,
        state: text('state'),
        why: orNull('reason'),
        link: { to: `runs/${text('run_id')}` },
      };
    case 'segment': {
      const cause = (entry.cause ?? { type: '' }) as CauseOfTransition;
      const link = transitionCauseLink(cause);
      return {
        kind: 'segment',
        about: { segment: text('code') },
        state: text('transition'),
        link: { to: `segments/${text('code')}` },
        cause: {
          text: cause.type,
          ...(cause.code !== undefined && { about: { segment: cause.code } }),
          ...(link && { link }),
        },
      };
    }
    case 'decision': {
      const { kind, id } = entry.cause as { kind: string; id: string };
      const link = causeLink(kind, id, { userId, channel: text('channel') });
      return {
        kind: 'decision',
        // In a decision about a bonus, the channel and the purpose have the same value.
        codes: [...new Set(listed('channel', 'purpose'))],
        state: text('outcome'),
        why: orNull('reason'),
        link: { to: 'compliance/decisions', search: { user_id: userId, row: text('decision_id') } },
        cause: {
          ...(kind === 'run' ? { text: 'step', detail: id.slice(id.indexOf('/') + 1) } : { text: kind }),
          ...(link && { link }),
        },
      };
    }
    case 'tag':
      return { kind: 'tag', what: text('tag'), state: text('action'), cause: madeBy(text('by')) };
    case 'staff':
      return { kind: 'staff', codes: listed('action'), cause: { text: text('actor') } };
    default:
      return { kind: entry.type };
  }
}

export interface CauseOfTransition {
  type: string;
  /** Of an event, a message or an offer. */
  id?: string | undefined;
  /** The code of a segment. */
  code?: string | undefined;
}

/** Returns the page that shows why a player entered or left a segment, or why a run began. Pure. */
export function transitionCauseLink({ type, id, code }: CauseOfTransition): Place | undefined {
  const key = type === 'segment' ? code : id;
  return key === undefined ? undefined : causeLink(type, key);
}

/** Returns the page that shows the cause of something. For a message, pass the player and the channel. */
export function causeLink(kind: string, id: string, message?: { userId: string; channel: string }): Place | undefined {
  switch (kind) {
    case 'event':
      return eventAt(id);
    case 'segment':
      return { to: `segments/${id}` };
    case 'intent':
    case 'offer':
      return { to: `rewards/intents/${id}` };
    case 'bulk':
      return { to: `messages/bulk-actions/${id}` };
    case 'message':
      return message && messagePlace({ ...message, messageId: id });
    case 'run':
      // The id is `<run_id>/<step>`.
      return { to: `runs/${id.split('/', 1)[0]}` };
    default:
      return undefined;
  }
}

/** Returns a key that identifies an entry. */
export function entryKey(entry: TimelineEntry): string {
  // A run may reach a step more than once.
  if (entry.type === 'step') return `step ${entry.run_id} ${entry.step} ${entry.state} ${entry.at}`;
  const id = ['position', 'decision_id', 'audit_id', 'message_id', 'intent_id', 'run_id', 'transition_id', 'change_id']
    .map((name) => entry[name])
    .find((value) => value !== undefined);
  if (id === undefined) return JSON.stringify(entry);
  // The run of a campaign has two entries: its beginning and its end. One change may have several consents, each with its own entry.
  const parts: Record<string, unknown> = { run: entry.state, change: entry.changed };
  return [entry.type, id, parts[entry.type] ?? ''].join(' ').trim();
}
