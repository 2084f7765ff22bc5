import type { ServerResponse } from 'node:http';

/**
 * The one line that a site hosts for Web Push. A service worker must come from the site's own origin; what it does comes
 * from the platform, so that it never has to be changed here (docs/guides/site.md, Push).
 */
export function pushWorker(platformUrl: string, policy: string, res: ServerResponse): void {
  res.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  });
  res.end(`importScripts(${JSON.stringify(`${platformUrl}/loader/push-worker.js`)});\n`);
}
