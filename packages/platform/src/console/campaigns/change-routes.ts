import { type Campaign, unstorableTexts } from '@croupier/campaigns';
import type { FastifyInstance } from 'fastify';
import type { PoolClient } from 'pg';
import type { Brand } from '../../brands/index.ts';
import {
  absentOf,
  approve,
  type By,
  CampaignRefused,
  enterPlayer,
  insertCampaign,
  knownTo,
  lockReferences,
  pause,
  publish,
  ramp,
  readCampaigns,
  readVersions,
  refuseEntry,
  refuseUnenterable,
  reject,
  remove,
  resume,
  type StoredCampaign,
  saveDocument,
  stop,
  warningsOf,
} from '../../campaigns/index.ts';
import { transaction } from '../../database/index.ts';
import type { Language, Words } from '../../language.ts';
import { PlatformRules } from '../../segments/membership/index.ts';
import type { Access } from '../access/access.ts';
import { type AuditAction, record } from '../audit/audit.ts';
import type { AuditDetails } from '../audit/detail-names.ts';
import type { ConsoleDeps } from '../deps.ts';
import { errorsIn } from '../language/translate.ts';
import { knownPlayer } from '../players/known-player.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { refuseOutdated } from '../routing/revision.ts';
import { serve } from '../routing/serve.ts';
import * as endpoints from './endpoints.ts';
import { campaignRevision, presentCampaign, type WholeCampaign } from './present.ts';
import { wholeCampaigns } from './routes.ts';

/** Creates, changes, publishes, pauses, stops and deletes campaigns. Each call writes its audit row in the same transaction. */
export function campaignChangeRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const rules = new PlatformRules({ pool });

  serve(app, endpoints.createCampaignEndpoint, async ({ access, brand, language, body }) => {
    const document = documentIn(body);
    const { code, name } = document;
    const { brand_id } = brand;
    return change({ access, brand, language }, 'campaign.created', code, async (tx, by) => {
      if ((await insertCampaign(tx, { brand_id, code, name }, by)) === undefined)
        throw new Refused('conflict', {
          en: `the campaign ${code} already exists`,
          de: `Die Kampagne ${code} gibt es bereits`,
        });
      await saveDocument(tx, await locked(tx, brand, code), document, by);
    });
  });

  serve(app, endpoints.changeCampaignEndpoint, async ({ access, brand, language, params: { code }, query, body }) => {
    const document = documentIn(body);
    return change({ access, brand, language }, 'campaign.changed', code, async (tx, by) => {
      await saveDocument(tx, await current(tx, brand, code, query.revision), document, by);
    });
  });

  serve(app, endpoints.deleteCampaignEndpoint, async ({ access, brand, params: { code } }) => {
    await refusing(() =>
      transaction(pool, async (tx) => {
        await remove(tx, await locked(tx, brand, code), clock());
        await record(deps, access, { action: 'campaign.deleted', brand, subject: `campaign ${code}` }, tx);
      }),
    );
    return null;
  });

  serve(app, endpoints.publishCampaignEndpoint, async ({ access, brand, language, params: { code }, query, body }) => {
    const shown = await change({ access, brand, language }, 'campaign.published', code, async (tx, by) => {
      const campaign = await current(tx, brand, code, query.revision);
      await publish(tx, await publishing(tx, brand), campaign, by, { movesRuns: body.move_runs });
    });
    return withGaps(brand, shown, language);
  });
  serve(app, endpoints.approveCampaignEndpoint, async ({ access, brand, language, params: { code }, query }) => {
    refuseToken(access);
    const shown = await change({ access, brand, language }, 'campaign.approved', code, async (tx, by) => {
      const campaign = await current(tx, brand, code, query.revision);
      await approve(tx, await publishing(tx, brand), campaign, by);
    });
    return withGaps(brand, shown, language);
  });
  serve(
    app,
    endpoints.rejectCampaignEndpoint,
    async ({ access, brand, language, params: { code }, query, body: { reason } }) => {
      refuseToken(access);
      return change(
        { access, brand, language },
        'campaign.rejected',
        code,
        async (tx, by) => reject(tx, await current(tx, brand, code, query.revision), by, reason),
        { reason },
      );
    },
  );
  serve(app, endpoints.pauseCampaignEndpoint, async ({ access, brand, language, params: { code } }) =>
    change({ access, brand, language }, 'campaign.paused', code, async (tx) =>
      pause(tx, await locked(tx, brand, code)),
    ),
  );
  serve(app, endpoints.resumeCampaignEndpoint, async ({ access, brand, language, params: { code } }) =>
    change({ access, brand, language }, 'campaign.resumed', code, async (tx, by) =>
      resume(tx, await locked(tx, brand, code), by),
    ),
  );
  serve(app, endpoints.stopCampaignEndpoint, async ({ access, brand, language, params: { code } }) =>
    change({ access, brand, language }, 'campaign.stopped', code, async (tx, by) =>
      stop(tx, await locked(tx, brand, code), by),
    ),
  );
  serve(app, endpoints.rampCampaignEndpoint, async ({ access, brand, language, params: { code }, body: { share } }) =>
    change({ access, brand, language }, 'campaign.ramped', code, async (tx, by) =>
      ramp(tx, await locked(tx, brand, code), share, by),
    ),
  );

  serve(app, endpoints.enterCampaignEndpoint, async ({ access, brand, params: { code }, body }) => {
    const { player_id } = await knownPlayer(pool, brand, body.user_id);
    const { key, data = {} } = body;
    await refusing(() =>
      transaction(pool, async (tx) => {
        const campaign = await locked(tx, brand, code);
        await refuseUnenterable(tx, campaign);
        await refuseEntry(tx, { rules, brand }, campaign, { player_id, key, at: clock() });
        await enterPlayer(tx, campaign, { player_id, key, data, at: clock() });
        const entry = {
          action: 'campaign.entered',
          brand,
          subject: `campaign ${code}`,
          details: { player_id },
        } as const;
        await record(deps, access, entry, tx);
      }),
    );
    deps.campaigns.poke();
    return { accepted: true };
  });

  /**
   * Adds what is missing, and the warnings. Both are about the draft if it waits for approval, and otherwise about the version in
   * force.
   */
  async function withGaps(brand: Brand, shown: ReturnType<typeof presentCampaign>, language: Language) {
    const document = shown.draft?.document ?? shown.document;
    const absent = await absentOf(pool, { rules, brand }, document);
    return { ...shown, absent, warnings: errorsIn(warningsOf(brand, document, clock()), language) };
  }

  /** Reads what a campaign may refer to, and locks it until the transaction ends. */
  async function publishing(tx: PoolClient, brand: Brand) {
    await lockReferences(tx, brand.brand_id);
    rules.forget();
    return { rules, known: await knownTo(tx, brand), brand };
  }

  async function change(
    { access, brand, language }: { access: Access; brand: Brand; language: Language },
    action: AuditAction,
    code: string,
    work: (tx: PoolClient, by: By) => Promise<void>,
    details: AuditDetails = {},
  ) {
    await refusing(() =>
      transaction(pool, async (tx) => {
        await work(tx, { at: clock(), actor: access.actor });
        await record(deps, access, { action, brand, subject: `campaign ${code}`, details }, tx);
      }),
    );
    deps.campaigns.poke();
    const [whole] = await wholeCampaigns(pool, await readCampaigns(pool, brand.brand_id, { code }));
    return presentCampaign(whole as WholeCampaign, language);
  }
}

