import type { FastifyInstance } from 'fastify';
import type { ClientBase } from 'pg';
import type { Brand } from '../../brands/index.ts';
import { actionsUnderWay } from '../../bulk/index.ts';
import { campaignsThatUse, lockReferences } from '../../campaigns/index.ts';
import { transaction } from '../../database/index.ts';
import {
  type Actor,
  type Content,
  cancelComputation,
  freeze,
  insertSegment,
  listSegments,
  PlatformRules,
  publish,
  readSegments,
  readVersions,
  recompute,
  remove,
  renameSegment,
  SegmentRefused,
  type StoredSegment,
  type StoredVersion,
  saveContent,
  setPaused,
} from '../../segments/membership/index.ts';
import type { Access } from '../access/access.ts';
import { type AuditAction, record } from '../audit/audit.ts';
import type { AuditDetails } from '../audit/detail-names.ts';
import type { ConsoleDeps } from '../deps.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused, refusedField } from '../routing/refused.ts';
import { refuseOutdated } from '../routing/revision.ts';
import { serve } from '../routing/serve.ts';
import * as endpoints from './endpoints.ts';
import { presentSegment, segmentRevision } from './present.ts';

/** Creates, changes, publishes and deletes segments, each with its audit row in the same transaction. */
export function segmentChangeRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const rules = new PlatformRules({ pool });

  serve(app, endpoints.createSegmentEndpoint, async ({ access, brand, body }) => {
    const { code, name, include_protected = false } = body;
    const content = contentOf(body);
    if (content === undefined)
      throw refusedField('rule', 'segment', {
        en: 'a segment requires a rule or user_ids',
        de: 'Ein Segment erfordert eine Regel oder user_ids',
      });
    return save(access, brand, 'segment.created', code, async (tx, by) => {
      if ((await insertSegment(tx, { brand_id: brand.brand_id, code, name }, by)) === undefined)
        throw new Refused('conflict', {
          en: `the segment ${code} already exists`,
          de: `Das Segment ${code} gibt es bereits`,
        });
      const segment = await lockedSegment(tx, brand, code);
      await lockRules(tx, brand);
      return saveContent(tx, { brand, rules, segment, content, include_protected }, by);
    });
  });

  serve(app, endpoints.changeSegmentEndpoint, async ({ access, brand, params: { code }, query, body }) => {
    const { name, include_protected, version } = body;
    return save(access, brand, 'segment.changed', code, async (tx, by) => {
      const { segment, latest, versions } = await current(tx, brand, code, query.revision);
      const restored = version === undefined ? undefined : versions.find((one) => one.version === version);
      if (version !== undefined && restored === undefined)
        throw refusedField('version', 'segment', {
          en: `the segment ${code} has no version ${version}`,
          de: `Das Segment ${code} hat keine Version ${version}`,
        });
      if (name !== undefined) await renameSegment(tx, segment.segment_id, name);
      // If only `include_protected` changes, the new version keeps the rule or the list.
      const source = restored ?? latest;
      const isCopied = source !== undefined && (restored !== undefined || include_protected !== undefined);
      const own = isCopied ? contentOfVersion(source) : undefined;
      const content = contentOf(body) ?? own;
      if (content === undefined) return undefined;
      await lockRules(tx, brand);
      const includesProtected = include_protected ?? source?.include_protected ?? false;
      return saveContent(tx, { brand, rules, segment, content, include_protected: includesProtected }, by);
    });
  });

  serve(app, endpoints.deleteSegmentEndpoint, async ({ access, brand, params: { code } }) => {
    await refusing(() =>
      transaction(pool, async (tx) => {
        const segment = await lockedSegment(tx, brand, code);
        await lockReferences(tx, brand.brand_id);
        const campaigns = await campaignsThatUse(tx, segment);
        if (campaigns.length > 0)
          throw new Refused('conflict', {
            en: `the campaigns ${campaigns.join(', ')} use the segment; change them first`,
            de: `Die Kampagnen ${campaigns.join(', ')} verwenden das Segment; ändern Sie diese zuerst`,
          });
        const [underWay] = await actionsUnderWay(tx, segment);
        if (underWay !== undefined)
          throw new Refused('conflict', {
            en: `the bulk action ${underWay} on the segment is running; cancel it first`,
            de: `Die Sammelaktion ${underWay} auf das Segment läuft; brechen Sie sie zuerst ab`,
          });
        await remove(tx, segment);
        await record(deps, access, { action: 'segment.deleted', brand, subject: `segment ${code}` }, tx);
      }),
    );
    return null;
  });

  serve(app, endpoints.publishSegmentEndpoint, async ({ access, brand, params: { code }, query }) => {
    const { revision, starts_campaigns = false } = query;
    const publishing = async (tx: ClientBase, by: Actor) => {
      const { segment, latest } = await current(tx, brand, code, revision);
      await publish(tx, rules, segment, { ...by, starts_campaigns });
      return { version: latest?.version, starts_campaigns };
    };
    await write(access, brand, 'segment.published', code, publishing, (details) => details);
    return answer(brand, code);
  });
  serve(app, endpoints.cancelSegmentEndpoint, async ({ access, brand, params: { code } }) => {
    const cancelling = async (tx: ClientBase) => cancelComputation(tx, await lockedSegment(tx, brand, code));
    await write(access, brand, 'segment.cancelled', code, cancelling, (version) => ({ version }));
    return answer(brand, code);
  });
  serve(app, endpoints.freezeSegmentEndpoint, async ({ access, brand, params: { code }, query: { revision } }) =>
    change(access, brand, 'segment.frozen', code, async (tx, by) => {
      const { segment } = await current(tx, brand, code, revision);
      await freeze(tx, segment, { replacesDraft: revision !== undefined }, by);
    }),
  );
  serve(app, endpoints.recomputeSegmentEndpoint, async ({ access, brand, params: { code } }) =>
    change(access, brand, 'segment.recomputed', code, async (tx, by) =>
      recompute(tx, rules, await lockedSegment(tx, brand, code), by),
    ),
  );
  serve(app, endpoints.pauseSegmentEndpoint, async ({ access, brand, params: { code } }) =>
    change(access, brand, 'segment.paused', code, async (tx, by) =>
      setPaused(tx, rules, await lockedSegment(tx, brand, code), true, by),
    ),
  );
  serve(app, endpoints.resumeSegmentEndpoint, async ({ access, brand, params: { code } }) =>
    change(access, brand, 'segment.resumed', code, async (tx, by) =>
      setPaused(tx, rules, await lockedSegment(tx, brand, code), false, by),
    ),
  );

  /**
   * Rules that refer to other segments are saved one after the other. Otherwise two rules that are saved at the same
   * moment could refer to each other, or to a segment that is being deleted.
   */
  async function lockRules(tx: ClientBase, { brand_id }: Brand): Promise<void> {
    await lockReferences(tx, brand_id);
    rules.forget();
  }

  async function change(
    access: Access,
    brand: Brand,
    action: AuditAction,
    code: string,
    work: (tx: ClientBase, by: Actor) => Promise<void>,
  ) {
    await write(access, brand, action, code, work);
    return answer(brand, code);
  }

  async function save(
    access: Access,
    brand: Brand,
    action: AuditAction,
    code: string,
    work: (tx: ClientBase, by: Actor) => ReturnType<typeof saveContent>,
  ) {
    const list = await write(access, brand, action, code, work);
    const segment = await answer(brand, code);
    return list === undefined ? segment : { ...segment, list };
  }

  function write<T>(
    access: Access,
    brand: Brand,
    action: AuditAction,
    code: string,
    work: (tx: ClientBase, by: Actor) => Promise<T>,
    detailsOf: (result: T) => AuditDetails = () => ({}),
  ): Promise<T> {
    rules.forget();
    return refusing(() =>
      transaction(pool, async (tx) => {
        const result = await work(tx, { at: clock(), actor: access.actor });
        await record(deps, access, { action, brand, subject: `segment ${code}`, details: detailsOf(result) }, tx);
        return result;
      }),
    );
  }

  async function answer(brand: Brand, code: string) {
    const [listed] = await listSegments(pool, brand.brand_id, code);
    if (listed === undefined) throw notFound('segment', code);
    return presentSegment(listed, await campaignsThatUse(pool, listed.segment));
  }
}

