import Type, { type Static } from 'typebox';
import { logLevels } from '../log.ts';
import { databaseUrl } from './database-url.ts';
import { singleSignOnSchema } from './single-sign-on.ts';
import { trustedProxies } from './trusted-proxies.ts';

/*
 * The settings of the installation: the top level of the configuration file. Those of brands are in
 * src/brands/settings.ts. Each setting documents what it does, its unit, and when to set it.
 * docs/guides/configuration.md lists them, and a test compares both.
 */
const strict = { additionalProperties: false };

const integer = (least: number, most: number, byDefault: number, description: string) =>
  Type.Integer({ minimum: least, maximum: most, default: byDefault, description });

export const fileSchema = Type.Object(
  {
    port: integer(0, 65_535, 8080, 'Port of the HTTP server. 0 = any free port. Environment: PORT.'),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Address to listen on. Default: all addresses of the machine. If a proxy runs on the same machine, set 127.0.0.1. Environment: HOST.',
      }),
    ),
    public_url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description:
          'Address at which browsers and operators reach this installation. Links contain it. Default http://localhost:<port>. Environment: PUBLIC_URL.',
      }),
    ),
    trusted_proxies: trustedProxies,
    sandbox_port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'Port of the sandbox casino, which starts only without a configuration file. 0 = any free port. Default 8090, or any free port if 8090 is in use. Environment: SANDBOX_PORT.',
      }),
    ),
    data_dir: Type.String({
      minLength: 1,
      default: './data',
      description: 'Folder for the embedded database and for generated secrets, mode 0700. Environment: DATA_DIR.',
    }),
    database_url: Type.Optional(databaseUrl),
    log_level: Type.Enum([...logLevels], {
      default: 'info',
      description:
        'Lowest level of log lines that are written: trace, debug, info, warn, error, fatal or silent. Environment: LOG_LEVEL. With debug and trace in the environment, commands and starts also print the stack traces of unexpected errors.',
    }),
    processes: Type.Object(
      {
        api: integer(
          0,
          64,
          1,
          'Number of api processes that share the port (more than one requires Linux). Increase it if an api process uses a whole CPU core.',
        ),
        worker: integer(
          0,
          64,
          1,
          'Number of worker processes that share the buckets. Increase it if the lag metric grows.',
        ),
        worker_nice: integer(
          0,
          19,
          10,
          'By how many steps workers lower their own CPU priority (`nice`), so that api processes on the same machine answer first. Set 0 if other programs use the same CPUs: they would delay messages and bonuses by seconds.',
        ),
      },
      { ...strict, default: {} },
    ),
    metrics: Type.Object(
      {
        port: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 65_535,
            description:
              'Separate port for `GET /metrics`, on the same `host`. Default: the port of the HTTP server. Set it to protect the metrics with a firewall.',
          }),
        ),
        token: Type.Optional(
          Type.String({
            minLength: 16,
            pattern: '^[!-~]+$',
            description:
              'Token that a scraper sends as `Authorization: Bearer`. Without a token, callers on this machine and in private networks can read the metrics; all others get 403.',
          }),
        ),
      },
      { ...strict, default: {} },
    ),
    database: Type.Object(
      {
        max_connections: integer(
          2,
          500,
          10,
          'Maximum connections of each process. If all are in use, callers wait 5 s, then fail.',
        ),
        statement_timeout_ms: integer(
          100,
          3_600_000,
          30_000,
          'Milliseconds after which PostgreSQL cancels a statement.',
        ),
      },
      { ...strict, default: {} },
    ),
    ingest: Type.Object(
      {
        max_body_bytes: integer(
          1_024,
          67_108_864,
          1_048_576,
          'Maximum bytes of one event. A larger event is answered 413.',
        ),
        max_pending_events: integer(
          1,
          10_000_000,
          20_000,
          'Maximum events that wait for their commit. Above it, events are answered 503 with Retry-After.',
        ),
        max_pending_bytes: integer(
          1_048_576,
          4_294_967_296,
          67_108_864,
          'Maximum bytes of the events that wait for their commit. Above it, events are answered 503 with Retry-After.',
        ),
        max_batch_events: integer(1, 100_000, 2_000, 'Maximum events in one commit.'),
      },
      { ...strict, default: {} },
    ),
    sockets: Type.Object(
      {
        max: integer(
          0,
          1_000_000,
          20_000,
          'Maximum sockets of browsers and apps in each api process. Above it, new sockets are refused, and these pages poll until a socket is free. The open-file limit (ulimit -n) must be higher.',
        ),
        max_per_address: integer(
          1,
          1_000_000,
          1_000,
          'Maximum sockets from one address in each api process. A /64 of IPv6 counts as one address. If your proxy is not in `trusted_proxies`, all players share its address and this limit.',
        ),
        max_per_player: integer(
          1,
          1_000,
          20,
          'Maximum sockets of one player in each api process. Each open tab and device has one. Further pages of the player poll instead.',
        ),
      },
      { ...strict, default: {} },
    ),
    single_sign_on: Type.Optional(singleSignOnSchema),
    brands: Type.Array(Type.Unknown(), { default: [] }),
  },
  strict,
);

export type FileSettings = Static<typeof fileSchema>;
