import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { Child } from './child.ts';
import type { DemoBrand } from './demo-brand.ts';
import { localAddress } from './local-address.ts';
import { nodeArguments, nodeEnvironment } from './node-arguments.ts';
import { demoVariable, roles, supervisedVariable } from './roles.ts';

/**
 * Time limits for the stop of the children. A stop may take 10 s from SIGTERM to exit (docs/reference/design.md 6). The
 * sandbox stops first, then the roles. The database gets the rest of the time.
 */
const roleStopLimitMs = 6_000;
const sandboxStopLimitMs = 1_000;

const mainScript = fileURLToPath(new URL('../main.ts', import.meta.url));
const sandboxScript = fileURLToPath(new URL('../../../sandbox/src/main.ts', import.meta.url));

/**
 * The configured number of api and worker processes. They read the configuration themselves; values decided here override it. With
 * `hasDemo`, the first worker creates the content of the demo brand.
 */
export function roleChildren(
  config: Config,
  databaseUrl: string,
  { log, hasDemo }: { log: Logger; hasDemo: boolean },
): Child[] {
  const env = {
    ...nodeEnvironment,
    ...process.env,
    [supervisedVariable]: '1',
    PORT: String(config.port),
    DATABASE_URL: databaseUrl,
    CROUPIER_SECRET: config.secret,
    CROUPIER_ADMIN_TOKEN: config.admin_token,
  };
  return roles.flatMap((role) =>
    Array.from(
      { length: config.processes[role] },
      (_, index) =>
        new Child({
          name: `${role} ${index + 1}`,
          script: mainScript,
          args: [role],
          nodeArguments: nodeArguments(role),
          env: hasDemo && role === 'worker' && index === 0 ? { ...env, [demoVariable]: '1' } : env,
          log,
          stopLimitMs: roleStopLimitMs,
        }),
    ),
  );
}

/**
 * The simulated operator and its light traffic. It is treated as an external system: it gets a key and addresses, but no access
 * to the database.
 */
export function sandboxChild(config: Config, demo: DemoBrand, port: number, log: Logger): Child {
  return new Child({
    name: 'sandbox',
    script: sandboxScript,
    args: [],
    nodeArguments: nodeArguments('sandbox'),
    env: {
      ...nodeEnvironment,
      PATH: process.env.PATH,
      LOG_LEVEL: config.log_level,
      SANDBOX_PORT: String(port),
      SANDBOX_OPERATOR_KEY: demo.operator_key,
      SANDBOX_PLATFORM_URL: localAddress(config, '127.0.0.1'),
      SANDBOX_PUBLIC_URL: config.public_url,
      SANDBOX_BRAND: demo.declaration.code,
      SANDBOX_TEST_USER: demo.test_user.user_id,
      SANDBOX_API_KEY: demo.key,
    },
    log,
    stopLimitMs: sandboxStopLimitMs,
  });
}
