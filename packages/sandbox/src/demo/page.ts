import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Serves the files for browsers, and sets the policy under which they run. Only files that were in the folder when the process
 * started are served, so no path can lead out of it.
 */
const folder = fileURLToPath(new URL('./site/', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const files = new Set(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => path.extname(name) in types),
);

/** Pages have short addresses: /live is site/live/index.html, and /tag-manager is tag-manager.html. */
function fileOf(address: string): string | undefined {
  const name = address.slice(1);
  return [name, `${name}.html`, name === '' ? 'index.html' : `${name.replace(/\/$/, '')}/index.html`].find((file) =>
    files.has(file),
  );
}

/**
 * Returns the policy of the casino's pages. It allows what the platform's script needs, and nothing else (docs/guides/site.md): the
 * script itself, its calls and its socket. The rest of the policy belongs to the casino. Most sites do not set
 * `require-trusted-types-for`. A site that sets it adds the script's policy, `crm`, to its own.
 *
 * @param platform origin of the platform as browsers see it, e.g. https://crm.example.com
 */
export function policyFor(platform: string): string {
  const socket = platform.replace(/^http/, 'ws');
  return [
    "default-src 'self'",
    `script-src 'self' ${platform}`,
    `connect-src 'self' ${platform} ${socket}`,
    `worker-src 'self'`,
    `img-src 'self' data: https: ${platform}`,
    "require-trusted-types-for 'script'",
    'trusted-types crm casino',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export async function servePage(address: string, res: ServerResponse, policy: string): Promise<void> {
  const file = fileOf(address);
  if (file === undefined) {
    res.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const text = await readFile(path.join(folder, file));
  res.writeHead(200, {
    'content-type': types[path.extname(file)] ?? 'application/octet-stream',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cache-control': 'no-cache',
  });
  res.end(text);
}
