import type { buildConnector } from 'undici';
import { isMetadataAddress } from '../../operator/calling/index.ts';
import { PrivateAddress, publicConnector } from '../push/addresses.ts';
import { resolveNamed } from '../push/resolve-host.ts';
import { PushTransport } from '../push/transport.ts';

/** Calls have their timeouts in the settings; this is the longest allowed. */
const longestCallMs = 60_000;

/** Higher than the usual limit, because these answers are evaluated, not only shown. */
const answerCharacters = 16_384;

/** Calls to providers and other systems. Addresses are checked and pinned when connecting, as for push services. */
export function callTransport(): PushTransport {
  return new PushTransport({
    callTimeoutMs: longestCallMs,
    maxDetailCharacters: answerCharacters,
    connectorOf: (timeoutMs, { mayBePrivate }) =>
      mayBePrivate ? privateConnector(timeoutMs) : publicConnector(timeoutMs, { mayBePrivate }),
  });
}

/** Allows any address except clouds' metadata addresses. */
function privateConnector(connectTimeoutMs: number): buildConnector.connector {
  const connect = publicConnector(connectTimeoutMs, {
    mayBePrivate: true,
    resolve: async (hostname) => {
      const addresses = await resolveNamed(hostname);
      if (addresses.some(({ address }) => isMetadataAddress(address))) throw new PrivateAddress(hostname);
      return addresses;
    },
  });
  return (options, callback) => {
    if (isMetadataAddress(options.hostname.replace(/^\[|\]$/g, '')))
      callback(new PrivateAddress(options.hostname), null);
    else connect(options, callback);
  };
}
