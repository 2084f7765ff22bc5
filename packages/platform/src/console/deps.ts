import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry, Vault } from '../brands/index.ts';
import type { CampaignWakeupSender } from '../campaigns/index.ts';
import type { BrandPushKeys, SignalSender } from '../channels/index.ts';
import type { Clock } from '../clock.ts';
import type { Gate } from '../gate/index.ts';
import type { UnsubscribeLinks } from '../hosted/index.ts';
import type { Quarantine } from '../ingest/index.ts';
import type { Ledger, LedgerHistory } from '../ledger/index.ts';
import type { BonusLists, OperatorClients, OperatorHealth } from '../operator/calling/index.ts';
import type { ScenarioRunner } from '../scenarios/index.ts';
import type { Provider } from './accounts/single-sign-on/provider.ts';

/**
 * The dependencies of the console API. The console owns accounts and the audit, and reads everything else through other
 * stages.
 */
export interface ConsoleDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  /** `PUBLIC_URL`: where browsers reach the console. */
  publicUrl: string;
  /** `CROUPIER_ADMIN_TOKEN`. If empty, only accounts can sign in. */
  adminToken: string;
  /** Null: people sign in with passwords only. */
  singleSignOn: Provider | null;
  brands: BrandRegistry;
  ledger: Ledger;
  history: Pick<LedgerHistory, 'days'>;
  quarantine: Quarantine;
  bonusLists: Pick<BonusLists, 'read'>;
  operatorClients: Pick<OperatorClients, 'of'>;
  operatorHealth: Pick<OperatorHealth, 'record'>;
  links: UnsubscribeLinks;
  gate: Pick<Gate, 'mayContact'>;
  /** Gets signals about changes that concern connected browsers. */
  signals: Pick<SignalSender, 'poke'>;
  /** Gets a signal about entries and changes that the lanes of campaigns must process. */
  campaigns: Pick<CampaignWakeupSender, 'poke'>;
  /** Runs the scenarios with which campaigns are tried. */
  scenarios: Pick<ScenarioRunner, 'run'>;
  push: { vault: Vault; keys: Pick<BrandPushKeys, 'forget'> };
  /** Aborted when the process accepts no more calls: open streams must then end. */
  stopping: AbortSignal;
}
