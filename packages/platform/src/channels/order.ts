import type { ConsentType, FieldError } from '@croupier/contracts';
import type { ClientBase, Pool, PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import type { Clock } from '../clock.ts';
import { awaitAll } from '../database/index.ts';
import type { Gate } from '../gate/index.ts';
import { type ProfileValues, readProfileValues } from '../operator/players/index.ts';
import type { MadeMessage, MessageTerms } from './channel.ts';
import { UnfitNotification } from './notifications/unfit.ts';
import { type ChannelContents, playerChannels } from './registry.ts';
import {
  type BlockTexts,
  blocksOf,
  type CauseVariables,
  type Composed,
  contentErrors,
  parsedTemplate,
  playersVariables,
  readTemplates,
  type Template,
  type WrittenFields,
} from './templates/index.ts';

/*
 * Orders one message through any channel, for a step of a campaign or a call of the console. In the transaction of the cause it
 * renders the content, asks the gate, and writes the message, even if it is withheld (then with the reason). A worker sends it later.
 */
export interface MessageOrder {
  brand: Brand;
  player: { player_id: number; user_id: string };
  channel: keyof ChannelContents;
  purpose: 'marketing' | 'service';
  says: WordsByTemplate | { content: WrittenFields };
  /** The campaign's reference. */
  campaign_id: string | null;
  /** Idempotency key, per player and channel: a repeated order creates no second message, and returns the first. */
  request_key: string | null;
  created_by: string;
  /** Null for the default of the channel. */
  expires_at: number | null;
  /** As in `MessageTerms`. */
  allowed_by?: number | undefined;
}

export interface WordsByTemplate {
  /** The code of the template. */
  template: string;
  /** Default: the player's language. */
  language?: string | undefined;
  variables?: CauseVariables | undefined;
}

export interface OrderDeps {
  gate: Pick<Gate, 'mayContact'>;
  clock: Clock;
  /** Creates unsubscribe links. */
  links: { link(holder: { brand_id: number; player_id: number; channel: ConsentType }): string };
}

export type Words = {
  [Name in keyof ChannelContents]: { channel: Name; content: ChannelContents[Name] };
}[keyof ChannelContents];

/**
 * @returns the message; poke the sender of signals with its `signals` after the commit
 * @throws {UnfitNotification} if it cannot be sent as it is; each error names its field
 * @throws {MessageKeyReused} if the key belongs to another order
 */
export async function orderMessage(tx: PoolClient, deps: OrderDeps, order: MessageOrder): Promise<MadeMessage> {
  const { brand, player, purpose, campaign_id, request_key, created_by, expires_at, allowed_by } = order;
  const said = await orderedWords(tx, deps, order);
  const terms = {
    brand_id: brand.brand_id,
    player_id: player.player_id,
    purpose,
    campaign_id,
    request_key,
    created_by,
    expires_at,
    allowed_by,
  };
  return sendWords(tx, deps, terms, said);
}

/** The content of an order, without sending it. @throws {UnfitNotification} */
export async function orderedWords(
  tx: Pool | ClientBase,
  deps: Pick<OrderDeps, 'clock' | 'links'>,
  { player, ...said }: Said & Pick<MessageOrder, 'player'>,
): Promise<Words> {
  const reading = await readForWords(tx, said.brand, { says: [said.says], players: [player.player_id] });
  return preparedWords(tx, deps, said, reading)(player);
}

/** What messages of one brand that are composed together need from the database. */
export interface WordsReading {
  /** By code. */
  templates: ReadonlyMap<string, Template>;
  blocks: BlockTexts;
  /** The details of players who have any. */
  profiles: ReadonlyMap<number, ProfileValues>;
}

export async function readForWords(
  tx: Pool | ClientBase,
  brand: Brand,
  { says, players }: { says: readonly MessageOrder['says'][]; players: readonly number[] },
): Promise<WordsReading> {
  const codes = new Set(says.flatMap((one) => ('template' in one ? [one.template] : [])));
  const [templates, blocks, profiles] = await awaitAll([
    readTemplates(tx, brand.brand_id, [...codes]),
    blocksOf(tx, brand),
    readProfileValues(tx, players),
  ]);
  return { templates: new Map(templates.map((template) => [template.code, template])), blocks, profiles };
}

/**
 * Prepares the content of messages that many players receive. The returned function takes the variables of one player's cause. They
 * replace those of `said`.
 *
 * @throws {UnfitNotification} also thrown by the returned function, for one player
 */
export function preparedWords(
  tx: Pool | ClientBase,
  { clock, links }: Pick<OrderDeps, 'clock' | 'links'>,
  said: Said,
  reading: WordsReading,
): (player: MessageOrder['player'], variables?: CauseVariables) => Promise<Words> {
  const { brand, channel, says } = said;
  const { read, template, language } = parsedWords(said, reading);
  const common = 'template' in says ? says.variables : {};
  const variablesOf = playersVariables(oneAtATime(tx), brand, reading.profiles, read.variables, clock());
  return async (player, cause = common) => {
    const { profile, ...variables } = await variablesOf(player);
    const to = {
      language: profile?.language ?? null,
      market: profile?.market ?? null,
      country: profile?.country ?? null,
      unsubscribeUrl: () =>
        links.link({ brand_id: brand.brand_id, player_id: player.player_id, channel: consentOfLink[channel] }),
    };
    const composed = read.compose({ ...variables, ...cause }, to, language);
    refuse(composed.errors);
    const made =
      template === null ? null : { code: template.code, version: template.version, language: composed.language };
    return wordsOf(channel, composed, made);
  };
}

type Said = Pick<MessageOrder, 'brand' | 'channel' | 'purpose' | 'says'>;

/** Checks content for errors that do not depend on the player. @throws {UnfitNotification} */
export async function checkSaid(tx: Pool | ClientBase, said: Said): Promise<void> {
  parsedWords(said, await readForWords(tx, said.brand, { says: [said.says], players: [] }));
}

function parsedWords({ brand, channel, purpose, says }: Said, { templates, blocks }: WordsReading) {
  const template = 'template' in says ? (templates.get(says.template) ?? null) : null;
  if ('template' in says && template === null)
    throw unfit('template', 'unknown', `the template ${says.template} does not exist`);
  if (template !== null && template.channel !== channel && !(template.channel === 'site' && channel === 'push'))
    throw unfit('template', 'channel', `${template.code} has the channel ${template.channel}, not ${channel}`);
  // The gate asks for no consent to service messages.
  if (template?.purpose === 'marketing' && purpose === 'service')
    throw unfit('template', 'purpose', `${template.code} is marketing, and a service message cannot use it`);
  const language = 'template' in says ? says.language : undefined;
  const content = 'content' in says ? { [brand.settings.default_language]: says.content } : (template?.content ?? {});
  if ('content' in says) refuse(contentErrors(channel, content));
  const read = parsedTemplate({ channel: template?.channel ?? channel, purpose, content }, brand, blocks);
  refuse(read.errors);
  if (language !== undefined && !read.languages.includes(language))
    throw unfit('language', 'unknown', `${template?.code ?? 'the content'} has ${read.languages.join(', ')}`);
  return { read, template, language };
}

/**
 * The channel whose consent the unsubscribe link of a message withdraws. For the operator's channel this may be any, so its
 * link leads to the page of all channels.
 */
const consentOfLink: Readonly<Record<keyof ChannelContents, ConsentType>> = {
  email: 'Email',
  site: 'SiteNotification',
  push: 'PushNotification',
  sms: 'SMS',
  telephone: 'Telephone',
  post_mail: 'PostMail',
  webhook: 'Email',
  operator: 'Email',
};

function wordsOf(
  channel: keyof ChannelContents,
  composed: Composed,
  template: { code: string; version: number; language: string } | null,
): Words {
  if (composed.channel === 'block') throw new Error('a block cannot be sent');
  // A site message may also be pushed to devices.
  if (composed.channel === 'site' || composed.channel === 'push')
    return { channel: channel as 'site' | 'push', content: composed.content };
  return { channel: composed.channel, content: { ...composed.content, template } } as Words;
}

/** Sends through the channel of the content. */
export async function sendWords(
  tx: PoolClient,
  deps: Pick<OrderDeps, 'gate' | 'clock'>,
  terms: MessageTerms,
  said: Words,
): Promise<MadeMessage> {
  const [made] = await sendAll(tx, deps, said.channel, [{ terms, said }]);
  if (made === undefined) throw new Error('no message was created');
  return made;
}

/**
 * Sends messages of one channel to many players. The gate decides about all of them in one call.
 *
 * @returns one entry per message, in the order of the messages
 * @throws if one cannot be sent as it is; then none of the batch is created
 */
export async function sendAll(
  tx: PoolClient,
  { gate, clock }: Pick<OrderDeps, 'gate' | 'clock'>,
  channel: Words['channel'],
  messages: readonly { terms: MessageTerms; said: Words }[],
): Promise<MadeMessage[]> {
  const all = messages.map(({ terms, said: { content } }) => ({ ...terms, ...content }));
  const written = all as unknown as (MessageTerms & ChannelContents[keyof ChannelContents])[];
  return playerChannels.send(tx, gate, channel, written, clock());
}

/** Readers start several queries at once, but the client of a transaction runs one at a time. */
function oneAtATime(db: Pool | ClientBase): ClientBase {
  let last: Promise<unknown> = Promise.resolve();
  const query = (...asked: Parameters<ClientBase['query']>) => {
    const next = last.then(() => db.query(...asked));
    last = next.then(undefined, () => {});
    return next;
  };
  return { query } as unknown as ClientBase;
}

function unfit(path: string, rule: string, message: string): UnfitNotification {
  return new UnfitNotification([{ path, rule, message: `${path}: ${message}` }]);
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new UnfitNotification(errors);
}
