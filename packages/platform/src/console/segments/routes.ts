import { Readable } from 'node:stream';
import type { Micros } from '@croupier/contracts';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { campaignsBySegment, campaignsThatUse } from '../../campaigns/index.ts';
import { transaction } from '../../database/index.ts';
import {
  eachMember,
  type ListedSegment,
  listDifferences,
  listMembers,
  listOverlap,
  listSegments,
  PlatformRules,
  playerInSegment,
  readCatalog,
  readPlayerTags,
  readSegments,
  readTagNames,
  readVersions,
  type StoredSegment,
  segmentFailures,
  segmentsOfPlayer,
  segmentTransitions,
  tagPlayers,
} from '../../segments/membership/index.ts';
import type { Access } from '../access/access.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { NamedPlace, namedPageOf, pageFrom } from '../paging/page.ts';
import { knownPlayer } from '../players/known-player.ts';
import { namesOfPlayers } from '../players/store.ts';
import { MicrosShape, momentText, momentTextOrNull } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { presentTrace } from '../rules/present-trace.ts';
import { csvField } from './csv-field.ts';
import * as endpoints from './endpoints.ts';
import { presentCause, presentMember, presentSegment, presentTransition, presentVersion } from './present.ts';

const segmentCodec = new CursorCodec('segments', NamedPlace);
const memberCodec = new CursorCodec('segment members', Type.Integer());
const overlapCodec = new CursorCodec('segment overlap', Type.Integer());
const failureCodec = new CursorCodec(
  'segment failures',
  Type.Object({ since: MicrosShape, player_id: Type.Integer() }),
);
const transitionCodec = new CursorCodec('segment transitions', Type.Integer());
/** Number of transitions on a player's page; the segment's own list has all. */
const shownTransitions = 50;
const shownDifferences = 200;
/** Number of days whose transitions are counted. */
const countedDays = 30;

