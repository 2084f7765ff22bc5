import { createHash } from 'node:crypto';
import { reasonsAbove } from '@croupier/campaigns';
import { canonicalJson, type FieldError, type Micros } from '@croupier/contracts';
import type { ClientBase, PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import { approvalLimits } from '../campaigns/index.ts';
import { checkSaid } from '../channels/index.ts';
import { WordedError, type Words } from '../language.ts';
import { type Audience, audienceOf, countAudience } from '../segments/audience/index.ts';
import { readSegments, readVersions, type StoredSegment, segmentStateOf } from '../segments/membership/index.ts';
import type { Does } from './action.ts';
import * as store from './store.ts';

/** The reason for refusing an order or a cancellation, in words for the caller. */
export class BulkRefused extends WordedError {
  override name = 'BulkRefused';
  readonly kind: 'not_found' | 'conflict' | 'invalid';
  readonly errors: readonly (Omit<FieldError, 'message'> & { message: Words })[];
  /** English sentences that follow the words, in the words of `reasonsAbove`. */
  readonly reasons: readonly string[];

  constructor(
    kind: BulkRefused['kind'],
    words: Words,
    { errors = [], reasons = [] }: Partial<Pick<BulkRefused, 'errors' | 'reasons'>> = {},
  ) {
    super(words);
    this.kind = kind;
    this.errors = errors;
    this.reasons = reasons;
  }
}

export interface BulkOrder {
  brand: Brand;
  /** Code of the segment. */
  segment: string;
  does: Does;
  per_second: number;
  /** A repeated order with the same key creates no second action. */
  request_key: string | null;
}

export interface Ordered {
  action_id: number;
  repeated: boolean;
}

/**
 * Orders an action in the transaction of the caller, who also writes the audit. This function sends nothing. Workers do that
 * later.
 *
 * @throws {BulkRefused}
 * @throws {UnfitNotification} if the text is invalid for every player
 */
export async function orderBulk(
  tx: PoolClient,
  { brand, segment: code, does, per_second, request_key }: BulkOrder,
  by: { at: Micros; actor: string },
): Promise<Ordered> {
  const { brand_id } = brand;
  const request_digest = request_key === null ? null : digestOf([code, does, per_second]);
  const before = request_key === null ? undefined : await store.readRequested(tx, brand_id, request_key);
  if (before !== undefined) return repeated(before, request_digest);
  // The segment is locked, so that it cannot be deleted in the meantime.
  const [segment] = await readSegments(tx, brand_id, { code, lock: true });
  if (segment === undefined) throw unknownSegment(code);
  const members = await countAudience(tx, await audienceInForce(tx, segment));
  if (members === 0)
    throw new BulkRefused('conflict', { en: 'the segment has no members', de: 'Das Segment hat keine Mitglieder' });
  refuseAboveLimits(brand, does, members);
  await refuseUnfit(tx, brand, does, by.at);
  const action = { brand_id, segment_id: segment.segment_id, segment_code: code, does, per_second };
  const action_id = await store.insertAction(tx, { ...action, request_key, request_digest }, by);
  if (action_id !== undefined) return { action_id, repeated: false };
  const meanwhile = await store.readRequested(tx, brand_id, request_key as string);
  if (meanwhile === undefined) throw new Error('the action was not stored');
  return repeated(meanwhile, request_digest);
}

function repeated(before: { action_id: number; request_digest: string }, digest: string | null): Ordered {
  if (before.request_digest !== digest)
    throw new BulkRefused('conflict', {
      en: `Idempotency-Key: the key belongs to the bulk action ${before.action_id}`,
      de: `Idempotency-Key: Der Schlüssel gehört zur Sammelaktion ${before.action_id}`,
    });
  return { action_id: before.action_id, repeated: true };
}

/** An order cannot wait for the approval of a second person, so it must not exceed what one person may publish. */
function refuseAboveLimits({ settings }: Brand, does: Does, players: number): void {
  const baseCurrency = settings.base_currency;
  const bonuses =
    does.kind === 'offer'
      ? [{ name: does.bonus_code, amount: does.currency?.toUpperCase() === baseCurrency ? does.amount : null }]
      : [];
  const reasons = reasonsAbove(approvalLimits(settings), { players, baseCurrency, bonuses, times: 1 });
  if (reasons.length === 0) return;
  throw new BulkRefused(
    'conflict',
    {
      en: 'a second person must approve this; publish a campaign that contacts the segment',
      de: 'Eine zweite Person muss dies freigeben; veröffentlichen Sie eine Kampagne für das Segment',
    },
    { reasons },
  );
}

/**
 * Returns the members that an order on this segment would reach now. They may be none.
 *
 * @throws {BulkRefused} if there is no such segment, or its members are not current
 */
export async function usableAudience(db: ClientBase, brandId: number, code: string): Promise<Audience> {
  const [segment] = await readSegments(db, brandId, { code });
  if (segment === undefined) throw unknownSegment(code);
  return audienceInForce(db, segment);
}

/** Refuses a segment whose members are not current. To use such members, a person freezes the segment first. */
async function audienceInForce(db: ClientBase, segment: StoredSegment): Promise<Audience> {
  const versions = await readVersions(db, [segment.segment_id]);
  const audience = await audienceOf(db, segment.segment_id);
  if (audience !== undefined) return audience;
  const state = segmentStateOf(
    versions.map((one) => one.state),
    segment.paused,
  );
  throw new BulkRefused('conflict', whyUnusable[state === 'live' ? 'computing' : state]);
}

function unknownSegment(code: string): BulkRefused {
  return new BulkRefused('not_found', {
    en: `the segment ${code} does not exist`,
    de: `Das Segment ${code} gibt es nicht`,
  });
}

const whyUnusable = {
  draft: {
    en: 'the segment was never published and has no members; publish it first',
    de: 'Das Segment wurde nie veröffentlicht und hat keine Mitglieder; veröffentlichen Sie es zuerst',
  },
  computing: {
    en: 'the segment is being computed and has no members yet; retry when it is live',
    de: 'Das Segment wird berechnet und hat noch keine Mitglieder; versuchen Sie es, sobald es in Kraft ist',
  },
  paused: {
    en: 'the segment is paused, so its members are not current; resume it, or freeze its members and publish them',
    de: 'Das Segment ist angehalten, deshalb sind seine Mitglieder nicht aktuell; setzen Sie es fort, oder frieren Sie seine Mitglieder ein und veröffentlichen Sie sie',
  },
  failed: {
    en: 'the segment failed, so its members are not current; recompute it, or change its rule',
    de: 'Das Segment ist fehlgeschlagen, deshalb sind seine Mitglieder nicht aktuell; berechnen Sie es neu, oder ändern Sie seine Regel',
  },
} as const;

async function refuseUnfit(tx: PoolClient, brand: Brand, does: Does, at: Micros): Promise<void> {
  if (does.expires_at !== null && does.expires_at <= at)
    refuse('expires_at', { en: 'expires_at must be in the future', de: 'expires_at muss in der Zukunft liegen' });
  if (does.kind === 'offer') return;
  if (does.channel === 'email' && brand.email === null)
    refuse('channel', {
      en: 'channel: the brand has no SMTP server; set `email` in its configuration',
      de: 'channel: Die Marke hat keinen SMTP-Server; setzen Sie `email` in ihrer Konfiguration',
    });
  const { channel, purpose, says } = does;
  await checkSaid(tx, { brand, channel, purpose, says });
}

function refuse(path: string, message: Words): never {
  throw new BulkRefused('invalid', message, { errors: [{ path, rule: 'invalid', message }] });
}

/**
 * Ends an action. It waits for a running portion. No call begins afterwards, because each sender of messages reads the state of the action
 * (channels/message-hold.ts). Workers then end the messages that are still unsent (withdraw.ts).
 *
 * @returns false if it was already cancelled
 * @throws {BulkRefused} if it is done
 */
export async function cancelBulk(
  tx: PoolClient,
  { brand_id, action_id }: { brand_id: number; action_id: number },
  by: { at: Micros; actor: string },
): Promise<boolean> {
  const progress = await store.lockProgress(tx, action_id, { skip: false });
  if (progress === undefined || progress.brand_id !== brand_id)
    throw new BulkRefused('not_found', {
      en: `the bulk action ${action_id} does not exist`,
      de: `Die Sammelaktion ${action_id} gibt es nicht`,
    });
  if (progress.state === 'cancelled') return false;
  if (progress.state === 'done')
    throw new BulkRefused('conflict', {
      en: 'the action is done: every player has an outcome',
      de: 'Die Aktion ist abgeschlossen: Jeder Spieler hat ein Ergebnis',
    });
  await store.saveProgress(tx, {
    ...progress,
    state: 'cancelled',
    waits_for: null,
    ended_up_to: 0,
    next_at: by.at,
    finished_at: by.at,
  });
  await store.markCancelled(tx, action_id, by);
  return true;
}

function digestOf(asked: unknown): string {
  return createHash('sha256').update(canonicalJson(asked)).digest('hex');
}
