import { createHash } from 'node:crypto';
import type { Micros } from '@croupier/contracts';
import type { PoolClient } from 'pg';
import type { Brand } from '../brands/index.ts';
import { WordedError } from '../language.ts';
import { readImage } from './image.ts';
import { findMedia, insertMedia, lockMedia, type MediaFile, mediaUsed } from './store.ts';

/** A file that cannot be accepted, and the reason. */
export class UnfitMedia extends WordedError {
  override name = 'UnfitMedia';
}

const megabyte = 1024 * 1024;
const digestLength = 22;

/** The part of the address that follows from the content. Pure. */
export function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, digestLength);
}

/**
 * Adds an image. If the same image already exists, returns the existing one with its name.
 *
 * @throws {UnfitMedia} if the file is not an image, is too large, or exceeds the budget of the brand
 */
export async function addMedia(
  tx: PoolClient,
  { brand_id, settings }: Brand,
  { name, content }: { name: string; content: Uint8Array },
  { at, by }: { at: Micros; by: string },
): Promise<{ file: MediaFile; added: boolean }> {
  const image = readImage(content);
  if ('refused' in image) throw new UnfitMedia(image.refused);
  await lockMedia(tx, brand_id);
  const digest = digestOf(content);
  const present = await findMedia(tx, brand_id, digest);
  if (present !== null) return { file: present, added: false };
  const used = await mediaUsed(tx, brand_id);
  const { most_files, most_megabytes } = settings.media;
  if (used.files >= most_files)
    throw new UnfitMedia({
      en: `The brand already has ${used.files} files, the maximum.`,
      de: `Die Marke hat bereits ${used.files} Dateien, mehr sind nicht erlaubt.`,
    });
  if (used.bytes + content.length > most_megabytes * megabyte)
    throw new UnfitMedia({
      en: `The files of the brand would have more than ${most_megabytes} MB together.`,
      de: `Die Dateien der Marke hätten zusammen mehr als ${most_megabytes} MB.`,
    });
  const file = { digest, name, ...image, bytes: content.length, created_at: at, created_by: by };
  await insertMedia(tx, brand_id, file, content);
  return { file, added: true };
}