export function segmentRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock } = deps;
  const rules = new PlatformRules({ pool });

  serve(app, endpoints.listSegmentsEndpoint, async ({ brand, query }) => {
    const page = { state: query.state, ...namedPageOf(query, segmentCodec) };
    const rows = await listSegments(pool, brand.brand_id, page);
    const { items: listed, next } = pageFrom(rows, query.limit, ({ segment: { name: last, code } }) =>
      segmentCodec.encode({ name: last, code }),
    );
    const codes = listed.map(({ segment }) => segment.code);
    const campaigns = await campaignsBySegment(pool, brand.brand_id, codes);
    const items = listed.map((one) => presentSegment(one, campaigns.get(one.segment.code) ?? []));
    return { items, next };
  });

  serve(app, endpoints.listSegmentFailuresEndpoint, async ({ brand, query: { limit, cursor } }) => {
    const after = failureCodec.decode(cursor);
    const rows = await segmentFailures.listPlayers(pool, brand.brand_id, { after, limit: limit + 1 });
    const page = pageFrom(rows, limit, ({ since, player_id }) => failureCodec.encode({ since, player_id }));
    const items = page.items.map(({ user_id, since, failed_at, failures, reason }) => ({
      user_id,
      since: momentText(since),
      failed_at: momentText(failed_at),
      failures,
      reason,
    }));
    return { items, next: page.next };
  });

  serve(app, endpoints.readSegmentEndpoint, async ({ brand, params }) => {
    const listed = await known(brand, params.code);
    return presentSegment(listed, await campaignsThatUse(pool, listed.segment));
  });

  serve(app, endpoints.listMembersEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor, protected: isProtected = false } = query;
    const after = memberCodec.decode(cursor);
    const rows = await listMembers(pool, brand.brand_id, params.code, { after, limit: limit + 1, isProtected });
    if (rows === undefined) throw notFound('segment', params.code);
    const { items, next } = pageFrom(rows, limit, ({ player_id }) => memberCodec.encode(player_id));
    return { items: await presentMembers(access, brand, items), next };
  });

  serve(app, endpoints.listOverlapEndpoint, async ({ access, brand, params, query }) => {
    const { other, part, limit, cursor } = query;
    const after = overlapCodec.decode(cursor);
    const page = { code: params.code, other, isInOther: part === 'both', after, limit };
    const found = await listOverlap(pool, brand.brand_id, page);
    if ('missing' in found) throw notFound('segment', found.missing);
    const { members, next } = found;
    return {
      items: await presentMembers(access, brand, members),
      next: next === null ? null : overlapCodec.encode(next),
    };
  });

  serve(app, endpoints.exportMembersCsvEndpoint, async ({ access, brand, params }) =>
    exported(
      access,
      brand,
      params.code,
      'user_id,since\r\n',
      ({ user_id, since }) => `${csvField(user_id)},${since}\r\n`,
    ),
  );
  serve(app, endpoints.exportMembersLinesEndpoint, async ({ access, brand, params }) =>
    exported(access, brand, params.code, '', (member) => `${JSON.stringify(member)}\n`),
  );

  serve(app, endpoints.listSegmentTransitionsEndpoint, async ({ brand, params, query }) => {
    const { segment_id } = await stored(brand, params.code);
    const { limit, cursor } = query;
    const before = transitionCodec.decode(cursor);
    const rows = await segmentTransitions.list(pool, { segment_id }, { before, limit: limit + 1 });
    const { items, next } = pageFrom(rows, limit, ({ transition_id }) => transitionCodec.encode(transition_id));
    return { items: items.map(presentTransition), next };
  });

  serve(app, endpoints.countTransitionsEndpoint, async ({ brand, params }) => {
    const segment = await stored(brand, params.code);
    const zone = brand.settings.time_zone;
    return {
      items: await segmentTransitions.byDay(pool, { segment, zone, at: clock(), days: countedDays }),
      next: null,
    };
  });

  serve(app, endpoints.listVersionsEndpoint, async ({ brand, params }) => {
    const { segment_id } = await stored(brand, params.code);
    return { items: (await readVersions(pool, [segment_id])).map(presentVersion), next: null };
  });

  serve(app, endpoints.listDifferencesEndpoint, async ({ brand, params }) => {
    const { segment_id } = await stored(brand, params.code);
    const versions = (await readVersions(pool, [segment_id])).map(({ version_id }) => version_id);
    const items = await listDifferences(pool, versions, shownDifferences);
    return { items: items.map((item) => ({ ...item, found_at: momentText(item.found_at) })), next: null };
  });

  serve(app, endpoints.readPlayerInSegmentEndpoint, async ({ access, brand, params }) => {
    const { shown: version } = await known(brand, params.code);
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const found = await playerInSegment(pool, rules, { brand, version, player_id, at: clock() });
    const { since, cause, trace } = found;
    const catalog = await readCatalog(pool, brand);
    const unmasked = access.may('personal.read', brand);
    return {
      ...found,
      since: momentTextOrNull(since),
      cause: cause === null ? null : presentCause(cause),
      trace: trace.map((row) => presentTrace(row, catalog, unmasked)),
    };
  });

  serve(app, endpoints.listPlayerSegmentsEndpoint, async ({ brand, params }) => {
    const { player_id } = await knownPlayer(pool, brand, params.user_id);
    const [items, transitions, tags] = await Promise.all([
      segmentsOfPlayer(pool, player_id),
      segmentTransitions.ofPlayer(pool, player_id, { limit: shownTransitions }),
      readPlayerTags(pool, player_id),
    ]);
    return {
      items: items.map((item) => ({ ...item, since: momentText(item.since) })),
      transitions: transitions.map(presentTransition),
      tags: tags.map((item) => ({ ...item, tagged_at: momentText(item.tagged_at) })),
      next: null,
    };
  });

  serve(app, endpoints.listTagsEndpoint, async ({ brand, query }) => {
    return { items: await readTagNames(pool, brand.brand_id, query), next: null };
  });

  serve(app, endpoints.tagPlayerEndpoint, async ({ access, brand, body: { user_id, tag, action } }) => {
    const { player_id } = await knownPlayer(pool, brand, user_id);
    const { brand_id } = brand;
    const changed = await transaction(pool, async (tx) => {
      const tagging = { player_id, brand_id, tag, action, actor: access.actor };
      if ((await tagPlayers(tx, [tagging], clock())) === 0) return false;
      const subject = `player ${player_id}`;
      await record(deps, access, { action: 'player.tagged', brand, subject, details: { tag, action } }, tx);
      return true;
    });
    return { changed };
  });

  /** Adds the name and the country of each player. Only the rows of this page are looked up. */
  async function presentMembers<Member extends { player_id: number; since: Micros }>(
    access: Access,
    brand: Brand,
    members: readonly Member[],
  ) {
    const unmasked = access.may('personal.read', brand);
    const names = await namesOfPlayers(
      pool,
      members.map(({ player_id }) => player_id),
    );
    return members.map((member) => presentMember(member, names.get(member.player_id), unmasked));
  }

  async function stored(brand: Brand, code: string): Promise<StoredSegment> {
    const [segment] = await readSegments(pool, brand.brand_id, { code });
    if (segment === undefined) throw notFound('segment', code);
    return segment;
  }

  /** With its size, for which all members are counted. Routes that do not show the size use `stored`. */
  async function known(brand: Brand, code: string): Promise<ListedSegment> {
    const [listed] = await listSegments(pool, brand.brand_id, code);
    if (listed === undefined) throw notFound('segment', code);
    return listed;
  }

  /** The audit row is written before the first line is sent. */
  async function exported(
    access: Access,
    brand: Brand,
    code: string,
    head: string,
    line: (member: { user_id: string; since: string }) => string,
  ): Promise<Readable> {
    const { shown, hasMembers } = await known(brand, code);
    if (!hasMembers)
      throw new Refused('conflict', {
        en: 'the segment has no members yet; publish it, and export them when they are computed',
        de: 'Das Segment hat noch keine Mitglieder; veröffentlichen Sie es, und exportieren Sie sie, sobald sie berechnet sind',
      });
    await record(deps, access, { action: 'segment.exported', brand, subject: `segment ${code}` });
    async function* lines() {
      yield head;
      for await (const members of eachMember(pool, shown))
        yield members.map(({ user_id, since }) => line({ user_id, since: momentText(since) })).join('');
    }
    return Readable.from(lines(), { highWaterMark: 1 });
  }
}
