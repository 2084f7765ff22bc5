import type { Brand } from '../../brands/index.ts';

/**
 * Who may do what in the console.
 *
 * A route names one permission, an account holds roles at brands, and this table joins them. Routes never ask for a
 * role: a new role is then one column here, and no route changes.
 */
export const permissions = {
  'brand.read': 'see a brand: overview, go-live steps, health, lists of what is wrong',
  'player.read': 'see players and what was derived from their events, personal data masked',
  'personal.read': 'see personal data unmasked, and search players by e-mail',
  'personal.reveal':
    'see the personal data of one player for a reason that the audit keeps, and find a player by a whole e-mail',
  'player.refresh': "fetch a player's details, consents and blocks from the operator now",
  'bonus.credit': 'have bonuses and funds credited, offer, claim and cancel them',
  'bonus.resolve': 'say what happened to a bonus whose outcome is unknown',
  'budget.manage': 'make, change and close budgets of bonuses',
  'message.send': 'write messages to players, one or all of a segment',
  'message.recall': 'take messages out of inboxes, one or those of a campaign; cancel messages and offers to a segment',
  'template.manage': 'write, change and delete templates of messages',
  'channel.manage': 'set up the channels of a brand: providers, their credentials and rates',
  'segment.manage': 'make, change, publish, freeze and delete segments',
  'campaign.manage': 'make, change, publish, pause and stop campaigns, and have players enter them',
  'campaign.backtest': 'run drafts of campaigns over the events of past days, and cancel such trials',
  'player.tag': 'set tags of players and take them away',
  'player.protect': 'change consents of a player, set and take away blocks',
  'player.resync': 'fetch what the operator says of many players anew, pause and cancel such runs',
  'player.reconcile': 'compare user sets with the operator, cancel runs, decide about held lists',
  'event.read': 'see the event feed, timelines and the list of quarantined events',
  'event.repair': 'read a quarantined body in full, re-inject it or dismiss it; import too-old events',
  'state.rebuild': 'have derived state recomputed from the ledger, and exchanged where it differs',
  'key.manage': 'list, create and revoke API keys, make new push keys',
  'decision.export': 'export the decisions of the gate with their proofs, and verify their chain',
  'list.export': 'download lists of players as files: members of segments, results of campaigns',
  'player.export': 'export everything that is known of a player',
  'player.erase': 'erase a player for good',
  'audit.read': 'see who changed what at a brand',
  'account.manage': 'create, change and disable console accounts',
} as const;

export type Permission = keyof typeof permissions;

/** Permissions over what belongs to no brand: a role at one brand does not give them. */
export const ofInstallation: ReadonlySet<Permission> = new Set(['account.manage'] as const);

export const roles = ['admin', 'crm', 'integrator', 'compliance', 'support', 'analyst', 'viewer'] as const;
export type Role = (typeof roles)[number];

const reading = ['brand.read', 'player.read', 'event.read'] as const satisfies readonly Permission[];

/** The table of who may do what. */
export const permissionsOf: Record<Role, readonly Permission[]> = {
  admin: Object.keys(permissions) as Permission[],
  crm: [
    ...reading,
    'personal.read',
    'personal.reveal',
    'player.refresh',
    'player.protect',
    'player.resync',
    'player.reconcile',
    'bonus.credit',
    'bonus.resolve',
    'budget.manage',
    'message.send',
    'message.recall',
    'template.manage',
    'segment.manage',
    'campaign.manage',
    'campaign.backtest',
    'list.export',
    'player.tag',
  ],
  // An integrator repairs messages and keys, and sees no more of a player than that needs.
  integrator: [
    ...reading,
    'player.refresh',
    'player.resync',
    'player.reconcile',
    'event.repair',
    'state.rebuild',
    'key.manage',
  ],
  compliance: [
    ...reading,
    'personal.read',
    'personal.reveal',
    'player.refresh',
    'player.protect',
    'player.resync',
    'player.reconcile',
    'message.recall',
    'decision.export',
    'list.export',
    'player.export',
    'player.erase',
    'audit.read',
  ],
  // Support answers one player at a time: it protects the player and asks the operator, and neither sends nor credits.
  support: [...reading, 'personal.reveal', 'player.refresh', 'player.protect'],
  // An analyst works on numbers and lists of ids, and changes nothing that reaches a player.
  analyst: [...reading, 'campaign.backtest', 'list.export'],
  viewer: reading,
};

/** A role at one brand, or at every brand when `brand_id` is null. */
export interface Grant {
  brand_id: number | null;
  role: Role;
}

/** Roles that hold the permission, for the API's documentation. */
export function rolesWith(permission: Permission): Role[] {
  return roles.filter((role) => permissionsOf[role].includes(permission));
}

/** True when the grants reach the brand at all. Without that an account is told that there is no such brand. */
export function reaches(grants: readonly Grant[], brand: Pick<Brand, 'brand_id'>): boolean {
  return grants.some((grant) => grant.brand_id === null || grant.brand_id === brand.brand_id);
}

/**
 * True when the grants hold the permission at the brand. For what belongs to no brand (`brand` null: accounts) only
 * grants at all brands count.
 */
export function allows(
  grants: readonly Grant[],
  permission: Permission,
  brand: Pick<Brand, 'brand_id'> | null,
): boolean {
  return grants.some(
    (grant) =>
      (grant.brand_id === null || grant.brand_id === brand?.brand_id) && permissionsOf[grant.role].includes(permission),
  );
}
