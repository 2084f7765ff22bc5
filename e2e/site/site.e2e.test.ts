import { describe } from 'vitest';
import { configurationTests } from './configuration.ts';
import { deliveryTests } from './delivery.ts';
import { messageTests } from './messages.ts';
import { peopleTests } from './people.ts';
import { sessionTests } from './sessions.ts';
import { setupSite } from './site.ts';

/*
 * The browser script as an operator's page uses it (docs/reference/interface.md, Endpoints D), in a real Chromium, over a whole
 * installation. The tests cover what the page configures, the sessions, what staff write through the console API, and what the
 * player then sees. All tests share one installation and one browser. They run in parallel, each with its own players and
 * windows.
 */
const site = await setupSite(32);

describe.concurrent('what the page configures', { timeout: 60_000 }, () => configurationTests(site));
describe.concurrent('sessions', { timeout: 60_000 }, () => sessionTests(site));
describe.concurrent('what a message may contain', { timeout: 60_000 }, () => messageTests(site));
describe.concurrent('delivery of messages', { timeout: 60_000 }, () => deliveryTests(site));
describe.concurrent('devices and accessibility', { timeout: 60_000 }, () => peopleTests(site));
