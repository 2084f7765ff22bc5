import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Brand } from '../../brands/index.ts';
import { campaignsNaming } from '../../campaigns/index.ts';
import { templatesNaming } from '../../channels/index.ts';
import { transaction } from '../../database/index.ts';
import {
  addMedia,
  deleteMedia,
  findMedia,
  largestImage,
  listMedia,
  type MediaFile,
  mediaUrl,
  mediaUsed,
  UnfitMedia,
} from '../../media/index.ts';
import { record } from '../audit/audit.ts';
import type { ConsoleDeps } from '../deps.ts';
import { CursorCodec } from '../paging/cursor.ts';
import { pageFrom, pageQuery } from '../paging/page.ts';
import { endpoint } from '../routing/endpoint.ts';
import { BrandParams, MicrosShape, Moment, momentText, Nullable } from '../routing/fields.ts';
import { Refused } from '../routing/refused.ts';
import { serve } from '../routing/serve.ts';

const tag = 'Media';
const strict = { additionalProperties: false };
const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

const Shown = Type.Object({
  file: Type.String({ description: 'Derived from the content: the same picture has the same file name' }),
  name: Type.String(),
  url: Type.String({ description: 'The public URL. Its content never changes' }),
  type: Type.Enum([...imageTypes]),
  width: Type.Integer({ description: 'Width in pixels' }),
  height: Type.Integer({ description: 'Height in pixels' }),
  bytes: Type.Integer(),
  created_at: Moment,
  created_by: Type.String(),
});

const FileParams = Type.Object({
  ...BrandParams.properties,
  file: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
});

export const listMediaEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/media',
  tag,
  summary: 'Pictures that messages of the brand can show, the newest first',
  may: 'brand.read',
  params: BrandParams,
  query: Type.Object(
    { search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })), ...pageQuery },
    strict,
  ),
  status: 200,
  answer: Type.Object({
    items: Type.Array(Shown),
    next: Nullable(Type.String()),
    used: Type.Object({
      files: Type.Integer(),
      bytes: Type.Integer(),
      most_files: Type.Integer({ description: 'Maximum number of files (brand setting `media`)' }),
      most_bytes: Type.Integer(),
      largest_bytes: Type.Integer({ description: 'Maximum size of one file, in bytes' }),
    }),
  }),
});

export const uploadMediaEndpoint = endpoint({
  method: 'POST',
  path: '/brands/:brand/media',
  tag,
  summary: 'Upload a picture',
  description:
    'The body is the file itself: PNG, JPEG, GIF or WebP, detected from its content. For a picture that already exists, the answer is the existing file.',
  may: 'template.manage',
  params: BrandParams,
  query: Type.Object(
    { name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name in the library' }) },
    strict,
  ),
  body: Type.Unknown({ description: 'Bytes of the file' }),
  bodyTypes: [...imageTypes, 'application/octet-stream'],
  bodyBytes: largestImage,
  status: 201,
  answer: Shown,
});

export const mediaUsesEndpoint = endpoint({
  method: 'GET',
  path: '/brands/:brand/media/:file/uses',
  tag,
  summary: 'Where a picture is used',
  description: 'Sent messages are not checked.',
  may: 'brand.read',
  params: FileParams,
  status: 200,
  answer: Type.Object({
    templates: Type.Array(Type.String()),
    campaigns: Type.Array(Type.String()),
    settings: Type.Array(Type.String({ description: 'Settings of the brand, such as `logo_url`' })),
  }),
});

export const deleteMediaEndpoint = endpoint({
  method: 'DELETE',
  path: '/brands/:brand/media/:file',
  tag,
  summary: 'Delete an unused picture',
  description:
    'Within a minute, its URL answers 404. A browser or mail client that has already loaded the picture may show it for up to a year.',
  may: 'template.manage',
  conflict: 'A template, a campaign or a setting uses it',
  params: FileParams,
  status: 204,
  answer: Type.Null(),
});

const cursors = new CursorCodec('media', Type.Object({ at: MicrosShape, digest: Type.String() }));
const megabyte = 1024 * 1024;

/** The media library of a brand. */
export function mediaRoutes(app: FastifyInstance, deps: ConsoleDeps): void {
  const { pool, clock, publicUrl } = deps;

  const present = ({ digest, ...file }: MediaFile, brand: Brand) => ({
    ...file,
    file: digest,
    url: mediaUrl(publicUrl, brand.code, { ...file, digest }),
    created_at: momentText(file.created_at),
  });

  const known = async (brand: Brand, digest: string): Promise<MediaFile> => {
    const file = await findMedia(pool, brand.brand_id, digest);
    if (file === null)
      throw new Refused('not_found', {
        en: `the brand has no picture ${digest}`,
        de: `Die Marke hat kein Bild ${digest}`,
      });
    return file;
  };

  const usesOf = async (brand: Brand, digest: string) => ({
    templates: await templatesNaming(pool, brand.brand_id, digest),
    campaigns: await campaignsNaming(pool, brand.brand_id, digest),
    settings: Object.entries(brand.settings).flatMap(([name, value]) =>
      JSON.stringify(value).includes(digest) ? [name] : [],
    ),
  });

  serve(app, listMediaEndpoint, async ({ brand, query: { search = '', limit, cursor } }) => {
    const before = cursors.decode(cursor);
    const rows = await listMedia(pool, brand.brand_id, { search, before, limit: limit + 1 });
    const page = pageFrom(rows, limit, ({ created_at, digest }) => cursors.encode({ at: created_at, digest }));
    const { most_files, most_megabytes } = brand.settings.media;
    const bounds = { most_files, most_bytes: most_megabytes * megabyte, largest_bytes: largestImage };
    return {
      items: page.items.map((row) => present(row, brand)),
      next: page.next,
      used: { ...(await mediaUsed(pool, brand.brand_id)), ...bounds },
    };
  });

  serve(app, uploadMediaEndpoint, async ({ access, brand, query: { name }, body }) => {
    if (!Buffer.isBuffer(body) || body.length === 0)
      throw new Refused('invalid_request', {
        en: 'The body does not contain a file.',
        de: 'Der Aufruf enthält keine Datei.',
      });
    const by = { at: clock(), by: access.actor };
    const file = await transaction(pool, async (tx) => {
      const { file, added } = await addMedia(tx, brand, { name: name.trim(), content: body }, by);
      const details = { name: file.name, bytes: file.bytes };
      if (added)
        await record(deps, access, { action: 'media.added', brand, subject: `picture ${file.digest}`, details }, tx);
      return file;
    }).catch((error: unknown) => {
      throw error instanceof UnfitMedia ? new Refused('invalid_request', error.words) : error;
    });
    return present(file, brand);
  });

  serve(app, mediaUsesEndpoint, async ({ brand, params: { file } }) =>
    usesOf(brand, (await known(brand, file)).digest),
  );

  serve(app, deleteMediaEndpoint, async ({ access, brand, params: { file: digest } }) => {
    const { name } = await known(brand, digest);
    const uses = Object.values(await usesOf(brand, digest)).flat();
    if (uses.length > 0)
      throw new Refused('conflict', {
        en: `${name} is used by ${uses.join(', ')}`,
        de: `${name} wird verwendet von ${uses.join(', ')}`,
      });
    await transaction(pool, async (tx) => {
      await deleteMedia(tx, brand.brand_id, digest);
      const subject = `picture ${digest}`;
      await record(deps, access, { action: 'media.deleted', brand, subject, details: { name } }, tx);
    });
    return null;
  });
}
