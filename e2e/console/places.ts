/**
 * The pages on which a test runs axe, light and dark, in German. A name with $ is a placeholder, which the test replaces
 * with the name or id of an object. A test fails if a route of the console has no place here (places.test.ts).
 */
export const places = {
  /** console.e2e.test.ts, without an operator. */
  console: [
    'now',
    'live',
    'live?view=players',
    'players',
    'players/ann-1',
    'players/ann-1?tab=payments',
    'players/ann-1?tab=traits',
    'players/ann-1?tab=play',
    'players/ann-1?tab=sports',
    'players/ann-1?tab=lottery',
    'players/ann-1?tab=carts',
    'players/ann-1?tab=segments',
    'segments',
    'new-segment',
    'segments/high_rollers',
    'segments/high_rollers?tab=transitions',
    'segments/high_rollers?tab=rule',
    'segments/high_rollers?tab=versions',
    'segments/high_rollers?tab=overlap',
    'campaigns',
    'messages/templates',
    'messages/templates/welcome',
    'messages/media',
    'messages/new-template',
    'settings/channels/email',
  ],
  /** integration.e2e.test.ts */
  integration: [
    'integration/checklist',
    'integration/keys',
    'integration/operator',
    'integration/inspector',
    'integration/inspector/$position',
    'integration/quarantine',
    'integration/quarantine/$id',
    'integration/conflicts',
    'integration/parked',
    'integration/rounds',
    'integration/write-backs',
    'integration/reconciliations',
    'integration/rebuilds',
    'integration/rebuilds/$id',
    'integration/history',
    'integration/site-script',
  ],
  /** operations.e2e.test.ts, with an operator. */
  operations: [
    'rewards/intents',
    'rewards/intents/$id',
    'rewards/budgets',
    'rewards/approvals',
    'rewards/bonus-list',
    'integration/reconciliations/$id',
    'compliance/decisions',
    'compliance/exclusions',
    'compliance/holds',
    'compliance/consents',
    'compliance/privacy',
    'compliance/chain',
    'compliance/contact-rules',
    'compliance/policies',
    'settings/brand',
    'settings/brands',
    'settings/channels',
    'settings/push',
    'settings/accounts',
    'settings/audit',
    'settings/profile',
  ],
  /** staff-actions.e2e.test.ts, with an operator. */
  staffActions: [
    'compliance/suppressions',
    'messages/contact-lists',
    'messages/contact-lists/telephone/vip',
    'integration/resyncs',
    'players/ann-1?tab=messages',
    'players/ann-1?tab=bonuses',
  ],
  /** bulk-actions.e2e.test.ts, with an operator. */
  bulk: ['messages/bulk-actions', 'messages/bulk-actions/$action', 'messages/recalls', 'segments/$segment'],
  /** messages.e2e.test.ts */
  messages: [
    'messages/sent',
    'messages/sent?list=site&state=held',
    'messages/sent?list=push',
    'messages/sent/email-$email',
    'messages/sent/sms-$sms',
  ],
  /** campaign-editor.e2e.test.ts */
  campaigns: [
    'campaigns',
    'new-campaign',
    'campaigns/$code',
    'campaigns/$code?view=list',
    'campaigns/$code?view=document',
    'campaigns/$code?tab=try',
    'campaigns/$code?tab=try&try=dry-run',
    'campaigns/$code?tab=try&try=backtest',
    'campaigns/$code?tab=try&try=forecast',
    'campaigns/$code?tab=results',
    'campaigns/$code?tab=runs',
    'campaigns/$code?tab=versions',
    'runs/$id',
  ],
} as const;

/**
 * Time limit of a test that runs axe on one of these lists, in milliseconds. A page takes up to 6 s while other tests use both cores.
 */
export const axeLoopMs = 240_000;