interface GivenContent {
  rule?: unknown;
  user_ids?: readonly string[];
  version?: number;
}

function contentOf({ rule, user_ids, version }: GivenContent): Content | undefined {
  if (rule !== undefined && user_ids !== undefined)
    throw refusedField('user_ids', 'segment', {
      en: 'a segment can have a rule or user_ids, not both',
      de: 'Ein Segment kann eine Regel oder user_ids haben, nicht beides',
    });
  if (version !== undefined && (rule !== undefined || user_ids !== undefined))
    throw refusedField('version', 'segment', {
      en: 'a draft is made from an earlier version, a rule or user_ids, not from two of them',
      de: 'Ein Entwurf entsteht aus einer früheren Version, einer Regel oder user_ids, nicht aus zweien davon',
    });
  if (rule !== undefined) return { rule };
  return user_ids === undefined ? undefined : { user_ids };
}

function contentOfVersion(version: StoredVersion): Content {
  return version.rule === null ? { same: version } : { rule: version.rule };
}

/** The segment, locked, with its versions and the latest of them. @throws {Refused} if it is no longer at the revision that the caller read */
async function current(
  tx: ClientBase,
  brand: Brand,
  code: string,
  revision: string | undefined,
): Promise<{ segment: StoredSegment; latest: StoredVersion | undefined; versions: readonly StoredVersion[] }> {
  const segment = await lockedSegment(tx, brand, code);
  const versions = await readVersions(tx, [segment.segment_id]);
  const [latest] = versions;
  const found = segmentRevision(segment.name, latest);
  refuseOutdated({ en: `the segment ${code}`, de: `Das Segment ${code}` }, revision, found);
  return { segment, latest, versions };
}

async function lockedSegment(tx: ClientBase, brand: Brand, code: string): Promise<StoredSegment> {
  const [segment] = await readSegments(tx, brand.brand_id, { code, lock: true });
  if (segment === undefined) throw notFound('segment', code);
  return segment;
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SegmentRefused)) throw error;
    if (error.kind === 'conflict') throw new Refused('conflict', error.words);
    const errors = error.errors.map(({ path, message }) => ({ path: `rule${path}`, rule: 'rule', message }));
    throw new Refused('invalid_request', error.words, { errors });
  }
}
