/**
 * The publisher of the trial: node publish.ts <list> <rate> <prefix>
 *
 * Publishes approved deposits at a rate (per second) until SIGTERM, and retries each of them until the answer is 200. Appends
 * each acknowledged payment to the list: its id, the time of the first attempt, and the time of the answer (milliseconds). The
 * exit code is 0 only after every payment that was started is acknowledged.
 *
 * With the rate `again`, it publishes the payments of the list once more, with the same bodies. Croupier recognizes those that it
 * still has as repeated.
 *
 * The environment has TRIAL_URL (address of Croupier) and TRIAL_KEY (API key). Only Node's own modules are used, because `npm ci`
 * replaces the modules of the checkout during the trial.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

function missing(name: string): never {
  throw new Error(`missing: ${name}`);
}

const [list = missing('list'), rate = missing('rate'), prefix = 'payment'] = process.argv.slice(2);
const { TRIAL_URL: url = missing('TRIAL_URL'), TRIAL_KEY: key = missing('TRIAL_KEY') } = process.env;
/** Pause before the second attempt. It doubles after each further attempt, up to the longest pause. */
const firstPauseMs = 250;
const longestPauseMs = 2_000;
const answerTimeoutMs = 10_000;
/** Maximum number of payments that are published again at the same time. */
const concurrency = 8;

let failedAttempts = 0;
let acknowledged = 0;

/** Makes one attempt. Returns the status, or undefined if there was no complete answer. */
async function attempt(body: string): Promise<number | undefined> {
  try {
    const answer = await fetch(`${url}/v1/integration/payment`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
}

async function publish(id: string, at: number): Promise<void> {
  const number = Number(id.slice(id.lastIndexOf('-') + 1));
  const body = JSON.stringify({
    user_id: `player-${number % 5}`,
    payment_id: id,
    type: 'Credit',
    status: 'Approved',
    amount: 10,
    currency: 'EUR',
    exchange_rate: 1,
    vendor_id: 'card',
    origin: 'mycasino',
    timestamp: new Date(at).toISOString(),
  });
  for (let pause = firstPauseMs; (await attempt(body)) !== 200; pause = Math.min(2 * pause, longestPauseMs)) {
    failedAttempts++;
    await wait(pause);
  }
  acknowledged++;
}

async function publishAgain(): Promise<void> {
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  const worker = async () => {
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const [id = '', at] = line.split(' ');
      await publish(id, Number(at));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

async function publishUntilStopped(perSecond: number): Promise<void> {
  const stopping = new AbortController();
  process.on('SIGTERM', () => stopping.abort());
  const underWay = new Set<Promise<void>>();
  for (let number = 0; !stopping.signal.aborted; number++) {
    const id = `${prefix}-${number}`;
    const at = Date.now();
    const sending: Promise<void> = publish(id, at).then(() => {
      appendFileSync(list, `${id} ${at} ${Date.now()}\n`);
      underWay.delete(sending);
    });
    underWay.add(sending);
    await wait(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await Promise.all(underWay);
}

await (rate === 'again' ? publishAgain() : publishUntilStopped(Number(rate)));
process.stdout.write(`${acknowledged} payments answered 200, ${failedAttempts} attempts failed and were repeated\n`);
