/*
 * Colours by the contrast that they need (WCAG 2.2): 4.5 for text, 3 for the edge of what can be pressed. A brand names one
 * colour, of any kind; what is written on it, and what is written in it, is computed so that it can always be read.
 */
export type Rgb = readonly [red: number, green: number, blue: number];

export const textContrast = 4.5;
export const edgeContrast = 3;

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];

/** @param hex `#rrggbb` */
export function rgbOf(hex: string): Rgb {
  const number = Number.parseInt(hex.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

export function hexOf(colour: Rgb): string {
  return `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** 1 (the same) to 21 (black on white). */
export function contrast(a: Rgb, b: Rgb): number {
  const [lighter, darker] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => (part <= 10.31475 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Black or white, whichever can be read better on the colour: at least 4.58, whatever the colour. */
export function textOn(background: Rgb): Rgb {
  return contrast(white, background) >= textContrast ? white : black;
}

/**
 * The colour, moved towards black or white as far as it takes to stand out from all the backgrounds, in steps of 2 %: a
 * brand's colour stays itself where it can be read.
 */
export function standingOut(colour: Rgb, backgrounds: readonly Rgb[], least: number): Rgb {
  const [first = white] = backgrounds;
  const towards = textOn(first);
  for (let step = 0; step <= 50; step++) {
    const moved = mixed(colour, towards, step / 50);
    if (backgrounds.every((background) => contrast(moved, background) >= least)) return moved;
  }
  return towards;
}

/** @param share of `b`, 0 to 1. Rounded, so that what is measured is what is shown. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * share);
  return [part(0), part(1), part(2)];
}
