import { disableTypes, imageSize, types } from 'image-size';
import type { Words } from '../language.ts';

/**
 * The types that every browser and mail program shows. SVG is not one of them, because an SVG is a document that can contain
 * scripts.
 */
const served = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' } as const;
type Extension = keyof typeof served;
export type ImageType = (typeof served)[Extension];

disableTypes(types.filter((type) => !(type in served)));

/** Maximum size of a file in bytes. It is small because mail programs load images over mobile networks. */
export const largestImage = 2 * 1024 * 1024;
/** Maximum number of pixels along one side, and in total, because a small file can unpack to gigabytes. */
const longestSide = 8_192;
const mostPixels = 40_000_000;

export interface Image {
  type: ImageType;
  width: number;
  height: number;
}

/**
 * Detects the type and the dimensions of a picture from its content. If the file is refused, returns the reason to show to the
 * person who uploads it.
 */
export function readImage(content: Uint8Array): Image | { refused: Words } {
  if (content.length > largestImage)
    return {
      refused: {
        en: `The file has ${content.length} bytes; ${largestImage} are allowed.`,
        de: `Die Datei hat ${content.length} Byte; erlaubt sind ${largestImage}.`,
      },
    };
  const found = sizeOf(content);
  const type = served[found?.type as Extension];
  if (found === undefined || type === undefined)
    return {
      refused: { en: 'The file is not a PNG, JPEG, GIF or WebP.', de: 'Die Datei ist kein PNG, JPEG, GIF oder WebP.' },
    };
  const { width, height } = found;
  if (width < 1 || height < 1) return { refused: { en: 'The picture has no size.', de: 'Das Bild hat keine Größe.' } };
  if (width > longestSide || height > longestSide || width * height > mostPixels)
    return {
      refused: {
        en: `The picture has ${width} × ${height} pixels; ${longestSide} along a side and ${mostPixels} in all are allowed.`,
        de: `Das Bild hat ${width} × ${height} Pixel; erlaubt sind ${longestSide} je Seite und ${mostPixels} insgesamt.`,
      },
    };
  return { type, width, height };
}

function sizeOf(content: Uint8Array) {
  try {
    return imageSize(content);
  } catch {
    return undefined;
  }
}

/** The file extension in the URL of a picture. */
export function extensionOf(type: ImageType): Extension {
  const [extension] = (Object.keys(served) as Extension[]).filter((one) => served[one] === type);
  return extension ?? 'png';
}
