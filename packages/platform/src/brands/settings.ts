import { type ReconciliationField, reconciliationFields } from '@croupier/contracts';
import Type, { type Static, type TSchema } from 'typebox';
import { segmentationTraits } from './trait-names.ts';

/*
 * What can be set for a brand, in the words of the configuration file (docs/reference/design.md 6), the database and the console API
 * alike. Each setting says what it does, its unit, and when it bites; its default stands beside it.
 * docs/guides/configuration.md lists them all, and a test compares the two.
 *
 * The format is complete, so that a file written today stays valid, while some of what it sets is still to come. Such a
 * setting says so: `takes_effect_with` names the part that will read it, and the test settings-in-effect.test.ts finds a
 * mark that is missing or was left behind.
 */

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** Type.Enum of a list reads as `string`; the type of the values is said here. */
const choice = <const T extends string>(
  values: readonly T[],
  options: { default: NoInfer<T>; description: string; takes_effect_with?: string },
) => Type.Unsafe<T>(Type.Enum([...values], options));

/** Fields of a casino event that may be part of its key (docs/reference/decisions.md 2.4). */
export const casinoKeyFields = [
  'vendor_id',
  'activity_id',
  'type',
  'status',
  'round_id',
  'game_id',
  'timestamp',
  'amount',
] as const;

/** A global of a page: `window.<name>`. */
const globalName = (standard: string, what: string) =>
  Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$', default: standard, description: what });

/** Empty: none. */
const timeOfDay = (description: string) =>
  Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9])?$', default: '', description });

const messageChannels = ['site', 'push', 'email', 'sms', 'telephone', 'post_mail', 'webhook', 'operator'];

