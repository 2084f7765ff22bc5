/*
 * Computes colors with the contrast that WCAG 2.2 requires: 4.5 for text, 3 for the edges of controls. A brand can set any color. This file
 * computes the color of text on a background of that color, and a shade of that color for text. Both are always readable.
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

export function hexOf(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
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

/** Black or white, whichever is more readable on the color: a contrast of at least 4.58 for every color. */
export function textOn(background: Rgb): Rgb {
  return contrast(white, background) >= textContrast ? white : black;
}

/**
 * Moves the color toward black or white in steps of 2 %, until it has the required contrast with all backgrounds. A brand's
 * color stays unchanged if it is readable.
 */
export function withContrast(color: Rgb, backgrounds: readonly Rgb[], least: number): Rgb {
  const [first = white] = backgrounds;
  const towards = textOn(first);
  for (let step = 0; step <= 50; step++) {
    const moved = mixed(color, towards, step / 50);
    if (backgrounds.every((background) => contrast(moved, background) >= least)) return moved;
  }
  return towards;
}

/** @param share of `b`, 0 to 1. The result is rounded, so that the measured color is the displayed one. */
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(a[index] + (b[index] - a[index]) * share);
  return [part(0), part(1), part(2)];
}
