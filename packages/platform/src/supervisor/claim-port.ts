import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartRefused } from './start-refused.ts';

/**
 * Checks that the port is free, before anything else starts. With `reusePort` a second installation would otherwise silently
 * receive half the calls of the first.
 *
 * @param port 0 = any free one
 * @param setting the setting by which a person chooses another port
 * @returns the port
 * @throws if it is in use, or not allowed; the message says what to do
 */
export async function claimPort(port: number, host: string | undefined, setting = 'PORT'): Promise<number> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address.port;
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
  } finally {
    server.close();
  }
}
