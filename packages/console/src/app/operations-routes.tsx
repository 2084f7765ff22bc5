import { createRoute, Navigate } from '@tanstack/react-router';
import { filtersOf } from '../ui/filters.tsx';
import { lazyPage } from './lazy-page.tsx';
import { brand } from './roots.tsx';

/*
 * Routes of messages, integration, rewards, compliance and settings. Filters of lists are in the query string.
 */
type Load = Parameters<typeof lazyPage>[0];

const page = (path: string, load: Load, name: string) =>
  createRoute({
    getParentRoute: () => brand,
    path,
    validateSearch: filtersOf,
    component: lazyPage(load, name),
  });

const lead = (from: string, to: string) =>
  createRoute({
    getParentRoute: () => brand,
    path: from,
    component: () => {
      const { brand: code } = brand.useParams();
      // The redirect keeps the filters of the list.
      return <Navigate to={`/${code}/${to}` as '/'} search={true as never} replace />;
    },
  });

export const operationsRoutes = [
  lead('messages', 'messages/templates'),
  page('messages/templates', () => import('../pages/messages/templates.tsx'), 'Templates'),
  page('messages/templates/$code', () => import('../pages/messages/template.tsx'), 'Template'),
  page('messages/media', () => import('../pages/messages/media.tsx'), 'Media'),
  page('messages/sent', () => import('../pages/messages/sent/sent-messages.tsx'), 'SentMessages'),
  page('messages/sent/$id', () => import('../pages/messages/sent/sent-message.tsx'), 'SentMessage'),
  page('messages/bulk-actions', () => import('../pages/bulk/bulk-actions.tsx'), 'BulkActions'),
  page('messages/bulk-actions/$id', () => import('../pages/bulk/bulk-action.tsx'), 'BulkAction'),
  page('messages/recalls', () => import('../pages/bulk/recalls.tsx'), 'Recalls'),
  page('messages/contact-lists', () => import('../pages/messages/contact-lists/overview.tsx'), 'ContactLists'),
  page(
    'messages/contact-lists/$channel/$list',
    () => import('../pages/messages/contact-lists/list.tsx'),
    'ContactList',
  ),
  page('messages/new-template', () => import('../pages/messages/new-template.tsx'), 'NewTemplate'),
  lead('integration', 'integration/checklist'),
  page('integration/checklist', () => import('../pages/integration/checklist.tsx'), 'Checklist'),
  page('integration/keys', () => import('../pages/integration/keys.tsx'), 'Keys'),
  page('integration/operator', () => import('../pages/integration/operator.tsx'), 'Operator'),
  page('integration/inspector', () => import('../pages/integration/inspector.tsx'), 'Inspector'),
  page('integration/inspector/$position', () => import('../pages/integration/event.tsx'), 'InspectedEvent'),
  page('integration/quarantine', () => import('../pages/integration/quarantine.tsx'), 'QuarantineList'),
  page('integration/quarantine/$id', () => import('../pages/integration/quarantined.tsx'), 'Quarantined'),
  page('integration/conflicts', () => import('../pages/integration/conflicts.tsx'), 'Conflicts'),
  // This is the former address of the page. The redirect keeps the filters of the list.
  lead('integration/contradictions', 'integration/conflicts'),
  page('integration/write-backs', () => import('../pages/integration/write-backs.tsx'), 'WriteBacks'),
  page('integration/rounds', () => import('../pages/integration/rounds.tsx'), 'OddRounds'),
  page('integration/parked', () => import('../pages/integration/parked.tsx'), 'Parked'),
  page('integration/reconciliations', () => import('../pages/integration/reconciliations.tsx'), 'Reconciliations'),
  page('integration/reconciliations/$id', () => import('../pages/integration/reconciliation.tsx'), 'Reconciliation'),
  page('integration/resyncs', () => import('../pages/integration/resyncs.tsx'), 'Resyncs'),
  page('integration/rebuilds', () => import('../pages/integration/rebuilds.tsx'), 'Rebuilds'),
  page('integration/rebuilds/$id', () => import('../pages/integration/rebuild.tsx'), 'Rebuild'),
  page('integration/history', () => import('../pages/integration/history.tsx'), 'History'),
  page('integration/site-script', () => import('../pages/integration/site-script.tsx'), 'SiteScript'),
  lead('rewards', 'rewards/intents'),
  page('rewards/intents', () => import('../pages/rewards/intents.tsx'), 'Intents'),
  page('rewards/intents/$id', () => import('../pages/rewards/intent.tsx'), 'Intent'),
  page('rewards/budgets', () => import('../pages/rewards/budgets.tsx'), 'Budgets'),
  page('rewards/approvals', () => import('../pages/rewards/approvals.tsx'), 'Approvals'),
  page('rewards/bonus-list', () => import('../pages/rewards/bonus-list.tsx'), 'BonusList'),
  lead('compliance', 'compliance/decisions'),
  page('compliance/decisions', () => import('../pages/compliance/decisions.tsx'), 'Decisions'),
  page('compliance/holds', () => import('../pages/compliance/holds.tsx'), 'Holds'),
  page('compliance/exclusions', () => import('../pages/compliance/exclusions.tsx'), 'Exclusions'),
  page('compliance/consents', () => import('../pages/compliance/exclusions.tsx'), 'Consents'),
  page('compliance/suppressions', () => import('../pages/compliance/suppressions.tsx'), 'Suppressions'),
  page('compliance/privacy', () => import('../pages/compliance/privacy.tsx'), 'Privacy'),
  page('compliance/chain', () => import('../pages/compliance/chain.tsx'), 'Chain'),
  page('compliance/contact-rules', () => import('../pages/compliance/contact-rules.tsx'), 'ContactRules'),
  page('compliance/policies', () => import('../pages/compliance/policies.tsx'), 'Policies'),
  lead('settings', 'settings/brand'),
  page('settings/brand', () => import('../pages/settings/brand.tsx'), 'BrandSettings'),
  page('settings/brands', () => import('../pages/settings/brands.tsx'), 'Brands'),
  page('settings/channels', () => import('../pages/settings/channels.tsx'), 'Channels'),
  page('settings/channels/$channel', () => import('../pages/settings/channel.tsx'), 'Channel'),
  page('settings/push', () => import('../pages/settings/push.tsx'), 'Push'),
  page('settings/accounts', () => import('../pages/settings/accounts.tsx'), 'Accounts'),
  page('settings/audit', () => import('../pages/settings/audit.tsx'), 'Audit'),
  page('settings/profile', () => import('../pages/settings/profile.tsx'), 'Profile'),
];
