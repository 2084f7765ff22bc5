import type { Brand } from '../../brands/index.ts';

/**
 * The permissions of roles in the console.
 *
 * A route names one permission, an account holds roles at brands, and this table connects them. Routes never check a role, so a
 * new role is one column here, and no route changes.
 */
export const permissions = {
  'brand.read': 'see a brand: overview, go-live steps, health, lists of problems',
  'player.read': 'see players and the data derived from their events, with personal data masked',
  'personal.read': 'see personal data unmasked, and search players by e-mail',
  'personal.reveal':
    'see the personal data of one player for a reason that the audit records, and find a player by e-mail',
  'player.refresh': "refresh a player's details, consents and blocks from the operator",
  'bonus.credit': 'credit, offer, claim and cancel bonuses and funds',
  'bonus.resolve': 'resolve bonuses with an unknown outcome',
  'budget.manage': 'create, change and close bonus budgets',
  'message.send': 'send messages to a player or to all members of a segment',
  'message.recall': 'recall messages, one or all of a campaign; cancel bulk messages and offers',
  'template.manage': 'create, change and delete message templates',
  'brand.create': 'create brands',
  'brand.manage': 'change the settings of a brand: zones, limits, its operator, its mail server',
  'channel.manage': 'set up the channels of a brand: providers, their credentials and rates',
  'segment.manage': 'create, change, publish, freeze and delete segments',
  'campaign.manage': 'create, change, publish, pause and stop campaigns, and enter players into them',
  'campaign.backtest': 'run backtests of campaigns, and cancel them',
  'player.tag': 'set and remove tags of players',
  'player.protect': 'change consents of a player, set and remove blocks',
  'player.resync': 'start, pause and cancel re-synchronizations',
  'player.reconcile': 'start and cancel reconciliations, approve or reject held lists',
  'event.read': 'see the event feed, timelines and the list of quarantined events',
  'event.repair': 'read a quarantined body, re-inject or dismiss it; import too-old events',
  'state.rebuild': 'recompute derived state from the ledger, and replace what differs',
  'key.manage': 'list, create and revoke API keys, create new push keys',
  'decision.export': 'export decisions of the gate with their proofs, and verify the chain',
  'list.export': 'download lists of players as files: members of segments, results of campaigns',
  'player.export': 'export everything known about a player',
  'player.erase': 'erase a player permanently',
  'audit.read': 'see who changed what at a brand',
  'account.manage': 'create, change and disable console accounts',
} as const;

export type Permission = keyof typeof permissions;

/** Permissions for things that belong to no brand. A role at a single brand does not give them. */
export const ofInstallation: ReadonlySet<Permission> = new Set(['account.manage', 'brand.create'] as const);

export const roles = ['admin', 'crm', 'integrator', 'compliance', 'support', 'analyst', 'viewer'] as const;
export type Role = (typeof roles)[number];

const reading = ['brand.read', 'player.read', 'event.read'] as const satisfies readonly Permission[];

/** The permissions of each role. */
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
  // An integrator corrects events and manages keys. It sees personal data only in quarantined events.
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
  // Support helps one player at a time. It can protect the player and request look-ups at the operator. It cannot send
  // messages or credit bonuses.
  support: [...reading, 'personal.reveal', 'player.refresh', 'player.protect'],
  // An analyst works on numbers and lists of ids, and changes nothing that reaches a player.
  analyst: [...reading, 'campaign.backtest', 'list.export'],
  viewer: reading,
};

/** A role at one brand, or at every brand if `brand_id` is null. */
export interface Grant {
  brand_id: number | null;
  role: Role;
}

/** Roles with this permission, for the API's documentation. */
export function rolesWith(permission: Permission): Role[] {
  return roles.filter((role) => permissionsOf[role].includes(permission));
}

/** True if any grant covers the brand. Otherwise the API answers that the brand does not exist. */
export function reaches(grants: readonly Grant[], brand: Pick<Brand, 'brand_id'>): boolean {
  return grants.some((grant) => grant.brand_id === null || grant.brand_id === brand.brand_id);
}

/**
 * True if the grants include the permission at the brand. If `brand` is null, the call belongs to no brand (for example
 * accounts), and only grants at all brands count.
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
