import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import {
  csvHead,
  csvLines,
  type EntryOutcome,
  type EntryState,
  type ExportedEntry,
  endedStates,
  entryStates,
  exportEntries,
  type ListChannel,
  listChannels,
  listEntries,
  listLists,
  messagePurposes,
  type OpenEntry,
  outcomes,
  reportOutcome,
  UnfitNotification,
} from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import type { Access } from '../access/access.ts';
import { mask } from '../access/masking.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { MessageParams, strict } from '../messages/schemas.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { PageOf, pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, Moment, momentText, momentTextOrNull, Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { serve } from '../routing/serve.ts';
import { wrongFields } from '../routing/wrong-fields.ts';

const tag = 'Lists';
const Channel = Type.Enum([...listChannels]);
const State = Type.Enum([...entryStates], {
  description: 'dropped: no longer allowed or wanted at the export',
});
const ListParams = Type.Object({
  ...BrandParams.properties,
  channel: Channel,
  list: Type.String({ pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' }),
});

export const listListsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/lists',
  tag,
  summary: 'Lists of people to call or write to, with the number of entries by state',
  may: 'player.read',
  params: BrandParams,
  status: 200,
  answer: Type.Object({
    items: Type.Array(
      Type.Object({
        channel: Channel,
        list: Type.String(),
        entries: Type.Record(Type.String(), Type.Integer(), { description: 'Number of entries by state' }),
      }),
    ),
  }),
});

const Text = Nullable(Type.String());
const Entry = Type.Object({
  message_id: Type.Integer(),
  user_id: Text,
  purpose: Type.Enum([...messagePurposes]),
  campaign_id: Text,
  note: Type.String({ description: 'Masked for callers who may not see personal data, like names' }),
  first_name: Text,
  last_name: Text,
  state: State,
  reason: Text,
  created_at: Moment,
  expires_at: Moment,
  exported_at: Nullable(Moment),
  ended_at: Nullable(Moment),
});

export const listEntriesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/lists/:channel/:list/entries',
  tag,
  summary: 'Entries of a list, newest first',
  may: 'player.read',
  params: ListParams,
  query: Type.Object(
    {
      state: Type.Optional(
        Type.Enum([...entryStates, 'ended'], {
          description: 'ended: all states of entries that further exports do not contain',
        }),
      ),
      ...pageQuery,
    },
    strict,
  ),
  status: 200,
  answer: PageOf(Entry),
});

const File = (description: string) => Type.Unsafe<Readable>(Type.String({ description }));
const exportOfList = {
  method: 'POST',
  tag,
  description:
    'Asks the gate for each entry. An entry that is not allowed is dropped. An entry that needs more information stays for the next export. Exported entries without an outcome are included again, except those that another export has exported since this one began. The answer is streamed, and the call is written to the audit.',
  may: 'personal.read',
  params: ListParams,
  status: 200,
} as const;

export const exportListCsv = endpoint({
  ...exportOfList,
  path: '/brands/:brand/lists/:channel/:list/export.csv',
  summary: 'Export the players to call or write to now, as CSV',
  contentType: 'text/csv; charset=utf-8; header=present',
  answer: File(
    'RFC 4180, with a header line. A text that a spreadsheet would read as a formula starts with an apostrophe',
  ),
});

export const exportListJsonLines = endpoint({
  ...exportOfList,
  path: '/brands/:brand/lists/:channel/:list/export.jsonl',
  summary: 'Export the players to call or write to now, as JSON lines',
  contentType: 'application/jsonl; charset=utf-8',
  answer: File('One line per entry'),
});

export const reportOutcomeEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/lists/entries/:message_id/outcome',
  tag,
  summary: 'Report the outcome of an entry',
  description:
    'opted_out withdraws the consent of the channel, immediately in the platform and then at the operator. Reporting the same outcome again changes nothing.',
  may: 'player.protect',
  params: MessageParams,
  body: Type.Object(
    { outcome: Type.Enum([...outcomes]), note: Type.Optional(Type.String({ maxLength: 300 })) },
    strict,
  ),
  status: 200,
  answer: Type.Object({ message_id: Type.Integer(), state: State, changed: Type.Boolean() }),
});

const cursors = new CursorCodec('lists', Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }));

