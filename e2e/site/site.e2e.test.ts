import { describe } from 'vitest';
import { configurationTests } from './configuration.ts';
import { deliveryTests } from './delivery.ts';
import { messageTests } from './messages.ts';
import { peopleTests } from './people.ts';
import { sessionTests } from './sessions.ts';
import { setupSite } from './site.ts';

/*
 * The browser script as an operator's page uses it (docs/reference/interface.md, Endpoints D), in a real Chromium, over a whole installation: what the
 * page configures, who is signed in, what staff write through the console API, and what the player then sees. One installation
 * and one browser for all of it; the tests run side by side, each with players and windows of its own.
 */
const site = await setupSite(32);

describe.concurrent('what the page configures', { timeout: 60_000 }, () => configurationTests(site));
describe.concurrent('who is signed in', { timeout: 60_000 }, () => sessionTests(site));
describe.concurrent('what a message may hold', { timeout: 60_000 }, () => messageTests(site));
describe.concurrent('how messages arrive', { timeout: 60_000 }, () => deliveryTests(site));
describe.concurrent('who reads them, and how', { timeout: 60_000 }, () => peopleTests(site));
