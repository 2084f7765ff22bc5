import { type ReconciliationField, reconciliationFields } from '@croupier/contracts';
import Type, { type Static, type TSchema } from 'typebox';
import { segmentationTraits } from './trait-names.ts';

/*
 * The settings of a brand, with the same names in the configuration file (docs/reference/design.md 6), the database and
 * the console API. Each setting documents what it does, its unit, its default, and when to set it.
 * docs/guides/configuration.md lists them all, and a test compares the two.
 *
 * The format already contains settings that have no effect yet, so that a file written today stays valid. Such a setting is
 * marked: `takes_effect_with` names the part that will read it, and settings-in-effect.test.ts finds missing and outdated
 * marks.
 */

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** TypeBox types an Enum of a list as `string`; this adds the type of the values. */
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

/** Empty means none. */
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
      'IANA zone in which a timestamp without an offset is read. Set this if events appear whole hours early or late.',
  }),
  site_origins: Type.Array(Type.String({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s?#@]+/?$' }), {
    default: [],
    description:
      'Origins of the pages that may call the site API (CORS): scheme, host and port, without a path. Set this if the browser reports CORS errors.',
  }),
  on_invalid: choice(['reject', 'accept'], {
    default: 'reject',
    description:
      'Answer to an invalid event. reject: 400. The same body gets 200 if it is sent again 10 minutes or more after its first refusal, or after 10 refusals. accept: 200 immediately. Both quarantine the event.',
  }),
  trigger_age_minutes: Type.Integer({
    minimum: 1,
    maximum: 525_600,
    default: 30,
    description: 'Minutes. An event that is older than this on arrival updates state and never starts a contact.',
  }),
  casino_activity_key: Type.Array(Type.Enum([...casinoKeyFields]), {
    minItems: 1,
    uniqueItems: true,
    default: ['vendor_id', 'activity_id', 'type', 'status'],
    description:
      'Fields that identify a casino event; two events with the same values are the same event. status is always included. Change this if the go-live step shows conflicts. A rebuild applies a change to the past.',
  }),
  rollback_by_round: Type.Boolean({
    default: false,
    description:
      'If on, a casino Rollback cancels all activities of its type and round, and its ids are ignored. Set this if rollbacks have their own ids and appear as orphans. A rebuild applies a change to the past.',
  }),
  rounds_from: choice(['auto', 'casino', 'gameround'], {
    default: 'auto',
    description:
      'Endpoint from which game rounds are built. casino: from the single bets and wins. gameround: from the summaries of rounds. auto: each value of a round comes from its summary if the summary contains the value, otherwise from the bets and wins. Change this if you send both and they do not match. A rebuild applies a change to the past.',
  }),
  session_gap_minutes: Type.Integer({
    minimum: 1,
    maximum: 1_440,
    default: 30,
    description:
      'Maximum minutes between the end of a round and the start of the next in one session. A rebuild applies a change to the past.',
  }),
  history_days: Type.Integer({
    minimum: 2,
    maximum: 36_500,
    default: 400,
    description:
      'Days for which the ledger keeps events, and with them rounds, custom events and site events. Site messages that have ended are removed after the same number of days, but not before 31 days. An event that is older on arrival is answered 200 and listed as too old. Raise this before you import older years.',
  }),
  quarantine_days: Type.Integer({
    minimum: 1,
    maximum: 3_650,
    default: 90,
    description:
      'Days for which the quarantine keeps an invalid event after it was last sent. If its body is not JSON, it is kept for at most 30 days. A brand keeps at most 100,000 invalid events. The overview announces removals a week before.',
  }),
  segmentation_traits: segmentationTraits,
  fact_age_hours: Type.Integer({
    minimum: 1,
    maximum: 8_760,
    default: 24,
    description: 'Hours. Consents, blocks and exclusions that are older than this are fetched again before a contact.',
  }),
  reconciliation: Type.Object(
    {
      schedule: choice(['nightly', 'off'], {
        default: 'nightly',
        description:
          'nightly: compares the lists of users with the operator every night. off: only when a person requests it.',
      }),
      fields: Type.Unsafe<ReconciliationField[]>(
        Type.Array(Type.Enum([...reconciliationFields]), {
          uniqueItems: true,
          default: [...reconciliationFields],
          description:
            'Lists to compare. A list that the operator does not offer (404, 405 or 501) costs one call a night.',
        }),
      ),
      from_hour: Type.Integer({
        minimum: 0,
        maximum: 23,
        default: 2,
        description: "Full hour of the brand's day from which the nightly runs start.",
      }),
      until_hour: Type.Integer({
        minimum: 0,
        maximum: 24,
        default: 5,
        description:
          'Full hour until which the nightly runs start, each at its own time. If it is before `from_hour`, it means the next day. If it is equal, runs start at any time of the day.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  site_functions: Type.Object(
    {
      tracking: Type.Boolean({
        default: true,
        description: 'Pages may record events of their player (`Crm.track`). If off, the calls are answered 403.',
      }),
      rewards: Type.Boolean({
        default: true,
        description: 'Players can see and claim their offers (`Crm.pendingRewards`, `Crm.claimReward`).',
      }),
      profile: Type.Boolean({
        default: true,
        description: 'Players can see and change their own consents (`Crm.profile`).',
      }),
      tracked_per_second: Type.Integer({
        minimum: 1,
        maximum: 10_000,
        default: 100,
        description:
          'Tracked events per second that one api process accepts from all players together, with bursts of ten times as many. Above it, calls are answered 429 with Retry-After. The limit protects you from a page that records every mouse movement.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  push: Type.Object(
    {
      enabled: Type.Boolean({
        default: true,
        description:
          'Players may subscribe devices to push (`Crm.enablePush`), and pushes are sent. If off, pages report it and waiting pushes are dropped. Messages still appear in the inbox.',
      }),
      contact: Type.String({
        pattern: '^((mailto:)?[^@\\s]+@[^@\\s]+|https://\\S+)?$',
        maxLength: 200,
        default: '',
        description:
          'E-mail or https address at which a push service can reach the person responsible for the pushes. Empty: `support_contact` if it is such an address, else the public address of the installation. Set this if a push service refuses pushes (401, 403).',
      }),
      ends_with_logout_event: Type.Boolean({
        default: true,
        description:
          "The operator's logout event does not name a device, so it removes all devices of its player. Each device is subscribed again when the player signs in on it. If off, only a sign-out on the device itself removes it. Switch this off if the operator publishes a logout for every session that times out.",
      }),
      private_origins: Type.Array(Type.String({ pattern: '^https?://[^/\\s]+$' }), {
        maxItems: 20,
        default: [],
        description:
          'Origins of push services (https://push.lan:8443) that may have a private address, another port, or http. All other push services must have a public address, https and port 443, because browsers name the endpoints.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  display_name: Type.String({
    maxLength: 100,
    default: '',
    description: 'Name of the brand on pages and in messages that players see. Empty: `name`.',
  }),
  logo_url: Type.String({
    pattern: '^(https?://.+)?$',
    maxLength: 2_000,
    default: '',
    description:
      'Address of the logo on pages that players see. Use an SVG or PNG that is readable on light and dark. Empty: the name instead. Pages load images only from its origin.',
  }),
  brand_color: Type.String({
    pattern: '^(#[0-9A-Fa-f]{6})?$',
    default: '',
    description:
      'Color of buttons on pages that players see, #rrggbb. The colors of texts and edges are adjusted until they are readable (WCAG AA). Empty: a plain blue.',
  }),
  support_contact: Type.String({
    maxLength: 200,
    default: '',
    description:
      'Contact for players who need help: an e-mail address, a web address or a telephone number. Hosted pages show it. If it is an e-mail address, the inbox of a site that does not set `crm.inbox.contactEmail` shows it too. Empty: not shown.',
  }),
  default_language: Type.String({
    pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
    default: 'en',
    description:
      "Language (BCP 47) of pages. It is used if the player's language and the browser's languages are unknown or not offered.",
  }),
  test_players: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 100,
    default: [],
    description:
      'user_ids of your test players. Templates can be sent to them as a test (`POST templates/:code/test-send`). The gate decides about these messages as for all players.',
  }),
  responsible_gambling: Type.Array(
    Type.Object(
      {
        market: Type.String({
          minLength: 1,
          maxLength: 100,
          description: "The market of the player from the operator's details, or a country (MT). `*`: all others.",
        }),
        language: Type.String({
          pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$',
          description: 'Language (BCP 47) of the text.',
        }),
        text: Type.String({ minLength: 1, maxLength: 5_000, description: 'HTML. It is sanitized like messages.' }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 500,
      default: [],
      description:
        'Text below marketing messages made from templates, by market and language: age limits, help lines. To place it elsewhere, use `{{ responsible_gambling }}` in the template.',
    },
  ),
  media: Type.Object(
    {
      most_files: Type.Integer({
        minimum: 0,
        maximum: 100_000,
        default: 1_000,
        description: 'Maximum number of images in the media library.',
      }),
      most_megabytes: Type.Integer({
        minimum: 0,
        maximum: 100_000,
        default: 200,
        description:
          'Maximum size of all images of the media library together, in megabytes. They are stored in the database.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  message_tracking: Type.Object(
    {
      email_clicks: Type.Boolean({
        default: false,
        description: 'If on, links in e-mails go through this installation, which counts the clicks.',
      }),
      email_opens: Type.Boolean({
        default: false,
        description:
          'If on, e-mails contain a one-pixel image that counts opens. Some mail programs load all images and some load none, so the count is a rough number.',
      }),
      sms_clicks: Type.Boolean({
        default: false,
        description:
          'If on, links in SMS are replaced by short links through this installation, which counts the clicks. The parts of an SMS are counted with the short links.',
      }),
      forbidden_in: Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
        maxItems: 300,
        default: [],
        description:
          'Markets and countries (ISO 3166 alpha-2) whose law forbids tracking. Players there, and players whose country is unknown, are not tracked.',
      }),
    },
    {
      additionalProperties: false,
      default: {},
      description: 'Tracking in e-mails and SMS. Everything is off by default.',
    },
  ),
  quiet_hours: Type.Object(
    {
      from: timeOfDay("Time in the player's time zone (HH:MM) at which quiet hours begin."),
      to: timeOfDay(
        'Time at which quiet hours end. If it is before `from`, it means the next day. Empty, or equal to `from`: no quiet hours.',
      ),
    },
    {
      additionalProperties: false,
      default: {},
      description: 'Messages of campaigns and bulk actions wait until quiet hours end. Other messages do not wait.',
    },
  ),
  frequency_caps: Type.Array(
    Type.Object(
      {
        channel: optional(
          Type.Union([Type.Enum(messageChannels), Type.Null()], { description: 'Default: all channels together.' }),
        ),
        purpose: optional(
          Type.Union([Type.Enum(['marketing', 'service']), Type.Null()], { description: 'Default: both together.' }),
        ),
        times: Type.Integer({ minimum: 0, maximum: 10_000, description: 'Maximum messages to one player.' }),
        within: Type.String({ description: 'ISO 8601 duration, PT1M to P31D.' }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 50,
      default: [],
      description:
        'Maximum messages per player and period. Every message counts, including those ordered by people and API calls. Campaigns and bulk actions withhold messages above the cap. The highest priority is sent first.',
    },
  ),
  holdout: Type.Object(
    {
      percent: Type.Number({
        minimum: 0,
        maximum: 50,
        default: 0,
        description:
          "Percentage of players in the brand's control group. Campaigns and bulk actions send them only service messages. Players stay in the group when it grows.",
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
          'If a version of a campaign may reach more players than this, a second person must approve it before it is published. A message or offer to more members of a segment is refused. 0: no limit.',
      }),
      money: Type.String({
        pattern: '^([0-9]{1,12}([.][0-9]{1,8})?)?$',
        default: '',
        description:
          'In base currency. A second person must also approve a version whose bonuses may cost more, have no amount in base currency, or can be repeated because players may enter again without limit. An offer to a segment is refused in the first two cases. Empty: no limit.',
      }),
    },
    { additionalProperties: false, default: {} },
  ),
  country_time_zones: Type.Record(Type.String({ pattern: '^[A-Z]{2,3}$' }), Type.String(), {
    default: {},
    description:
      "IANA zone of the players of a country, as the operator writes countries: {SE: Europe/Stockholm}. It applies if the user details have no `time_zone`. Without both, the brand's zone applies.",
  }),
  product_consents: Type.Array(
    Type.Object(
      {
        product: Type.String({
          minLength: 1,
          maxLength: 50,
          description: 'Product, as named in `products` of campaigns.',
        }),
        channel: Type.Enum(messageChannels),
        consent: Type.String({ minLength: 1, maxLength: 100, description: "Type of the operator's consent." }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 100,
      default: [],
      description:
        'Consent that is required for marketing of a product on a channel. In markets that require it (GB), marketing for a product is withheld without this consent.',
    },
  ),
  webhook_allowed: Type.Array(Type.String({ pattern: '^https?://[^/\\s]+$' }), {
    maxItems: 20,
    default: [],
    description:
      'Origins (https://crm.lan:8443) that webhooks of campaigns may call at a private address, or by http. All other webhooks require a public address and https.',
  }),
  channel_prefix: Type.String({
    pattern: '^private-[A-Za-z0-9][A-Za-z0-9-]{0,62}$',
    default: 'private-crm',
    description:
      "First part of the name of a player's channel, `private-crm-{BrandId}-{UserId}`. Change it if an app expects another name.",
  }),
  site_script: Type.Object(
    {
      config_name: globalName('crm', "Name of the global object with the page's configuration."),
      api_name: globalName('Crm', 'Name of the global object with the functions of the script.'),
      loader_name: globalName('CrmLoader', 'Name of the loader class that a page instantiates.'),
      brand_name: globalName('crmbrand', 'Name of the global variable with the code of the brand.'),
      sid_name: globalName('sid', 'Name of the global variable with the session id.'),
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
      'Address of the installation that pages with the staging script call, without a trailing slash. Empty: this installation.',
  }),
  reference_prefix: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9]{0,31}$',
    default: 'Crm',
    description:
      'Middle word of the reference headers, such as Crm in X-Crm-Id, and of the reference names in bonus events.',
  }),
};

export const brandSettingsSchema = Type.Object(settingFields, { additionalProperties: false });
export type BrandSettings = Static<typeof brandSettingsSchema>;

/** False while no code reads the setting. Then no advice recommends changing it. */
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
        description: 'Address that exchanges client credentials for a token.',
      }),
      client_id: Type.String({ minLength: 1, description: 'Client id.' }),
      client_secret: secret('Client secret. Encrypted at rest.'),
      scope: optional(Type.String({ description: 'Scope to request, if the operator requires one.' })),
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
      'The operator honors Idempotency-Key on bonus calls. A call with an unknown outcome is then retried with the same key.',
  }),
  bonus_500: choice(['unknown', 'not_applied'], {
    default: 'unknown',
    description:
      'What a 5xx answer to a bonus call means. unknown: the bonus may have been credited, so the call is not repeated. not_applied: the bonus was certainly not credited, so the call is retried.',
  }),
  bonus_200_error: choice(['unknown', 'rejected'], {
    default: 'unknown',
    description:
      'What a 200 with an error object means for a bonus call. unknown: the bonus may have been credited, so the call is not repeated. rejected: the bonus was not credited, and the intent ends.',
  }),
  bonus_extra_fields: Type.Record(
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
    {
      default: {},
      description:
        'Additional fields of bonus calls that you agreed with the operator. Each entry maps the field of the call to the name in `extra` from which it takes its value: {validity_amount: validity_amount}. user_id, bonus_code, amount and currency are never replaced.',
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
      'The operator offers POST /userblocks/:userid, and blocks that staff set are sent there. If off, such blocks stay in the platform.',
  }),
  connect_timeout_ms: Type.Integer({
    minimum: 50,
    maximum: 60_000,
    default: 2_000,
    description: 'Milliseconds within which a connection to the operator must be established.',
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
      'If the operator sends no byte for this number of milliseconds, the reconciliation fails. The complete answer may take any time.',
  }),
  max_connections: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 32,
    description:
      'Connections for look-ups to this operator from one worker. Each operator has its own connections, so a slow operator never uses those of another. Each endpoint that changes something has additional connections (with the default of 32: six for each kind of bonus, four each for consents and blocks).',
  }),
  resync_per_second: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    default: 20,
    description:
      'Players per second in a re-synchronization, unless you start it with another pace. Each player requires up to three calls.',
  }),
};

const operatorFieldsSchema = Type.Object(operatorFields);
export type OperatorSettings = Static<typeof operatorFieldsSchema> & { auth: OperatorAuth };

/** A player at the operator for the go-live steps (docs/reference/interface.md, Endpoints D, rule 4). */
export const testUserSchema = Type.Object(
  {
    user_id: Type.String({
      minLength: 1,
      description: 'user_id of the test player at the operator.',
    }),
    sid: secret('Session id that stays valid and is never sent to the operator. Encrypted at rest.'),
    in_production: Type.Boolean({
      default: false,
      description:
        'If on, the test user may also sign in when `public_url` is https. Anyone who knows the sid can then act as this player. Switch this on only to find a problem, and off afterwards.',
    }),
  },
  strict,
);
export type TestUser = Static<typeof testUserSchema>;

/** The highest `max_age_minutes` of a brand's JWTs: 30 days. */
export const longestJwtMinutes = 43_200;

/** JWTs instead of session ids (docs/reference/decisions.md 8). */
export const siteJwtSchema = Type.Object(
  {
    secret: secret(
      'Secret with which the operator signs JWTs (HS256), at least 32 characters. If it is set, session ids are refused, and `authenticate_path` is not called. Encrypted at rest.',
      { minLength: 32 },
    ),
    max_age_minutes: Type.Integer({
      minimum: 1,
      maximum: longestJwtMinutes,
      default: 1_440,
      description: 'Minutes after `iat` from which a JWT is refused, even if its `exp` is later.',
    }),
  },
  strict,
);
export type SiteJwt = Static<typeof siteJwtSchema>;

const address = '^[^@\\s<>",;:]+@[^@\\s<>",;:]+\\.[^@\\s<>",;:.]+$';

/** How a brand receives reports about its e-mails: docs/guides/channels.md. */
export const emailReportsSchema = Type.Object(
  {
    key: optional(
      Type.String({
        pattern: '^[A-Za-z0-9_-]{20,100}$',
        writeOnly: true,
        description:
          'Secret at the end of the webhook address. It allows raw mail, and calls of up to 1 MiB. Calls without it may have up to 4 KiB. Encrypted at rest.',
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
        'If on, the envelope sender identifies the message: `bounces+<token>@...`, from `bounce_address`. The mail server must accept such addresses.',
    }),
    soft_bounces: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 5,
      description: 'Number of soft bounces within `soft_bounce_days` after which an address is suppressed.',
    }),
    soft_bounce_days: Type.Integer({
      minimum: 1,
      maximum: 30,
      default: 14,
      description: 'Number of days over which `soft_bounces` counts.',
    }),
  },
  strict,
);
export type EmailReportSettings = Static<typeof emailReportsSchema>;

