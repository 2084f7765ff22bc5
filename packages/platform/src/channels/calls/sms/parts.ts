/*
 * How many parts an SMS has (3GPP TS 23.038, 23.040). Pure.
 *
 *   GSM-7   160 characters in one part, 153 in each of several; a character of the extension table counts as two
 *   UCS-2   if any character is not in those tables: 70 in one part, 67 in each of several; those beyond the BMP count as two
 *
 * A character that counts as two is never split: the whole character goes into the next part.
 */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extension = new Set('\f^{}\\[~]|€');

export interface SmsParts {
  encoding: 'gsm7' | 'ucs2';
  /** The length of the text: in septets for GSM-7, in 16-bit units for UCS-2. */
  units: number;
  parts: number;
}

export function countParts(text: string): SmsParts {
  const characters = [...text];
  const isGsm = beyondGsm(text).length === 0;
  const sizes = characters.map((character) => (isGsm ? (extension.has(character) ? 2 : 1) : character.length));
  const units = sizes.reduce((sum, size) => sum + size, 0);
  const encoding = isGsm ? 'gsm7' : 'ucs2';
  const [single, each] = isGsm ? [160, 153] : [70, 67];
  return { encoding, units, parts: units <= single ? 1 : partsOf(sizes, each) };
}

/** The characters that make the encoding UCS-2, each once, in their order in the text. Empty for GSM-7. */
export const beyondGsm = (text: string): string[] => [
  ...new Set([...text].filter((character) => !basic.has(character) && !extension.has(character))),
];

function partsOf(sizes: readonly number[], most: number): number {
  let parts = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > most) {
      parts++;
      used = 0;
    }
    used += size;
  }
  return parts;
}
