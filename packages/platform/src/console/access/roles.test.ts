import { describe, expect, test } from 'vitest';
import { allows, type Grant, type Permission, permissions, type Role, reaches, roles, rolesWith } from './roles.ts';

const malta = { brand_id: 1 };
const sweden = { brand_id: 2 };
const at = (brand_id: number | null, role: Role): Grant[] => [{ brand_id, role }];

describe('grants', () => {
  test('a role at one brand gives no permission at another', () => {
    const grants = at(1, 'crm');
    expect(reaches(grants, malta)).toBe(true);
    expect(reaches(grants, sweden)).toBe(false);
    expect(allows(grants, 'player.read', malta)).toBe(true);
    expect(allows(grants, 'player.read', sweden)).toBe(false);
  });

  test('a role at all brands is valid at each, and for what belongs to no brand', () => {
    expect(allows(at(null, 'admin'), 'key.manage', sweden)).toBe(true);
    expect(allows(at(null, 'admin'), 'account.manage', null)).toBe(true);
    expect(allows(at(1, 'admin'), 'account.manage', null)).toBe(false);
    expect(allows(at(1, 'admin'), 'brand.create', null)).toBe(false);
  });

  test('the roles of one account are combined', () => {
    const grants = [...at(1, 'viewer'), ...at(1, 'integrator')];
    expect(allows(grants, 'event.repair', malta)).toBe(true);
    expect(allows(grants, 'personal.read', malta)).toBe(false);
  });

  test('without a grant, no permission', () => {
    expect(allows([], 'brand.read', malta)).toBe(false);
  });
});

/** The type requires every permission, so a new permission does not compile until its roles are listed here. */
const holders: Record<Permission, readonly Role[]> = {
  'brand.read': roles,
  'player.read': roles,
  'event.read': roles,
  'personal.read': ['admin', 'crm', 'compliance'],
  'personal.reveal': ['admin', 'crm', 'compliance', 'support'],
  'segment.manage': ['admin', 'crm'],
  'brand.create': ['admin'],
  'brand.manage': ['admin'],
  'channel.manage': ['admin'],
  'campaign.manage': ['admin', 'crm'],
  'campaign.backtest': ['admin', 'crm', 'analyst'],
  'player.tag': ['admin', 'crm'],
  'player.refresh': ['admin', 'crm', 'integrator', 'compliance', 'support'],
  'player.protect': ['admin', 'crm', 'compliance', 'support'],
  'player.resync': ['admin', 'crm', 'integrator', 'compliance'],
  'player.reconcile': ['admin', 'crm', 'integrator', 'compliance'],
  'bonus.credit': ['admin', 'crm'],
  'bonus.resolve': ['admin', 'crm'],
  'message.send': ['admin', 'crm'],
  'template.manage': ['admin', 'crm'],
  'message.recall': ['admin', 'crm', 'compliance'],
  'budget.manage': ['admin', 'crm'],
  'event.repair': ['admin', 'integrator'],
  'state.rebuild': ['admin', 'integrator'],
  'key.manage': ['admin', 'integrator'],
  'decision.export': ['admin', 'compliance'],
  'list.export': ['admin', 'crm', 'compliance', 'analyst'],
  'player.export': ['admin', 'compliance'],
  'player.erase': ['admin', 'compliance'],
  'audit.read': ['admin', 'compliance'],
  'account.manage': ['admin'],
};

test.each(Object.entries(holders))('%s is held by %j', (permission, expected) => {
  expect(rolesWith(permission as Permission)).toEqual(expected);
});

test('the table above names every permission', () => {
  expect(Object.keys(holders).toSorted()).toEqual(Object.keys(permissions).toSorted());
});
