import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { audienceOf, everybody } from '../../campaigns/index.ts';
import {
  beyondGsm,
  blockPage,
  blocksOf,
  type CauseVariables,
  chooseLanguage,
  countParts,
  findGaps,
  messagePurposes,
  playerVariables,
  ReadTemplate,
  readPlayerVariables,
  readWritten,
  sampleCause,
  sentSms,
  type TemplateContent,
} from '../../channels/index.ts';
import { PlatformRules } from '../../segments/membership/index.ts';
import { maskProfile } from '../access/masking.ts';
import type { ConsoleDeps } from '../deps.ts';
import { AnyState } from '../messages/schemas.ts';
import { knownPlayer } from '../players/known-player.ts';
import { endpoint } from '../routing/endpoint.ts';
import { Nullable } from '../routing/fields.ts';
import { notFound } from '../routing/not-found.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';
import { wordsOfField } from '../routing/wrong-fields.ts';
import { knownTemplate, refuseTemplate } from './routes.ts';
import { Channel, Content, strict, TemplateParams, tag } from './schemas.ts';
import { sendTest } from './test-send.ts';

const Variables = Type.Record(Type.String(), Type.Unknown());

const cause = {
  event: Type.Optional(Variables),
  campaign: Type.Optional(Variables),
  offer: Type.Optional(Variables),
};

const Problem = Type.Object({ path: Type.String(), rule: Type.String(), message: Type.String() });

export const previewTemplateEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/templates/:code/preview',
  tag,
  summary: 'Preview a template for a player, in each of its languages',
  description:
    "Nothing is written or sent. The player's fields are masked for callers who may not see personal data. The unsubscribe link of a preview has no effect. If the call contains no `event` or no `offer`, the preview uses samples for their fields.",
  may: 'player.read',
  params: TemplateParams,
  body: Type.Object(
    {
      user_id: Type.Optional(
        Type.String({ minLength: 1, description: 'Default: no player, so all player variables are missing' }),
      ),
      languages: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 60, description: 'Default: all' })),
      content: Type.Optional(Content),
      purpose: Type.Optional(Type.Enum([...messagePurposes])),
      ...cause,
    },
    { ...strict, default: {} },
  ),
  status: 200,
  answer: Type.Object({
    code: Type.String(),
    version: Type.Integer({ description: 'The version that was used, unless the call contains content' }),
    channel: Channel,
    language: Nullable(Type.String({ description: 'The language that the player would get' })),
    variables: Type.Array(Type.String(), { description: 'The variables that its texts and blocks use' }),
    samples: Type.Object(
      { event: Variables, offer: Variables },
      {
        description:
          'The samples for the fields of `event` and `offer` that the template uses. An `event` or `offer` in the call replaces them',
      },
    ),
    previews: Type.Array(
      Type.Object({
        language: Type.String(),
        content: Type.Record(Type.String(), Type.Unknown(), {
          description:
            'The message as it would be sent; tracked links are shown as their targets. The body of an MJML block is HTML',
        }),
        parts: Type.Optional(
          Type.Integer({
            description: 'For an SMS: the number of parts that the provider charges, counted with its tracked links',
          }),
        ),
        encoding: Type.Optional(Type.Enum(['gsm7', 'ucs2'], { description: 'For an SMS' })),
        units: Type.Optional(Type.Integer({ description: 'For an SMS: septets, or units of 16 bits' })),
        beyond_gsm: Type.Optional(
          Type.Array(Type.String(), { description: 'For an SMS: the characters that make its encoding UCS-2' }),
        ),
        missing: Type.Array(Type.String(), {
          description: 'Variables without a value for this player, except those with a default',
        }),
        errors: Type.Array(Problem, { description: 'Why it could not be sent' }),
      }),
    ),
  }),
});

export const templateGapsEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/templates/:code/gaps',
  tag,
  summary: 'Number of players of a segment, or of the brand, for whom a value in the template is missing',
  description:
    "Covers fields of the operator's details, and traits, that the template uses without a default, in any of its languages. Takes about a second for a million players, and longer with traits.",
  may: 'player.read',
  params: TemplateParams,
  query: Type.Object(
    { segment: Type.Optional(Type.String({ description: 'Code of a segment. Default: all players of the brand' })) },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    players: Type.Integer({ description: 'Players of the segment or brand' }),
    gaps: Type.Array(
      Type.Object({
        variable: Type.String(),
        players: Type.Integer({ description: 'Number of players for whom it is missing' }),
      }),
    ),
  }),
});

export const testSendEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/templates/:code/test-send',
  tag,
  summary: 'Send a template to a test player',
  description:
    'Only players in the brand setting `test_players` and the test user can receive it. It is sent like any other message, including the check by the gate, with [Test] before its subject or title.',
  may: 'message.send',
  forbidden: 'The player is not a test player of the brand',
  conflict: '`version` is no longer the current version',
  params: TemplateParams,
  body: Type.Object(
    {
      user_id: Type.String({ minLength: 1 }),
      language: Type.Optional(Type.String()),
      version: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The version that you read. Default: sends the current version' }),
      ),
      ...cause,
    },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    message_id: Type.Integer(),
    state: AnyState,
    reason: Nullable(Type.String({ description: 'Why it is held or withheld' })),
    decision_id: Nullable(Type.Integer()),
  }),
});

