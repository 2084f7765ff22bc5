import type { ServerResponse } from 'node:http';

/**
 * The one line that a site hosts for Web Push. A service worker must come from the site's own origin; what it does comes
 * from the platform, so that it never has to be changed here (docs/guides/site.md, Push).
 */
export function pushWorker(platformUrl: string, res: ServerResponse): void {
  const { origin } = new URL(platformUrl);
  res.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    // A worker has a policy of its own, that of its file; importScripts() knows no trusted types.
    'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; connect-src ${origin}`,
    'cache-control': 'no-cache',
  });
  res.end(`importScripts(${JSON.stringify(`${platformUrl}/loader/push-worker.js`)});\n`);
}
