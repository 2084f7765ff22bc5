import type { ServerResponse } from 'node:http';

/**
 * Serves the single line that a site hosts for Web Push. A service worker must come from the site's own origin. Its code
 * comes from the platform, so the line never has to change (docs/guides/site.md, Push).
 */
export function pushWorker(platformUrl: string, res: ServerResponse): void {
  const { origin } = new URL(platformUrl);
  res.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    // A worker has its own policy, which is sent with its file. Trusted types do not apply to importScripts().
    'content-security-policy': `default-src 'none'; script-src 'self' ${origin}; connect-src ${origin}`,
    'cache-control': 'no-cache',
  });
  res.end(`importScripts(${JSON.stringify(`${platformUrl}/loader/push-worker.js`)});\n`);
}