/** The holder of the admin token may be the person who wrote the draft under an account, so the token is no second person. */
function refuseToken({ account_id }: Access): void {
  if (account_id === null)
    throw new Refused('forbidden', {
      en: 'a person must decide under their own account, not with the admin token',
      de: 'Eine Person muss unter ihrem eigenen Konto entscheiden, nicht mit dem Admin-Token',
    });
}

/** Checks only what is needed to store a draft; other errors are reported at publication. */
function documentIn(body: unknown): Campaign {
  const { code, name } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const errors: { path: string; rule: string; message: Words }[] = [];
  const wrong = (path: string, message: Words) => errors.push({ path, rule: 'campaign', message });
  if (typeof code !== 'string' || !/^[a-z0-9][a-z0-9_-]{0,63}$/.test(code))
    wrong('code', {
      en: 'code must have 1 to 64 characters of a-z, 0-9, _ and -, and start with a letter or digit',
      de: 'code muss aus 1 bis 64 Zeichen von a-z, 0-9, _ und - bestehen und mit einem Buchstaben oder einer Ziffer beginnen',
    });
  if (typeof name !== 'string' || name.trim() === '' || name.length > 200)
    wrong('name', { en: 'name must have 1 to 200 characters', de: 'name muss 1 bis 200 Zeichen haben' });
  for (const { path, message } of unstorableTexts(body))
    wrong(path, { en: message, de: 'Ein Text darf weder NUL noch ungültiges Unicode enthalten' });
  if (errors.length > 0)
    throw new Refused(
      'invalid_request',
      { en: 'the document is not valid', de: 'Das Dokument ist nicht gültig' },
      { errors },
    );
  return body as Campaign;
}

async function locked(tx: PoolClient, brand: Brand, code: string): Promise<StoredCampaign> {
  const [campaign] = await readCampaigns(tx, brand.brand_id, { code, lock: true });
  if (campaign === undefined) throw notFound('campaign', code);
  return campaign;
}

/** The campaign, locked. @throws {Refused} if it is no longer at the revision that the caller read */
async function current(
  tx: PoolClient,
  brand: Brand,
  code: string,
  revision: string | undefined,
): Promise<StoredCampaign> {
  const campaign = await locked(tx, brand, code);
  const found = campaignRevision(await readVersions(tx, [campaign.campaign_id]));
  refuseOutdated({ en: `the campaign ${code}`, de: `Die Kampagne ${code}` }, revision, found);
  return campaign;
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CampaignRefused)) throw error;
    if (error.kind === 'conflict') throw new Refused('conflict', error.words);
    const errors = error.errors.map(({ path, message }) => ({ path, rule: 'campaign', message }));
    throw new Refused('invalid_request', error.words, { errors });
  }
}
