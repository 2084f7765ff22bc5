/**
 * The topics of which an open console is notified, with their tables. A page reloads its lists when its topic has changed, so
 * extra notifications are harmless, but none may be missing.
 */
export const topicTables = {
  overview: [
    'feed_minute',
    'parked_event',
    'segment_player_failure',
    'quarantine',
    'operator_endpoint_minute',
    'operator_circuit',
    'gate_hold',
    'bonus_intent',
    'worker',
  ],
  feed: ['feed_minute', 'parked_event', 'late_event', 'round'],
  quarantine: ['quarantine'],
  refused_calls: ['refused_call'],
  players: [
    'player',
    'player_activity',
    'player_profile',
    'player_sync',
    'player_consent',
    'player_block',
    'player_protection',
    'player_tag',
    'segment_member',
    'campaign_run',
    'notification',
    'email_message',
    'called_message',
    'bonus_intent',
    'write_back_item',
  ],
  segments: [
    'segment',
    'segment_version',
    'segment_active',
    'segment_computation',
    'segment_member',
    'segment_player_failure',
  ],
  campaigns: [
    'campaign',
    'campaign_version',
    'campaign_active',
    'campaign_run',
    'campaign_run_step',
    'campaign_backtest',
  ],
  rewards: ['bonus_intent', 'bonus_attempt', 'bonus_budget', 'bonus_budget_use', 'bonus_resolution_request'],
  compliance: ['gate_decision', 'protection_transition', 'protection_delivery', 'erasure'],
  holds: ['gate_hold'],
  bulk: ['bulk_action', 'bulk_progress', 'bulk_count', 'bulk_player'],
  messages: ['notification_recall', 'list_entry', 'notification', 'email_message', 'called_message'],
  templates: ['template', 'template_version'],
  push: ['push_key', 'push_subscription', 'push_delivery'],
  audit: ['console_audit'],
  operations: [
    'reconciliation',
    'reconciliation_drift',
    'resync',
    'rebuild',
    'rebuild_difference',
    'operator_endpoint',
    'sync_problem',
    'write_back_item',
    'channel_health',
  ],
} as const;

export type Topic = keyof typeof topicTables;

export const topics = Object.keys(topicTables) as Topic[];

/** The topics of tables that were written between two readings. A table that is not in the first does not count. Pure. */
export function changedTopics(before: ReadonlyMap<string, number>, now: ReadonlyMap<string, number>): Topic[] {
  const hasChanged = (table: string) => before.has(table) && before.get(table) !== now.get(table);
  return topics.filter((topic) => topicTables[topic].some(hasChanged));
}
