import Type, { type Static } from 'typebox';
import { logLevels } from '../log.ts';
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
    port: integer(0, 65_535, 8080, 'Port of the one HTTP server. 0 = any free one. Environment: PORT.'),
    host: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          'Address to listen on; absent = all of the machine. Behind a proxy on the same machine: 127.0.0.1. Environment: HOST.',
      }),
    ),
    public_url: Type.Optional(
      Type.String({
        pattern: '^https?://',
        description:
          'Where browsers and operators reach this installation; stands in links. Default http://localhost:<port>. Environment: PUBLIC_URL.',
      }),
    ),
    trusted_proxies: trustedProxies,
    sandbox_port: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description:
          'Port of the sandbox casino, which starts only without a configuration file. 0 = any free one. Default 8090, or any free one if 8090 is in use. Environment: SANDBOX_PORT.',
      }),
    ),
    data_dir: Type.String({
      minLength: 1,
      default: './data',
      description: 'Folder of the embedded database and of generated secrets, mode 0700. Environment: DATA_DIR.',
    }),
    database_url: Type.Optional(
      Type.String({
        pattern: '^postgres(ql)?://',
        description:
          'PostgreSQL 15 to 18; absent = the embedded one. Trying campaigns makes a second, empty database beside it, named with _scenarios at the end: give the role CREATEDB, or make that one, too. Environment: DATABASE_URL.',
      }),
    ),
    log_level: Type.Enum([...logLevels], {
      default: 'info',
      description: 'Least severe log lines that are written. Environment: LOG_LEVEL.',
    }),
    processes: Type.Object(
      {
        api: integer(
          0,
          64,
          1,
          'Api processes that share the port (more than one: Linux). Bites at about 10,000 events/s.',
        ),
        worker: integer(0, 64, 1, 'Worker processes that share the buckets. Bites when the lag metric grows.'),
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
              'Port of its own for `GET /metrics`, on the same `host`; absent = the one HTTP server. Set it to close the metrics with a firewall.',
          }),
        ),
        token: Type.Optional(
          Type.String({
            minLength: 16,
            pattern: '^[!-~]+$',
            description:
              'Token that a scraper sends as `Authorization: Bearer`. Without one, callers of this machine and of private networks see the metrics, all others get 403.',
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
          'Connections of the pool of each process; beyond it callers wait 5 s, then fail.',
        ),
        statement_timeout_ms: integer(
          100,
          3_600_000,
          30_000,
          'Milliseconds after which the server cancels a statement.',
        ),
      },
      { ...strict, default: {} },
    ),
    ingest: Type.Object(
      {
        max_body_bytes: integer(1_024, 67_108_864, 1_048_576, 'Bytes of one event; a larger one is answered 413.'),
        max_pending_events: integer(
          1,
          10_000_000,
          20_000,
          'Events that wait for their commit; beyond it 503 with Retry-After.',
        ),
        max_pending_bytes: integer(
          1_048_576,
          4_294_967_296,
          67_108_864,
          'Bytes of the events that wait; beyond it 503 with Retry-After.',
        ),
        max_batch_events: integer(1, 100_000, 2_000, 'Events that share one commit.'),
      },
      { ...strict, default: {} },
    ),
    sockets: Type.Object(
      {
        max: integer(
          0,
          1_000_000,
          20_000,
          'Sockets of browsers and apps in each api process; further ones are asked to come back later, and pages poll meanwhile. The open-file limit (ulimit -n) has to be above it.',
        ),
        max_per_address: integer(
          1,
          1_000_000,
          1_000,
          'Sockets from one address in each api process; a /64 of IPv6 counts as one. Bites behind a proxy that is not in `trusted_proxies`: then all players share its address.',
        ),
        max_per_player: integer(
          1,
          1_000,
          20,
          'Sockets of one player in each api process: open tabs and devices. Further ones are refused the channel, and poll.',
        ),
      },
      { ...strict, default: {} },
    ),
    brands: Type.Array(Type.Unknown(), { default: [] }),
  },
  strict,
);

export type FileSettings = Static<typeof fileSchema>;
