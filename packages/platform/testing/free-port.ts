import { createServer } from 'node:net';

/*
 * Linux gives outgoing connections ports from 32,768. A port below that cannot be given to a connection between this check and the
 * start of the process that listens on it.
 */
const lowest = 10_000;
const count = 22_000;
/** Each process begins at another port, because processes choose ports at the same time. */
let chosen = (process.pid % 440) * 50;

/** A port of 127.0.0.1 that is free at this moment, for a process that must know its port before it starts. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < count; tries++) {
    const port = lowest + (chosen++ % count);
    if (await isFree(port)) return port;
  }
  throw new Error('no port is free');
}

/** On all addresses, as the api listens. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, () => resolve(true));
  });
  if (listening) await new Promise((resolve) => server.close(resolve));
  return listening;
}
