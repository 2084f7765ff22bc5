import type { ClientBase, Pool } from 'pg';
import type { Brand } from '../../brands/index.ts';
import type { Clock } from '../../clock.ts';
import type { Access } from '../access/access.ts';
import type { AuditDetails } from './detail-names.ts';
import { insertAudit } from './store.ts';

/** Actions in the console that others must be able to look up later. One name per action, never changed. */
export type AuditAction =
  | 'account.created'
  | 'account.disabled'
  | 'account.enabled'
  | 'account.grants_changed'
  | 'account.password_set'
  | 'account.second_factor_added'
  | 'account.second_factor_removed'
  | 'account.second_factor_refused'
  | 'account.second_factors_reset'
  | 'account.second_factor_rule_changed'
  | 'account.passkey_renamed'
  | 'account.recovery_codes_made'
  | 'account.identity_linked'
  | 'account.identity_unlinked'
  | 'session.refused'
  | 'session.opened'
  | 'session.ended'
  | 'bonus.ordered'
  | 'bonus.offered'
  | 'bonus.claimed'
  | 'bonus.cancelled'
  | 'bonus.resolved'
  | 'bulk.ordered'
  | 'bulk.cancelled'
  | 'budget.created'
  | 'budget.changed'
  | 'budget.closed'
  | 'brand.created'
  | 'brand.changed'
  | 'brand.contact_rules_changed'
  | 'channel.changed'
  | 'channel.tested'
  | 'decisions.exported'
  | 'email.suppressed'
  | 'email.unsuppressed'
  | 'sms.suppressed'
  | 'sms.unsuppressed'
  | 'key.created'
  | 'key.revoked'
  | 'list.exported'
  | 'list.outcome'
  | 'media.added'
  | 'media.deleted'
  | 'message.sent'
  | 'message.recalled'
  | 'message.campaign_recalled'
  | 'operator.tested'
  | 'push_key.rotated'
  | 'template.created'
  | 'template.changed'
  | 'template.deleted'
  | 'template.test_sent'
  | 'player.revealed'
  | 'player.refresh_requested'
  | 'player.exported'
  | 'player.erasure_requested'
  | 'player.erasure_cancelled'
  | 'player.consents_changed'
  | 'player.block_changed'
  | 'player.unsubscribe_link_read'
  | 'reconciliation.requested'
  | 'reconciliation.cancelled'
  | 'reconciliation.approved'
  | 'reconciliation.rejected'
  | 'campaign.created'
  | 'campaign.changed'
  | 'campaign.published'
  | 'campaign.approved'
  | 'campaign.rejected'
  | 'campaign.paused'
  | 'campaign.resumed'
  | 'campaign.stopped'
  | 'campaign.ramped'
  | 'campaign.entered'
  | 'campaign.deleted'
  | 'campaign.backtested'
  | 'campaign.backtest_cancelled'
  | 'segment.created'
  | 'segment.changed'
  | 'segment.published'
  | 'segment.cancelled'
  | 'segment.frozen'
  | 'segment.recomputed'
  | 'segment.paused'
  | 'segment.resumed'
  | 'segment.deleted'
  | 'campaign.exported'
  | 'segment.exported'
  | 'player.tagged'
  | 'resync.requested'
  | 'resync.paused'
  | 'resync.continued'
  | 'resync.cancelled'
  | 'rebuild.requested'
  | 'rebuild.cancelled'
  | 'too_old.imported'
  | 'quarantine.read'
  | 'quarantine.reinjected'
  | 'quarantine.dismissed';

/** Details whose names are all in `detailNames`: a value of any other name does not compile. */
type Named<Details> = Details & { [Name in Exclude<keyof Details, keyof AuditDetails>]?: never };

/**
 * Writes one row of the audit. Subjects are ids of records, and details contain no personal data, so that a row can stay when a
 * player is erased (docs/reference/design.md 7).
 */
export async function record<Details extends object>(
  deps: { pool: Pool; clock: Clock },
  access: Pick<Access, 'account_id' | 'actor'>,
  entry: { action: AuditAction; brand: Pick<Brand, 'brand_id'> | null; subject: string; details?: Named<Details> },
  db: Pool | ClientBase = deps.pool,
): Promise<void> {
  await insertAudit(db, {
    at: deps.clock(),
    account_id: access.account_id,
    actor: access.actor,
    brand_id: entry.brand?.brand_id ?? null,
    action: entry.action,
    subject: entry.subject,
    details: { ...entry.details },
  });
}
