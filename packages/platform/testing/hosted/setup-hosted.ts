import type { ConsentType } from '@croupier/contracts';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import type { Brand } from '../../src/brands/index.ts';
import { systemClock } from '../../src/clock.ts';
import { type LinkForm, UnsubscribeLinks } from '../../src/hosted/index.ts';
import { hostedPaths, hostedRoutes, Receipts } from '../../src/hosted/serving.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { type TestClock, testClock } from '../clock.ts';
import { testLog } from '../log.ts';
import { isCurrent, type SyncSetup, setupSync } from '../operator/setup-sync.ts';

/** Setup for tests of the hosted pages: a player of the sandbox operator, a worker that keeps both in sync, and the pages. */
export interface HostedSetup {
  app: FastifyInstance;
  sync: SyncSetup;
  brand: Brand;
  clock: TestClock;
  links: UnsubscribeLinks;
  receipts: Receipts;
  userId: string;
  playerId: number;
  /** Path of a link, without the public address. */
  path(channel?: ConsentType, form?: LinkForm): string;
  get(path: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Sends a form, as a browser does. */
  post(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** The platform's consents of the player, by type. */
  held(): Promise<Record<string, boolean | null>>;
  /** The operator's consents of the player. */
  booked(): Record<string, boolean>;
}

/** The operator has no value for PostMail. */
export const someConsents = {
  Email: true,
  SMS: true,
  Telephone: false,
  SiteNotification: true,
  PushNotification: false,
};

export const userId = 'player-7';
const secrets = ['a secret for tests'] as const;
const publicUrl = 'https://crm.example';

/**
 * @param options.settings of the brand, as in its declaration
 * @param options.consents the operator's; default `someConsents`
 * @param options.pages the pool of the pages, if it is another one
 */
export async function setupHosted(
  pool: Pool,
  options: {
    settings?: Record<string, unknown>;
    language?: string;
    consents?: Partial<Record<ConsentType, boolean>>;
    pages?: Pool;
  } = {},
): Promise<HostedSetup> {
  const sync = await setupSync(pool);
  const { books } = sync.operator;
  const consents = Object.entries(options.consents ?? someConsents);
  const playerId = await sync.addPlayer(userId);
  books.change(userId, {
    details: { language: options.language ?? '' },
    consents: consents.map(([type, opted_in]) => ({ type: type as ConsentType, opted_in: opted_in === true })),
  });
  await sync.refresh(playerId);
  await sync.until(playerId, isCurrent);
  // The sandbox operator always has every type.
  await pool.query('delete from player_consent where player_id = $1 and type <> all($2)', [
    playerId,
    consents.map(([type]) => type),
  ]);

  const brand = { ...sync.brand, name: 'Demo Casino', settings: { ...sync.brand.settings, ...options.settings } };
  const clock = testClock(systemClock());
  const links = new UnsubscribeLinks({ publicUrl, secrets });
  const receipts = new Receipts({ secrets });
  const brands = { byId: (id: number) => (id === brand.brand_id ? brand : undefined) };
  const app = await createHttpServer({ edge: () => false, log: testLog, pagePaths: hostedPaths });
  await app.register(
    hostedRoutes({ pool: options.pages ?? pool, clock: clock.now, log: testLog, brands, links, receipts }),
  );
  onTestFinished(() => app.close());

  return {
    app,
    sync,
    brand,
    clock,
    links,
    receipts,
    userId,
    playerId,
    path: (channel = 'Email', form) =>
      links.link({ brand_id: brand.brand_id, player_id: playerId, channel }, form).slice(publicUrl.length),
    get: (url, headers = {}) => app.inject({ method: 'GET', url, headers }),
    post: (url, fields, headers = {}) =>
      app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams(fields).toString(),
      }),
    async held() {
      const player = await sync.read(playerId);
      return Object.fromEntries(player.consents.map(({ type, opted_in }) => [type, opted_in]));
    },
    booked: () =>
      Object.fromEntries((books.player(userId)?.consents ?? []).map(({ type, opted_in }) => [type, opted_in])),
  };
}