/** The server to which a brand's e-mails are sent, and how they are signed. */
export const emailSchema = Type.Object(
  {
    host: Type.String({
      pattern: '^[A-Za-z0-9.:-]{1,253}$',
      description: 'SMTP server: a name or an address. May be a private address.',
    }),
    port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587, description: 'Port of the server.' }),
    security: choice(['starttls', 'tls', 'none'], {
      default: 'starttls',
      description:
        'starttls: TLS is required after connecting (port 587). tls: TLS from the first byte (port 465). none: unencrypted, for a server on this machine.',
    }),
    ca: optional(
      Type.String({
        maxLength: 100_000,
        description:
          "Certificate (PEM) of the authority that signed the server's certificate, if it is not publicly trusted.",
      }),
    ),
    username: Type.String({ maxLength: 500, default: '', description: 'User name. Empty: the server requires none.' }),
    password: optional(secret('Password. Encrypted at rest.')),
    from_address: Type.String({ pattern: address, maxLength: 200, description: 'Sender address of e-mails.' }),
    from_name: Type.String({ maxLength: 100, default: '', description: 'Sender name. Empty: `display_name`.' }),
    reply_to: Type.String({
      pattern: `^$|${address}`,
      maxLength: 200,
      default: '',
      description: 'Address for replies. Empty: `from_address`.',
    }),
    bounce_address: Type.String({
      pattern: `^$|${address}`,
      maxLength: 200,
      default: '',
      description: 'Address to which servers report undelivered e-mails (envelope sender). Empty: `from_address`.',
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
      description: 'Maximum e-mails per second that all workers together start.',
    }),
    call_timeout_ms: Type.Integer({
      minimum: 100,
      maximum: 600_000,
      default: 60_000,
      description:
        'Milliseconds for one e-mail, including the connection. If the server does not answer after it received the e-mail, the outcome is unknown, and the e-mail is not sent again.',
    }),
  },
  strict,
);
export type EmailSettings = Static<typeof emailSchema>;

/** A brand as other stages see it. Contains credentials: never log the whole object. */
export interface Brand {
  brand_id: number;
  /** `window.crmbrand`, and the path of the site API. */
  code: string;
  name: string;
  /** True if it is in the configuration file, whose values then override the console's at every start. */
  declared: boolean;
  settings: BrandSettings;
  /** Null if no operator is configured, or if its credentials cannot be decrypted (logged at start). */
  operator: OperatorSettings | null;
  test_user: TestUser | null;
  /** Null if players are identified by session ids. */
  site_jwt: SiteJwt | null;
  /** Null if the brand sends no e-mails. */
  email: EmailSettings | null;
}
