import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartRefused } from './start-refused.ts';

/** A port that only this process listens on until `release`. */
export interface ClaimedPort {
  port: number;
  /** Resolves when another process can listen on the port. A second call has no effect. */
  release(): Promise<void>;
}

/**
 * Checks that the port is free, before anything else starts, and occupies it. Release it right before the process that uses it
 * starts. Without the claim, a second installation that starts in these 2 to 10 s would get the same port: with `reusePort`, its
 * api would silently receive half the calls of the first, and its sandbox would not start.
 *
 * @param port 0 = any free one
 * @param setting the setting by which a person chooses another port
 * @throws if it is in use, or not allowed; the message says what to do
 */
export async function claimPort(port: number, host: string | undefined, setting = 'PORT'): Promise<ClaimedPort> {
  // A call that arrives this early fails immediately, as if no process listened.
  const server = createServer((socket) => socket.destroy());
  // A start that fails ends this process although the port is still claimed.
  server.unref();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartRefused(
        `Port ${port} is in use. Stop the program that uses it, or set ${setting} to another port.`,
        { mayPass: true },
      );
    if (code === 'EACCES')
      throw new StartRefused(`This user may not listen on port ${port}. Set ${setting} to a port above 1023.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartRefused(
        `This machine does not have the address ${host}. Correct HOST, or remove it to use all addresses of the machine.`,
        // The network may not be up yet.
        { mayPass: true },
      );
    throw error;
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const release = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { port: address.port, release };
}
