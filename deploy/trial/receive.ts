/**
 * The receiver of the trial: node receive.ts <address of Croupier> <player> <count>
 *
 * Signs in at the site as a player, opens the socket of the browser script, and sends itself this many inbox messages through the
 * console API, one after the other. Prints how many arrived on the socket and after how long. The exit code is 1 if one did not.
 *
 * The environment has CROUPIER_ADMIN_TOKEN. Node trusts the certificate of the proxy through NODE_EXTRA_CA_CERTS.
 */
function missing(name: string): never {
  throw new Error(`missing: ${name}`);
}

const [address = missing('address of Croupier'), player = missing('player'), count = missing('count')] =
  process.argv.slice(2);
const { CROUPIER_ADMIN_TOKEN: adminToken = missing('CROUPIER_ADMIN_TOKEN') } = process.env;
const brand = 'mycasino';
const base = `${address}/site/${brand}`;
/** The first message of a new player waits until Croupier has looked the player up. */
const arrivalTimeoutMs = 60_000;
const answerTimeoutMs = 10_000;
const subscriptionTimeoutMs = 20_000;
const arrivals = new Map<string, (at: number) => void>();

async function post(url: string, headers: Record<string, string>, body: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(answerTimeoutMs),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

/** Opens the socket and subscribes it to the channel of the player. */
async function connect(): Promise<WebSocket> {
  const session = { authtoken: `sid-${player}` };
  const { Data } = (await post(`${base}/Platform/LoginAuthToken`, session, {})) as {
    Data: { User: { UserId: number; BrandId: number } };
  };
  const channel = `private-crm-${Data.User.BrandId}-${Data.User.UserId}`;
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}/app/${brand}?protocol=7`);
  await new Promise<void>((resolve, reject) => {
    setTimeout(() => reject(new Error('the socket was not subscribed in time')), subscriptionTimeoutMs).unref();
    socket.addEventListener('error', () => reject(new Error('the socket could not be opened')));
    socket.addEventListener('close', ({ code }) => reject(new Error(`the socket was closed with ${code}`)));
    socket.addEventListener('message', async ({ data: text }) => {
      const { event, data } = JSON.parse(String(text)) as { event: string; data: string };
      if (event === 'pusher:connection_established') {
        const { socket_id } = JSON.parse(data) as { socket_id: string };
        const proof = { socket_id, channel_name: channel };
        const { auth } = (await post(`${base}/external/pusher`, session, proof)) as { auth: string };
        socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel, auth } }));
      } else if (event === 'pusher_internal:subscription_succeeded') resolve();
      else if (event === 'pusher:ping') socket.send('{"event":"pusher:pong"}');
      else if (event === 'inbox') arrivals.get((JSON.parse(data) as { Title: string }).Title)?.(performance.now());
    });
  });
  return socket;
}

/** Sends one message. Returns the milliseconds until it arrived, or undefined if it did not. */
async function sendOne(title: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  arrivals.set(title, resolve);
  const timer = setTimeout(() => resolve(undefined), arrivalTimeoutMs);
  const sentAt = performance.now();
  const url = `${address}/api/console/v1/brands/${brand}/players/${player}/messages`;
  const token = { authorization: `Bearer ${adminToken}` };
  await post(url, token, { event: 'inbox', title, message: '<p>A message of the trial</p>' });
  const arrivedAt = await promise;
  clearTimeout(timer);
  return arrivedAt === undefined ? undefined : arrivedAt - sentAt;
}

const socket = await connect();
const delays: number[] = [];
for (let number = 1; number <= Number(count); number++) {
  const delay = await sendOne(`Message ${number} at ${Date.now()}`);
  if (delay !== undefined) delays.push(Math.round(delay));
}
socket.close();
process.stdout.write(`${delays.length} of ${count} received`);
const isComplete = delays.length === Number(count);
const [first, ...others] = delays;
if (isComplete)
  process.stdout.write(
    `, the first after ${first} ms, the others after ${Math.min(...others)} to ${Math.max(...others)} ms`,
  );
process.stdout.write('\n');
process.exit(isComplete ? 0 : 1);