/** Returns the link for a preview. It looks like a real link, but leads to a page that states that the link is invalid. */
const previewLink = (publicLink: string, token: string) => publicLink.replace(/[^/]*$/, token || 'preview');
/** As long as the tokens of the short links, so that the number of SMS parts equals the number that will be paid for. */
const shortToken = 'preview'.padEnd(20, 'x');

/** Previews and tests of templates. */
export function templateActionRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, links, publicUrl } = deps;

  serve(app, previewTemplateEndpoint, async ({ access, brand, params, body, language: ofCaller }) => {
    const template = await knownTemplate(deps, brand, params.code);
    const { user_id, languages, content = template.content, purpose = template.purpose, ...cause } = body;
    // A text can take a second for each language, so only those who may write templates have their own texts rendered.
    if (!isDeepStrictEqual(content, template.content) && !access.may('template.manage', brand))
      throw new Refused('forbidden', {
        en: 'Your role may preview saved templates only.',
        de: 'Ihre Rolle erlaubt nur die Vorschau gespeicherter Vorlagen.',
      });
    const written = { ...template, purpose: purpose as typeof template.purpose, content: content as TemplateContent };
    const read = await blocksOf(pool, brand)
      .then((blocks) => readWritten(written, brand, blocks))
      .catch(refuseTemplate);
    const unknown = languages?.find((language) => !read.languages.includes(language));
    if (unknown !== undefined)
      throw new Refused('invalid_request', {
        en: `languages: the template does not have ${unknown}; it has ${read.languages.join(', ')}`,
        de: `languages: Die Vorlage hat die Sprache ${unknown} nicht; sie hat ${read.languages.join(', ')}`,
      });
    const { player, trait, profile } =
      user_id === undefined
        ? { player: {}, trait: {}, profile: null }
        : await readPlayerVariables(pool, brand, await knownPlayer(pool, brand, user_id), read.variables, clock());
    const unmasked = access.may('personal.read', brand);
    const shown =
      user_id === undefined || unmasked || profile === null ? player : maskProfile(playerVariables(user_id, profile));
    const to = {
      language: profile?.language ?? null,
      market: profile?.market ?? null,
      country: profile?.country ?? null,
      unsubscribeUrl: () =>
        previewLink(
          links.link({ brand_id: brand.brand_id, player_id: 0, channel: template.channel === 'sms' ? 'SMS' : 'Email' }),
          template.channel === 'sms' ? shortToken : '',
        ),
    };
    const lives = user_id === undefined ? null : { market: to.market, country: to.country };
    const asSent = (text: string) => sentSms(text, { settings: brand.settings, publicUrl, player: lives });
    const { base_currency } = brand.settings;
    const samples = sampleCause(read.variables, { base_currency, now: clock() });
    const variables = { player: shown, trait, ...samples, ...(cause as CauseVariables) };
    const preview = (language: string) => {
      const { content: made, missing, errors } = read.compose(variables, to, language);
      const explained = errors.map((one) => ({ ...one, message: wordsOfField(one)[ofCaller] }));
      const sms = template.channel === 'sms' && 'text' in made ? asSent(made.text) : null;
      const parts = sms === null ? {} : { ...countParts(sms), beyond_gsm: beyondGsm(sms) };
      const page = template.channel === 'block' && 'body' in made ? blockPage(String(made.body)) : null;
      return {
        language,
        content: { ...made, ...(page !== null && { body: page }) },
        ...parts,
        missing,
        errors: explained,
      };
    };
    const previews: ReturnType<typeof preview>[] = [];
    for (const language of languages ?? read.languages) {
      previews.push(preview(language));
      // Rendering blocks this process, so other calls have their turn between two languages.
      await setImmediate();
    }
    const { variables: named } = read;
    const language =
      user_id === undefined ? null : chooseLanguage(read.languages, to.language, brand.settings.default_language);
    return {
      code: template.code,
      version: template.version,
      channel: template.channel,
      language,
      variables: named,
      samples,
      previews,
    };
  });

  const rules = new PlatformRules({ pool });
  const audienceNamed = async (brand: Brand, segment: string | undefined) => {
    if (segment === undefined) return audienceOf({ rules, brand, at: clock() }, everybody);
    const field = `segment.${segment}`;
    const { catalog } = await rules.of(brand, [field]);
    if (catalog.field(field) === undefined) throw notFound('segment', segment);
    const member = { field, operator: '=', value: true } as const;
    return audienceOf({ rules, brand, at: clock() }, { combinator: 'and', rules: [member] });
  };

  serve(app, templateGapsEndpoint, async ({ brand, params, query: { segment } }) => {
    const template = await knownTemplate(deps, brand, params.code);
    const { needed } = new ReadTemplate(template, brand, await blocksOf(pool, brand));
    return findGaps(pool, brand.brand_id, needed, await audienceNamed(brand, segment));
  });

  serve(app, testSendEndpoint, async ({ access, brand, params, body: { version, ...test } }) => {
    const template = await knownTemplate(deps, brand, params.code);
    if (version !== undefined && version !== template.version)
      throw new Refused('conflict', {
        en: `${template.code} now has version ${template.version}, because it was changed; check it before you send a test`,
        de: `${template.code} wurde geändert und hat jetzt Version ${template.version}; prüfen Sie die Vorlage, bevor Sie einen Test senden`,
      });
    return sendTest(template, test, { access, brand }, deps);
  });
}
