import * as accounts from './accounts/endpoints.ts';
import * as audit from './audit/endpoints.ts';
import * as bonusList from './bonus-list/endpoints.ts';
import * as brands from './brands/endpoints.ts';
import * as budgets from './budgets/endpoints.ts';
import * as contactability from './compliance/contactability-endpoints.ts';
import * as decisions from './compliance/decision-endpoints.ts';
import * as decisionExports from './compliance/export-endpoints.ts';
import * as transitions from './compliance/transition-endpoints.ts';
import * as contradictions from './contradictions/endpoints.ts';
import * as draws from './draws/endpoints.ts';
import * as feed from './feed/endpoints.ts';
import * as games from './games/endpoints.ts';
import * as history from './history/endpoints.ts';
import * as keys from './keys/endpoints.ts';
import * as messages from './messages/endpoints.ts';
import * as overview from './overview/endpoints.ts';
import * as balances from './players/balance-endpoints.ts';
import * as bets from './players/bet-endpoints.ts';
import * as blocks from './players/block-endpoints.ts';
import * as bonuses from './players/bonus-endpoints.ts';
import * as carts from './players/cart-endpoints.ts';
import * as consents from './players/consent-endpoints.ts';
import * as players from './players/endpoints.ts';
import * as namedEvents from './players/named-event-endpoints.ts';
import * as payments from './players/payment-endpoints.ts';
import * as rounds from './players/round-endpoints.ts';
import * as sessions from './players/session-endpoints.ts';
import * as tickets from './players/ticket-endpoints.ts';
import * as timeline from './players/timeline-endpoints.ts';
import * as unsubscribeLinks from './players/unsubscribe-link-endpoints.ts';
import * as writeBacks from './players/write-back-endpoints.ts';
import * as privacy from './privacy/endpoints.ts';
import * as push from './push/endpoints.ts';
import * as quarantine from './quarantine/endpoints.ts';
import * as rebuilds from './rebuilds/endpoints.ts';
import * as reconciliations from './reconciliations/endpoints.ts';
import * as rewards from './rewards/endpoints.ts';
import * as rollups from './rollups/endpoints.ts';
import type { Endpoint } from './routing/endpoint.ts';
import * as rules from './rules/endpoints.ts';
import * as segmentation from './segmentation/endpoints.ts';
import * as sync from './sync/endpoints.ts';
import * as resyncs from './sync/resync-endpoints.ts';
import * as templates from './templates/endpoints.ts';
import * as traits from './traits/endpoints.ts';

const resources = [
  accounts,
  brands,
  overview,
  players,
  consents,
  blocks,
  writeBacks,
  payments,
  rounds,
  bonuses,
  rewards,
  messages,
  templates,
  push,
  carts,
  sessions,
  balances,
  namedEvents,
  bets,
  tickets,
  timeline,
  unsubscribeLinks,
  games,
  draws,
  traits,
  rollups,
  feed,
  contradictions,
  quarantine,
  history,
  rebuilds,
  sync,
  resyncs,
  reconciliations,
  segmentation,
  rules,
  contactability,
  decisions,
  decisionExports,
  transitions,
  privacy,
  bonusList,
  budgets,
  keys,
  audit,
];

/** Every endpoint of the console API, in the order of the documentation. A test compares it with the routes served. */
export const consoleEndpoints: readonly Endpoint[] = resources.flatMap((resource) =>
  Object.values<unknown>(resource).filter(isEndpoint),
);

/** Modules of endpoints also export what their routes share with them. */
function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'may' in exported && 'path' in exported;
}
