import { startChild } from '../child.ts';
import type { Arrivals, Connected, SocketOrder } from './socket-clients.ts';

/** Connected and subscribed sockets in a separate process. */
export interface ConnectedSockets extends Connected {
  /** What has arrived since the last call. */
  arrivals(): Promise<Arrivals>;
  stop(): Promise<void>;
}

export async function connectSockets(port: number, count: number): Promise<ConnectedSockets> {
  const child = await startChild('bench/load/socket-clients.ts');
  const ask = <T>(order: SocketOrder): Promise<T> =>
    new Promise((resolve, reject) => {
      child.process.once('message', (answer: { result?: T; error?: string }) => {
        if (answer.result === undefined) reject(new Error(answer.error));
        else resolve(answer.result);
      });
      child.process.send(order);
    });
  try {
    const connected = await ask<Connected>({ connect: { port, count } });
    return { ...connected, arrivals: () => ask<Arrivals>({ report: true }), stop: () => child.stop() };
  } catch (error) {
    await child.stop();
    throw error;
  }
}
