import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Makes sure that the port can be listened on, before anything else is started: with `reusePort` a second installation
 * would otherwise quietly take half the calls of the first.
 *
 * @param port 0 = any free one.
 * @returns the port
 * @throws saying what to do when it is taken, or not allowed.
 */
export async function claimPort(port: number, host: string | undefined): Promise<number> {
  const server = createServer();
  try {
    server.listen({ port, host, exclusive: true });
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the server has no port');
    return address.port;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new Error(`port ${port} is in use: stop what uses it, or set PORT to another`);
    if (code === 'EACCES') throw new Error(`this user may not listen on port ${port}: set PORT to one above 1023`);
    throw error;
  } finally {
    server.close();
  }
}
