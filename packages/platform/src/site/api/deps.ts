import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { BrandRegistry } from '../../brands/index.ts';
import type { SignalSender } from '../../channels/index.ts';
import type { Clock } from '../../clock.ts';
import type { ChannelSigner } from '../live/channel-signer.ts';
import type { PlayerDeps } from '../player/deps.ts';
import type { PushDeps } from '../push/deps.ts';
import type { Sessions } from '../session/sessions.ts';

/** The dependencies of the site API. */
export interface SiteDeps extends PlayerDeps, PushDeps {
  pool: Pool;
  clock: Clock;
  log: Logger;
  brands: Pick<BrandRegistry, 'byCode'>;
  sessions: Pick<Sessions, 'admit' | 'end' | 'tokenFor'>;
  signals: Pick<SignalSender, 'poke'>;
  signer: ChannelSigner;
  /** PUBLIC_URL, without a trailing slash. */
  publicUrl: string;
}
