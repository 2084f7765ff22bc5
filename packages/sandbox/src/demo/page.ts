import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';

const files: Record<string, { file: string; type: string }> = {
  '/': { file: 'index.html', type: 'text/html' },
  '/page.css': { file: 'page.css', type: 'text/css' },
  '/page.js': { file: 'page.js', type: 'text/javascript' },
};

/** The page's three files, under a policy that allows nothing from elsewhere. */
export async function servePage(path: string, res: ServerResponse): Promise<void> {
  const found = files[path];
  if (found === undefined) {
    res.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
    return;
  }
  const text = await readFile(new URL(`./page/${found.file}`, import.meta.url));
  res.writeHead(200, {
    'content-type': `${found.type}; charset=utf-8`,
    'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
  });
  res.end(text);
}