const settingFields = {
  base_currency: Type.String({
    pattern: '^[A-Za-z0-9]{3,10}$',
    default: 'EUR',
    description:
      'Currency of all sums of the brand. Fixed once the brand has players: choose it before the first event.',
  }),
  time_zone: Type.String({
    default: 'UTC',
    description: 'IANA zone of the reporting days. Fixed once the brand has players: choose it before the first event.',
  }),
  zoneless_timestamps: Type.String({
    default: 'UTC',
    description:
      'IANA zone in which a timestamp without an offset is read. Bites when events come whole hours early or late.',
  }),
  site_origins: Type.Array(Type.String(), {
    default: [],
    description:
      'Origins of the pages that may call the site API (CORS): scheme, host and port, without a path. Bites when the browser console speaks of CORS.',
  }),
  on_invalid: choice(['reject', 'accept'], {
    default: 'reject',
    description:
      'Answer to an invalid event: reject = 400 until the same body was seen for 10 min or 10 times, accept = 200 at once. Quarantined either way.',
  }),
  trigger_age_minutes: Type.Integer({
    minimum: 1,
    maximum: 525_600,
    default: 30,
    description: 'Minutes. An event older than this on arrival updates state and never starts a contact.',
  }),
  casino_activity_key: Type.Array(Type.Enum([...casinoKeyFields]), {
    minItems: 1,
    uniqueItems: true,
    default: ['vendor_id', 'activity_id', 'type', 'status'],
    description:
      'Fields that make two casino events the same one; status is one of them in any case. Bites when the go-live step shows conflicts. The past follows with a rebuild.',
  }),
  rollback_by_round: Type.Boolean({
    default: false,
    description:
      'A casino Rollback takes out all activities of its type and round, whatever its own ids say. Bites when rollbacks carry ids of their own (orphans). The past follows with a rebuild.',
  }),
  rounds_from: choice(['auto', 'casino', 'gameround'], {
    default: 'auto',
    description:
      'Which endpoint makes game rounds; auto = the message where it carries a field, else the raw events. Bites when both are sent and do not match. The past follows with a rebuild.',
  }),
  session_gap_minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 30,
    description:
      'Minutes between the end of a round and the start of the next, at most, within one session. The past follows with a rebuild.',
  }),
  history_days: Type.Integer({
    minimum: 2,
    maximum: 36_500,
    default: 400,
    description:
      'Days that the ledger keeps events, and rounds, custom events and site events with them; and days from the end of a message of the site to its removal, 31 at least. An event that is older on arrival is answered 200 and listed as too old. Raise it before older years are imported.',
  }),
  quarantine_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description:
      'Days that the quarantine keeps an invalid event after it was last sent, 30 at most where its body is no JSON. The overview announces removals a week before. At most 100,000 are kept.',
  }),
  segmentation_traits: segmentationTraits,
  fact_age_hours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description: 'Hours. Consents, blocks and exclusions older than this are fetched again before a contact.',
  }),
  reconciliation: Type.Object(
    {
      schedule: choice(['nightly', 'off'], {
        default: 'nightly',
        description: 'Whether the user sets are compared with the operator every night. Off: only when a person asks.',
      }),
      fields: Type.Unsafe<ReconciliationField[]>(
        Type.Array(Type.Enum([...reconciliationFields]), {
          uniqueItems: true,
          default: [...reconciliationFields],
          description: 'Which of them. One that the operator does not offer (404, 405 or 501) costs one call a night.',
        }),
      ),
      from_hour: Type.Integer({
        minimum: 0,
        maximum: 23,
        default: 2,
        description: "Full hour of the brand's day at which the night's runs may begin.",
      }),
      until_hour: Type.Integer({
        minimum: 0,
        maximum: 24,
        default: 5,
        description:
          'Full hour before which they begin, each at a moment of its own. Before `from_hour`: on the next day; equal: any time of the day.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  site_functions: Type.Object(
    {
      tracking: Type.Boolean({
        default: true,
        description: 'Pages may record events of their player (`Crm.track`). Off: answered 403.',
      }),
      rewards: Type.Boolean({
        default: true,
        description: 'Players see and claim what they are offered (`Crm.pendingRewards`, `Crm.claimReward`).',
      }),
      profile: Type.Boolean({
        default: true,
        description: 'Players see and change their own consents (`Crm.profile`).',
      }),
      tracked_per_second: Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 100,
        description:
          'Tracked events a second that one api process takes of all players together, ten times as many at once; beyond it 429 with Retry-After. Bites when a page records every movement of the mouse.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  push: Type.Object(
    {
      enabled: Type.Boolean({
        default: true,
        description:
          'Players may subscribe devices to push (`Crm.enablePush`), and pushes are sent. Off: pages learn so, and what waits is dropped; messages still stand in the inbox.',
      }),
      contact: Type.String({
        pattern: '^((mailto:)?[^@\\s]+@[^@\\s]+|https://\\S+)?$',
        maxLength: 200,
        default: '',
        description:
          'E-mail or https address by which a push service reaches whoever is responsible for the pushes. Empty = `support_contact` where that is one, else the public address of the installation. Bites when a push service refuses pushes (401, 403).',
      }),
      ends_with_logout_event: Type.Boolean({
        default: true,
        description:
          "The operator's logout event, which names no device, removes all devices of its player; each comes back by itself when the player signs in there again. Off: only a sign-out on the device itself removes it. Bites when operators publish a logout for every session that times out.",
      }),
      private_origins: Type.Array(Type.String({ pattern: '^https?://[^/\\s]+$' }), {
        maxItems: 20,
        default: [],
        description:
          'Origins of push services (https://push.lan:8443) that may have a private address, another port, or http. All others are public addresses, https, port 443: endpoints are named by browsers.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  display_name: Type.String({
    maxLength: 100,
    default: '',
    description: 'Name of the brand on pages and in messages that players see. Empty = `name`.',
  }),
  logo_url: Type.String({
    pattern: '^(https?://.+)?$',
    maxLength: 2_000,
    default: '',
    description:
      'Address of the logo on pages that players see; best an SVG or PNG that reads on light and dark. Empty = the name in its place. Pages load images from its origin and no other.',
  }),
  brand_color: Type.String({
    pattern: '^(#[0-9A-Fa-f]{6})?$',
    default: '',
    description:
      'Colour of buttons on pages that players see, #rrggbb. Texts and edges are moved as far as they need to be readable (WCAG AA). Empty = a plain blue.',
  }),
  support_contact: Type.String({
    maxLength: 200,
    default: '',
    description:
      'Where players ask for help: an e-mail address, a web address or a telephone number. On pages of ours, and, where it is an e-mail address, in the inbox of a site that sets no `crm.inbox.contactEmail`. Empty = not shown.',
  }),
  default_language: Type.String({
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
    default: 'en',
    description:
      "Language (BCP 47) of pages for a player whose own language and whose browser's languages are unknown or not offered.",
  }),
  test_players: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 100,
    default: [],
    description:
      'user_ids of players of your own to whom templates may be sent as a test (`POST templates/:code/test-send`). The gate is asked for them as for everybody.',
  }),
  responsible_gambling: Type.Array(
    Type.Object(
      {
        market: Type.String({
          minLength: 1,
          maxLength: 100,
          description:
            "The operator's market of a player, or a country (MT); `*`: all that have no entry of their own.",
        }),
        language: Type.String({
          pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
          description: 'Language (BCP 47) of the text.',
        }),
        text: Type.String({ minLength: 1, maxLength: 5_000, description: 'HTML, sanitised as messages are.' }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 500,
      default: [],
      description:
        'What stands below marketing messages made from templates, by market and language: age limits, help lines. A template that places `{{ responsible_gambling }}` itself says where.',
    },
  ),
  media: Type.Object(
    {
      most_files: Type.Integer({
        minimum: 0,
        maximum: 100_000,
        default: 1_000,
        description: 'Pictures in the media library, at most.',
      }),
      most_megabytes: Type.Integer({
        minimum: 0,
        maximum: 100_000,
        default: 200,
        description: 'Megabytes of all of them together, at most. They are kept in the database.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  message_tracking: Type.Object(
    {
      email_clicks: Type.Boolean({
        default: false,
        description: 'On: links of e-mails lead over this installation, which counts the clicks.',
      }),
      email_opens: Type.Boolean({
        default: false,
        description:
          'On: e-mails carry a picture of one pixel that tells that they were opened. Mail programs that load pictures by themselves, or not at all, make it a rough number.',
      }),
      forbidden_in: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        maxItems: 300,
        default: [],
        description:
          'Markets and countries (ISO 3166 alpha-2) whose law forbids it: nothing is tracked of their players, nor of those whose country is not known.',
      }),
    },
    {
      additionalProperties: false,
      default: {},
      description: 'What e-mails tell of their readers. Everything is off by default.',
    },
  ),
  quiet_hours: Type.Object(
    {
      from: timeOfDay("Time of the player's day (HH:MM) at which they begin."),
      to: timeOfDay(
        'Time at which they end; before `from`: on the next day. Empty, or equal to `from`: no quiet hours.',
      ),
    },
    {
      additionalProperties: false,
      default: {},
      description: 'Messages of campaigns that fall into them are held until they end. Other messages are not held.',
    },
  ),
  frequency_caps: Type.Array(
    Type.Object(
      {
        channel: optional(
          Type.Union([Type.Enum(messageChannels), Type.Null()], { description: 'Left out: all channels together.' }),
        ),
        purpose: optional(
          Type.Union([Type.Enum(['marketing', 'service']), Type.Null()], { description: 'Left out: both together.' }),
        ),
        times: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Messages to one player, at most.' }),
        within: Type.String({ description: 'ISO 8601 duration, PT1M to P31D.' }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 50,
      default: [],
      description:
        'How many messages a player gets. Every message counts, whoever ordered it; campaigns withhold what is beyond. The highest priority comes first.',
    },
  ),
  holdout: Type.Object(
    {
      percent: Type.Number({
        minimum: 0,
        maximum: 50,
        default: 0,
        description:
          'Percent of the players who get nothing of any campaign but service messages: the control group of the brand. They stay in it when it grows.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  campaign_approval: Type.Object(
    {
      players: Type.Integer({
        minimum: 0,
        default: 0,
        description:
          'A version of a campaign that may reach more players than this is published only when a second person approves. 0: any number.',
      }),
      money: Type.String({
        pattern: '^([0-9]{1,12}([.][0-9]{1,8})?)?$',
        default: '',
        description:
          'In base currency. The same for a version whose bonuses may cost more, or whose bonuses have no amount in base currency. Empty: any amount.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  country_time_zones: Type.Record(Type.String({ pattern: '^[A-Z]{2,3}$' }), Type.String(), {
    default: {},
    description:
      "IANA zone of the players of a country, as the operator writes countries: {SE: Europe/Stockholm}. It counts where the user details hold no `time_zone`; without both, the brand's zone does.",
  }),
  product_consents: Type.Array(
    Type.Object(
      {
        product: Type.String({ minLength: 1, maxLength: 50, description: 'As `products` of campaigns name it.' }),
        channel: Type.Enum(messageChannels),
        consent: Type.String({ minLength: 1, maxLength: 100, description: "Type of the operator's consent." }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 100,
      default: [],
      description:
        'Which consent says that a player takes marketing for a product on a channel. Markets that demand it (GB) get no marketing for a product without one.',
    },
  ),
  webhook_allowed: Type.Array(Type.String({ pattern: '^https?://[^/\\s]+$' }), {
    maxItems: 20,
    default: [],
    description:
      'Origins (https://crm.lan:8443) that webhooks of campaigns may call at a private address, or by http. All others are public addresses by https.',
  }),
  channel_prefix: Type.String({
    pattern: '^private-[A-Za-z0-9][A-Za-z0-9-]{0,62}$',
    default: 'private-crm',
    description:
      "First part of the name of a player's channel, `private-crm-{BrandId}-{UserId}`. Bites when an app was written for channels of another name.",
  }),
  site_script: Type.Object(
    {
      config_name: globalName('crm', "Name of the object that holds a page's configuration."),
      api_name: globalName('Crm', 'Name of the object with the functions of the script.'),
      loader_name: globalName('CrmLoader', 'Name of the loader that a page creates.'),
      brand_name: globalName('crmbrand', 'Name of the global that holds the code of the brand.'),
      sid_name: globalName('sid', 'Name of the global that holds the session id.'),
      file_name: Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        default: 'crm',
        description: 'Name of the file below /loader/<brand code>/, without .js.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  staging_url: Type.String({
    pattern: '^(https?://[^\\s?#]*[^\\s?#/])?$',
    maxLength: 2_000,
    default: '',
    description:
      'Address of the installation that pages with the staging script talk to, without a slash at its end. Empty = this one.',
  }),
  reference_prefix: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,31}$',
    default: 'Crm',
    description: 'Middle word of the reference headers (X-Crm-Id) and of names sent back in bonus events.',
  }),
};

export const brandSettingsSchema = Type.Object(settingFields, { additionalProperties: false });
export type BrandSettings = Static<typeof brandSettingsSchema>;

/** False while nothing reads the setting: then nobody is advised to change it. */
export function isInEffect(setting: keyof BrandSettings): boolean {
  return !('takes_effect_with' in brandSettingsSchema.properties[setting]);
}

const secret = (description: string, options: { minLength?: number } = {}) =>
  Type.String({ minLength: 1, description, ...options });
const strict = { additionalProperties: false };

/** The three schemes of docs/reference/interface.md, Authentication 1. */
export const operatorAuthSchemas = {
  api_key: Type.Object(
    {
      type: Type.Literal('api_key'),
      header: Type.String({
        pattern: '^[A-Za-z0-9-]{1,100}$',
        default: 'X-API-Key',
        description: 'Name of the header.',
      }),
      value: secret('The key. Encrypted at rest.'),
    },
    strict,
  ),
  basic: Type.Object(
    {
      type: Type.Literal('basic'),
      username: Type.String({ minLength: 1, description: 'User name.' }),
      password: secret('Password. Encrypted at rest.'),
    },
    strict,
  ),
  oauth2: Type.Object(
    {
      type: Type.Literal('oauth2'),
      token_url: Type.String({
        pattern: '^https?://',
        description: 'Where client credentials are exchanged for a token.',
      }),
      client_id: Type.String({ minLength: 1, description: 'Client id.' }),
      client_secret: secret('Client secret. Encrypted at rest.'),
      scope: optional(Type.String({ description: 'Scope asked for, if the operator wants one.' })),
    },
    strict,
  ),
};
export type OperatorAuth =
  | Static<typeof operatorAuthSchemas.api_key>
  | Static<typeof operatorAuthSchemas.basic>
  | Static<typeof operatorAuthSchemas.oauth2>;

export const operatorFields = {
  base_url: Type.String({
    pattern: '^https?://',
    description: '{operator_base_url} of the interface. May be a private address.',
  }),
  idempotent_bonus: Type.Boolean({
    default: false,
    description:
      'The operator honours Idempotency-Key on bonus calls: an unknown outcome may be repeated with the same key.',
  }),
  bonus_500: choice(['unknown', 'not_applied'], {
    default: 'unknown',
    description: 'What a 5xx answer to a bonus call means.',
  }),
  bonus_200_error: choice(['unknown', 'rejected'], {
    default: 'unknown',
    description: 'What a 200 with an error object means for a bonus call.',
  }),
  bonus_extra_fields: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    {
      default: {},
      description:
        'Further fields of bonus calls by agreement, and the name in `extra` of a bonus credit from which each takes its value: {validity_amount: validity_amount}. user_id, bonus_code, amount and currency are never replaced.',
    },
  ),
  authenticate_path: Type.String({
    pattern: '^/',
    default: '/authenticate',
    description: "Path below base_url that validates a player's session id.",
  }),
  write_blocks: Type.Boolean({
    default: false,
    description:
      'The operator offers POST /userblocks/:userid: blocks that staff set are written there. Without it they stay with the platform.',
  }),
  connect_timeout_ms: Type.Integer({
    minimum: 50,
    maximum: 60_000,
    default: 2_000,
    description: 'Milliseconds until a connection to the operator must stand.',
  }),
  call_timeout_ms: Type.Integer({
    minimum: 50,
    maximum: 120_000,
    default: 10_000,
    description: 'Milliseconds for a whole call.',
  }),
  reconciliation_silence_ms: Type.Integer({
    minimum: 50,
    maximum: 600_000,
    default: 30_000,
    description:
      'Milliseconds without a byte after which a reconciliation has failed. The answer as a whole may take any time.',
  }),
  max_connections: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 32,
    description:
      'Connections for look-ups to this operator from one worker, so that a slow one never takes those of another; each endpoint that changes something has a few more of its own (at 32: six for each kind of bonus, four for each kind of write).',
  }),
  resync_per_second: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 20,
    description:
      'Players a second that a re-synchronisation asks the operator for, unless it is started with a pace of its own. Up to three calls each.',
  }),
};

const operatorFieldsSchema = Type.Object(operatorFields);
export type OperatorSettings = Static<typeof operatorFieldsSchema> & { auth: OperatorAuth };

/** A player of the operator's for the go-live steps (docs/reference/interface.md, Endpoints D, rule 4). */
export const testUserSchema = Type.Object(
  {
    user_id: Type.String({
      minLength: 1,
      description: 'user_id of the test player at the operator.',
    }),
    sid: secret('A session id that stays valid and is never sent to the operator. Encrypted at rest.'),
    in_production: Type.Boolean({
      default: false,
      description:
        'Whether it is let in where `public_url` is https. Whoever knows the sid is this player then: switch it on to look for a mistake, and off again.',
    }),
  },
  strict,
);
export type TestUser = Static<typeof testUserSchema>;

/** JWTs in place of session ids (docs/reference/decisions.md 8). */
export const siteJwtSchema = Type.Object(
  {
    secret: secret(
      'Secret with which the operator signs them (HS256), at least 32 characters. Session ids are not taken then, and `authenticate_path` is not called. Encrypted at rest.',
      { minLength: 32 },
    ),
    max_age_minutes: Type.Integer({
      minimum: 1,
      maximum: 43_200,
      default: 1_440,
      description: 'Minutes since `iat` after which a JWT is refused, whatever its `exp` says.',
    }),
  },
  strict,
);
export type SiteJwt = Static<typeof siteJwtSchema>;

const address = '^[^@\\s<>",;:]+@[^@\\s<>",;:]+\\.[^@\\s<>",;:.]+$';

/** How a brand hears what became of its e-mails: docs/guides/channels.md. */
export const emailReportsSchema = Type.Object(
  {
    key: optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{20,100}$',
        writeOnly: true,
        description:
          'Secret at the end of the address that is called. It lets raw mail be posted, and calls be up to 1 MiB; calls without it are up to 4 KiB. Encrypted at rest.',
      }),
    ),
    sendgrid_public_key: optional(
      Type.String({ maxLength: 1_000, description: 'SendGrid: verification key of the signed event webhook.' }),
    ),
    mailgun_signing_key: optional(secret('Mailgun: HTTP webhook signing key. Encrypted at rest.')),
    postmark_username: optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Postmark: user name in the address of the webhook.' }),
    ),
    postmark_password: optional(secret('Postmark: password in the address of the webhook. Encrypted at rest.')),
    ses_topic_arn: optional(
      Type.String({
        pattern: '^arn:aws[a-z-]*:sns:[a-z0-9-]+:\\d{12}:[A-Za-z0-9_-]+$',
        description: 'Amazon SES: the SNS topic that it publishes to.',
      }),
    ),
    verp: Type.Boolean({
      default: false,
      description:
        'On: the envelope sender names the message, as `bounces+<token>@...` from `bounce_address`. The mail server must accept such addresses.',
    }),
    soft_bounces: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description:
        'After so many bounces that are not final, within `soft_bounce_days`, an address is not written to any more.',
    }),
    soft_bounce_days: Type.Integer({ minimum: 1, maximum: 30, default: 14, description: 'Days.' }),
  },
  strict,
);
export type EmailReportSettings = Static<typeof emailReportsSchema>;

/** The server that takes a brand's e-mails, and how they are signed. */
export const emailSchema = Type.Object(
  {
    host: Type.String({
      pattern: '^[A-Za-z0-9.:-]{1,253}$',
      description: 'SMTP server: a name or an address. May be a private address.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587, description: 'Its port.' }),
    security: choice(['starttls', 'tls', 'none'], {
      default: 'starttls',
      description:
        'starttls: TLS is demanded after connecting (port 587); tls: from the first byte (port 465); none: unencrypted, for a server on this machine.',
    }),
    ca: optional(
      Type.String({
        maxLength: 100_000,
        description:
          "Certificate (PEM) of the authority that signed the server's, where it is none that everybody knows.",
      }),
    ),
    username: Type.String({ maxLength: 500, default: '', description: 'User name. Empty: the server wants none.' }),
    password: optional(secret('Password. Encrypted at rest.')),
    from_address: Type.String({ pattern: address, maxLength: 200, description: 'From whom e-mails come.' }),
    from_name: Type.String({ maxLength: 100, default: '', description: 'Name beside it. Empty = `display_name`.' }),
    reply_to: Type.String({
      pattern: `^$|${address}`,
      maxLength: 200,
      default: '',
      description: 'Where answers go. Empty = `from_address`.',
    }),
    bounce_address: Type.String({
      pattern: `^$|${address}`,
      maxLength: 200,
      default: '',
      description: 'Where servers report what they could not deliver (envelope sender). Empty = `from_address`.',
    }),
    dkim: optional(
      Type.Object(
        {
          domain: Type.String({ pattern: '^[A-Za-z0-9.-]{1,253}$', description: 'Domain that signs (d=).' }),
          selector: Type.String({ pattern: '^[A-Za-z0-9._-]{1,100}$', description: 'Name of the key in DNS (s=).' }),
          private_key: secret('Private key (PEM, RSA). Encrypted at rest.'),
        },
        strict,
      ),
    ),
    reports: optional(emailReportsSchema),
    max_connections: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description: 'Connections to the server from one worker, each with one e-mail at a time.',
    }),
    per_second: Type.Integer({
      minimum: 1,
      maximum: 1_000,
      default: 50,
      description: 'E-mails a second that one worker begins, at most.',
    }),
    call_timeout_ms: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 60_000,
      description:
        'Milliseconds for one e-mail, connecting included. A server that is silent after it has the e-mail leaves it unknown, and it is not sent again.',
    }),
  },
  strict,
);
export type EmailSettings = Static<typeof emailSchema>;

/** A brand as the other stages know it. Holds credentials: never log one whole. */
export interface Brand {
  brand_id: number;
  /** `window.crmbrand`, and the path of the site API. */
  code: string;
  name: string;
  /** Stands in the configuration file, whose values then win over the console's at every start. */
  declared: boolean;
  settings: BrandSettings;
  /** Null: no operator is configured, or its credentials cannot be decrypted (logged at start). */
  operator: OperatorSettings | null;
  test_user: TestUser | null;
  /** Null: players are known by session ids. */
  site_jwt: SiteJwt | null;
  /** Null: the brand sends no e-mails. */
  email: EmailSettings | null;
}
