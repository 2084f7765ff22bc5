import { type ClaimedPort, claimPort } from './claim-port.ts';

/** The default port, which the documentation names. */
const usualPort = 8090;
const host = '127.0.0.1';

/**
 * Claims the port of the sandbox casino. A configured port is used or refused; the default one is replaced by any free port.
 *
 * @param wanted setting `sandbox_port`
 */
export function claimSandboxPort(wanted: number | undefined, usual = usualPort): Promise<ClaimedPort> {
  if (wanted !== undefined) return claimPort(wanted, host, 'SANDBOX_PORT');
  return claimPort(usual, host).catch(() => claimPort(0, host));
}
