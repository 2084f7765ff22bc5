import { describe, expect, test } from 'vitest';
import { largestImage, readImage } from './image.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAAEUlEQVR4nGP4z8DwH4QZYAwAR8oH+WdZbrcAAAAASUVORK5CYII=',
  'base64',
);
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080005000701011100ffd9', 'hex');

/** The PNG above, with this width and height in its header. */
function sized(width: number, height: number): Buffer {
  const header = Buffer.from(png);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return header;
}

test('the type of a file is detected from its content', () => {
  expect(readImage(png)).toEqual({ type: 'image/png', width: 3, height: 2 });
  expect(readImage(gif)).toEqual({ type: 'image/gif', width: 1, height: 1 });
  expect(readImage(webp)).toEqual({ type: 'image/webp', width: 1, height: 1 });
  expect(readImage(jpeg)).toEqual({ type: 'image/jpeg', width: 7, height: 5 });
});

describe('these files are refused', () => {
  test.each([
    ['a document that runs scripts', '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script/></svg>'],
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an empty file', ''],
    ['the beginning of a picture', png.subarray(0, 12)],
    ['a picture of another kind', 'BM\x46\x00\x00\x00\x00\x00\x00\x006\x00\x00\x00(\x00\x00\x00'],
  ])('%s', (_what, content) => {
    expect(readImage(Buffer.from(content as string))).toEqual({
      refused: { en: expect.stringContaining('not a PNG'), de: expect.stringContaining('kein PNG') },
    });
  });

  test.each([
    ['wide', sized(8_193, 1)],
    ['tall', sized(1, 8_193)],
    ['large', sized(8_000, 8_000)],
    ['narrow', sized(0, 5)],
  ])('a picture that is too %s', (_how, content) => {
    expect(readImage(content)).toHaveProperty('refused');
    expect(readImage(sized(8_000, 5_000))).not.toHaveProperty('refused');
  });

  test('a file of more bytes than are allowed', () => {
    expect(readImage(Buffer.concat([png, Buffer.alloc(largestImage)]))).toEqual({
      refused: {
        en: expect.stringContaining('2097152 are allowed'),
        de: expect.stringContaining('erlaubt sind 2097152'),
      },
    });
  });
});
