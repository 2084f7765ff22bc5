import * as proofs from './accounts/proof-routes.ts';
import * as accounts from './accounts/routes.ts';
import * as secondFactorAdmin from './accounts/second-factor/admin-routes.ts';
import * as ownSecondFactors from './accounts/second-factor/own-routes.ts';
import * as secondFactorSignIn from './accounts/second-factor/sign-in-routes.ts';
import * as accountSessions from './accounts/session-list-routes.ts';
import * as singleSignOn from './accounts/single-sign-on/routes.ts';
import * as audit from './audit/routes.ts';
import * as bonusList from './bonus-list/routes.ts';
import * as contactRules from './brands/contact-rules.ts';
import * as brands from './brands/routes.ts';
import * as brandSettings from './brands/settings-routes.ts';
import * as budgetChanges from './budgets/change-routes.ts';
import * as budgets from './budgets/routes.ts';
import * as bulk from './bulk/endpoints.ts';
import * as backtests from './campaigns/backtest-endpoints.ts';
import * as dryRun from './campaigns/dry-run-endpoint.ts';
import * as campaignEditing from './campaigns/editing-endpoints.ts';
import * as campaigns from './campaigns/endpoints.ts';
import * as campaignResults from './campaigns/results-endpoints.ts';
import * as scenario from './campaigns/scenario-endpoint.ts';
import * as campaignSteps from './campaigns/step-endpoints.ts';
import * as channelReports from './channels/reports.ts';
import * as channels from './channels/routes.ts';
import * as numbers from './channels/suppressions.ts';
import * as channelTests from './channels/test-route.ts';
import * as contactability from './compliance/contactability-routes.ts';
import * as decisions from './compliance/decision-routes.ts';
import * as decisionExports from './compliance/export-routes.ts';
import * as policies from './compliance/policy-routes.ts';
import * as transitions from './compliance/transition-routes.ts';
import * as contradictions from './contradictions/routes.ts';
import * as draws from './draws/routes.ts';
import * as emails from './emails/routes.ts';
import * as feed from './feed/routes.ts';
import * as eventTraits from './feed/traits-routes.ts';
import * as games from './games/routes.ts';
import * as history from './history/routes.ts';
import * as keys from './keys/routes.ts';
import * as latest from './latest/routes.ts';
import * as lists from './lists/routes.ts';
import * as live from './live/routes.ts';
import * as media from './media/routes.ts';
import * as messageActions from './messages/action-routes.ts';
import * as messages from './messages/routes.ts';
import * as sentMessages from './messages/sent-routes.ts';
import * as operatorTests from './operator-tests/endpoints.ts';
import * as overview from './overview/routes.ts';
import * as balances from './players/balance-routes.ts';
import * as bets from './players/bet-routes.ts';
import * as blocks from './players/block-routes.ts';
import * as bonuses from './players/bonus-routes.ts';
import * as carts from './players/cart-routes.ts';
import * as consents from './players/consent-routes.ts';
import * as effects from './players/effect-routes.ts';
import * as namedEvents from './players/named-event-routes.ts';
import * as payments from './players/payment-routes.ts';
import * as reveal from './players/reveal-routes.ts';
import * as rounds from './players/round-routes.ts';
import * as players from './players/routes.ts';
import * as playerSearch from './players/search-routes.ts';
import * as sessions from './players/session-routes.ts';
import * as tickets from './players/ticket-routes.ts';
import * as timeline from './players/timeline-routes.ts';
import * as unsubscribeLinks from './players/unsubscribe-link-routes.ts';
import * as writeBacks from './players/write-back-routes.ts';
import * as privacy from './privacy/routes.ts';
import * as push from './push/routes.ts';
import * as quarantine from './quarantine/routes.ts';
import * as rebuilds from './rebuilds/routes.ts';
import * as reconciliations from './reconciliations/routes.ts';
import * as refusedCalls from './refused-calls/routes.ts';
import * as intentActions from './rewards/action-routes.ts';
import * as rewards from './rewards/routes.ts';
import * as rollups from './rollups/routes.ts';
import type { Endpoint } from './routing/endpoint.ts';
import * as rules from './rules/routes.ts';
import * as segmentation from './segmentation/routes.ts';
import * as segmentDrafts from './segments/draft-endpoints.ts';
import * as segments from './segments/endpoints.ts';
import * as resyncs from './sync/resync-routes.ts';
import * as sync from './sync/routes.ts';
import * as templateActions from './templates/action-routes.ts';
import * as templateCatalog from './templates/catalog-route.ts';
import * as templates from './templates/routes.ts';
import * as traits from './traits/routes.ts';

const resources = [
  accounts,
  proofs,
  secondFactorSignIn,
  singleSignOn,
  accountSessions,
  ownSecondFactors,
  secondFactorAdmin,
  brands,
  brandSettings,
  contactRules,
  overview,
  operatorTests,
  live,
  players,
  playerSearch,
  reveal,
  consents,
  blocks,
  writeBacks,
  payments,
  rounds,
  bonuses,
  rewards,
  intentActions,
  messages,
  messageActions,
  sentMessages,
  emails,
  channels,
  channelTests,
  numbers,
  channelReports,
  latest,
  lists,
  templates,
  templateActions,
  templateCatalog,
  media,
  push,
  carts,
  sessions,
  balances,
  namedEvents,
  bets,
  tickets,
  timeline,
  effects,
  unsubscribeLinks,
  games,
  draws,
  traits,
  rollups,
  feed,
  eventTraits,
  contradictions,
  quarantine,
  refusedCalls,
  history,
  rebuilds,
  sync,
  resyncs,
  reconciliations,
  segmentation,
  rules,
  segments,
  segmentDrafts,
  bulk,
  campaigns,
  campaignEditing,
  campaignSteps,
  campaignResults,
  scenario,
  dryRun,
  backtests,
  contactability,
  decisions,
  decisionExports,
  transitions,
  policies,
  privacy,
  bonusList,
  budgets,
  budgetChanges,
  keys,
  audit,
];

/** Every endpoint of the console API, in the order of the documentation. A test compares it with the served routes. */
export const consoleEndpoints: readonly Endpoint[] = resources.flatMap((resource) =>
  Object.values<unknown>(resource).filter(isEndpoint),
);

/** Modules of endpoints also export what their routes share. */
function isEndpoint(exported: unknown): exported is Endpoint {
  return typeof exported === 'object' && exported !== null && 'may' in exported && 'path' in exported;
}
