import { describe, expect, test } from 'vitest';
import { adminToken, setupConsole } from '../../../testing/console/setup-console.ts';
import { testLog } from '../../../testing/log.ts';
import { createHttpServer } from '../../http/server.ts';
import { digestOf, mediaRoutes } from '../../media/index.ts';

const setup = await setupConsole({ media: { most_files: 3, most_megabytes: 1 } });
const { app, pool, brands, clock, call, get } = setup;
const path = '/brands/malta/media';
/** A GIF of 1 x 1 pixel. Any bytes may follow its end. */
const gif = (ending = '') =>
  Buffer.concat([
    Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
    Buffer.from(ending),
  ]);

const site = await createHttpServer({ edge: () => false, log: testLog });
await site.register(mediaRoutes({ pool, clock: clock.now, brands }));

async function upload(payload: Buffer, { type = 'image/gif', name = 'banner.gif', token = adminToken } = {}) {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/console/v1${path}?name=${encodeURIComponent(name)}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}

describe('a picture', () => {
  test('is uploaded, listed, served to any caller with a permanent cache, and deleted', async () => {
    const { status, body } = await upload(gif());
    const file = digestOf(gif());
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        file,
        name: 'banner.gif',
        url: `https://crm.example/media/malta/${file}.gif`,
        type: 'image/gif',
        width: 1,
        height: 1,
        bytes: gif().length,
      }),
    ]);
    // Uploading the same picture again returns the existing one, even with another name and type.
    const again = await upload(gif(), { name: 'other.png', type: 'image/png' });
    expect([again.status, again.body.name]).toEqual([201, 'banner.gif']);
    const listed = (await get(`${path}?search=BANNER`)).body;
    expect(listed).toMatchObject({
      items: [{ file }],
      next: null,
      used: { files: 1, bytes: gif().length, most_files: 3 },
    });
    expect((await get(`${path}?search=nothing`)).body.items).toEqual([]);

    const shown = await site.inject(`/media/malta/${file}.gif`);
    expect([shown.statusCode, shown.rawPayload]).toEqual([200, gif()]);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/gif',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    });
    const known = await site.inject({ url: `/media/malta/${file}.gif`, headers: { 'if-none-match': `"${file}.gif"` } });
    expect(known.statusCode).toBe(304);
    for (const wrong of [`malta/${file}.png`, `gozo/${file}.gif`, `malta/${'x'.repeat(22)}.gif`, 'malta/..%2Fx'])
      expect((await site.inject(`/media/${wrong}`)).statusCode, wrong).toBe(404);

    expect((await call('DELETE', `${path}/${file}`)).status).toBe(204);
    expect((await call('DELETE', `${path}/${file}`)).status).toBe(404);
    const { rows } = await pool.query(`select action from console_audit where subject = $1 order by action`, [
      `picture ${file}`,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(['media.added', 'media.deleted']);
    // The same content has the same address, so an image that was deleted by mistake can be restored.
    expect((await upload(gif())).body.url).toBe(body.url);
    await call('DELETE', `${path}/${file}`);
  });

  test('that is in use is not deleted, and the answer names its uses', async () => {
    const { body } = await upload(gif('used'));
    const content = { en: { title: 'Hi', image_url: body.url } };
    const template = { code: 'shows', name: 'Shows', channel: 'site', purpose: 'marketing', content };
    expect((await call('POST', '/brands/malta/templates', { body: template })).status).toBe(201);
    await pool.query(`update brand set settings = settings || jsonb_build_object('logo_url', $1::text)`, [body.url]);
    await brands.refresh();
    expect((await get(`${path}/${body.file}/uses`)).body).toEqual({
      templates: ['shows'],
      campaigns: [],
      settings: ['logo_url'],
    });
    const refused = await call('DELETE', `${path}/${body.file}`);
    expect([refused.status, refused.body.detail]).toEqual([409, 'banner.gif is used by shows, logo_url']);
    await pool.query(`update brand set settings = settings - 'logo_url'`);
    await brands.refresh();
    await call('DELETE', '/brands/malta/templates/shows');
    expect((await call('DELETE', `${path}/${body.file}`)).status).toBe(204);
  });

  test('is refused if it is not a picture, too large, beyond the budget, or uploaded without permission', async () => {
    const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    expect((await upload(script, { type: 'image/png' })).body.detail).toBe('The file is not a PNG, JPEG, GIF or WebP.');
    expect((await upload(script, { type: 'image/svg+xml' })).status).toBe(400);
    expect((await upload(Buffer.alloc(0))).status).toBe(400);
    expect((await upload(gif('x'.repeat(2 * 1024 * 1024)))).status).toBe(413);
    expect((await upload(gif(), { type: 'text/html' })).status).toBe(415);
    expect((await upload(gif(), { token: await setup.as('viewer') })).status).toBe(403);
    expect((await upload(gif('x'.repeat(1024 * 1024)))).body.detail).toContain('more than 1 MB');
    const made = await Promise.all(['1', '2', '3', '4'].map((ending) => upload(gif(ending))));
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 400]);
    const page = (await get(`${path}?limit=2`)).body;
    const next = (await get(`${path}?limit=2&cursor=${page.next}`)).body;
    const files = [...page.items, ...next.items].map(({ file }: { file: string }) => file);
    expect([new Set(files).size, next.next]).toEqual([3, null]);
  });
});
