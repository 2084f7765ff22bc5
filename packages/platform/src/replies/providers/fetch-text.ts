const timeoutMs = 5_000;
const mostBytes = 32 * 1024;

/**
 * Fetches a short text over https. Redirects are refused, because they would lead away from the address that was checked.
 * @throws if the text cannot be fetched
 */
export async function fetchText(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok || response.body === null) throw new Error(`${new URL(url).host} answered ${response.status}`);
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error(`${new URL(url).host} answered more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