/** Players to call or write to: lists, their export, and the outcomes. */
export function listRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, gate } = deps;
  const { vault } = deps.push;

  serve(app, listListsEndpoint, async ({ brand }) => {
    const rows = await listLists(pool, brand.brand_id);
    const lists = Map.groupBy(rows, ({ channel, list }) => `${channel} ${list}`);
    return {
      items: [...lists.values()].flatMap((of) => {
        const [first] = of;
        if (first === undefined) return [];
        const entries = Object.fromEntries(of.map(({ state, entries }) => [state, entries]));
        return [{ channel: first.channel, list: first.list, entries }];
      }),
    };
  });

  serve(app, listEntriesEndpoint, async ({ access, brand, params, query }) => {
    const { limit, cursor, state } = query;
    const of = {
      brand_id: brand.brand_id,
      channel: params.channel as ListChannel,
      list: params.list,
      states: statesOf(state),
    };
    const before = cursors.decode(cursor);
    const rows = await listEntries(pool, of, { limit: limit + 1, before });
    const { items, next } = pageFrom(rows, limit, ({ message_id }) => cursors.encode(message_id));
    const unmasked = access.may('personal.read', brand);
    return { items: items.map((row) => present(row, unmasked)), next };
  });

  serve(app, exportListCsv, async ({ access, brand, params }) => {
    const channel = params.channel as ListChannel;
    return exported(access, brand, params, csvHead(channel), (entries) => csvLines(channel, entries));
  });

  serve(app, exportListJsonLines, async ({ access, brand, params }) =>
    exported(access, brand, params, '', (entries) =>
      entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`).join(''),
    ),
  );

  /** The audit row is written before the first line is sent; if that fails, nothing is sent. */
  async function exported(
    access: Access,
    brand: Brand,
    { channel, list }: { channel: string; list: string },
    head: string,
    lines: (entries: readonly ExportedEntry[]) => string,
  ): Promise<Readable> {
    await record(deps, access, { action: 'list.exported', brand, subject: `list ${channel}/${list}` });
    const order = { brand_id: brand.brand_id, channel: channel as ListChannel, list, by: access.actor };
    async function* text() {
      if (head !== '') yield head;
      for await (const entries of exportEntries({ pool, gate, vault, clock }, order)) yield lines(entries);
    }
    return Readable.from(text(), { highWaterMark: 1 });
  }

  serve(app, reportOutcomeEndpoint, async ({ access, brand, params: { message_id }, body }) => {
    const outcome = body.outcome as EntryOutcome;
    const reported = await transaction(pool, async (tx) => {
      const reported = { outcome, note: body.note ?? null, by: access.actor };
      const result = await reportOutcome(tx, brand.brand_id, message_id, reported, clock());
      if (result?.changed) {
        const details = { outcome };
        await record(deps, access, { action: 'list.outcome', brand, subject: `message ${message_id}`, details }, tx);
      }
      return result;
    }).catch((error: unknown) => {
      if (error instanceof UnfitNotification) throw wrongFields(error.errors);
      throw error;
    });
    if (reported === null) throw notFound('entry', message_id);
    return { message_id, ...reported };
  });
}

function statesOf(state: string | undefined): readonly EntryState[] | undefined {
  if (state === undefined) return undefined;
  return state === 'ended' ? endedStates : entryStates.filter((one) => one === state);
}

function present(row: OpenEntry, unmasked: boolean) {
  const { message_id, user_id, purpose, campaign_id, state, reason } = row;
  const shown = (text: string | null) => (unmasked || text === null || text === '' ? text : mask);
  return {
    message_id,
    user_id,
    purpose,
    campaign_id,
    state,
    reason,
    note: shown(row.note) ?? '',
    first_name: shown(row.first_name),
    last_name: shown(row.last_name),
    created_at: momentText(row.created_at),
    expires_at: momentText(row.expires_at),
    exported_at: momentTextOrNull(row.exported_at),
    ended_at: momentTextOrNull(row.ended_at),
  };
}

function lineOf(entry: ExportedEntry) {
  const { message_id, user_id, first_name, last_name, language, country, campaign_id, note } = entry;
  const who = { message_id, user_id, first_name, last_name, language, country, campaign_id, note };
  if (entry.channel === 'telephone') return { ...who, number: entry.number };
  const { address, postal_code, city } = entry;
  return { ...who, address, postal_code, city };
}
