import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast, edgeContrast, hexOf, rgbOf, textContrast, textOn, withContrast } from './contrast.ts';
import { paletteOf } from './palette.ts';

const part = fc.integer({ min: 0, max: 255 });
const anyColor = fc.tuple(part, part, part).map((color) => hexOf(color));

test('contrast ratios are computed as in WCAG', () => {
  expect(contrast(rgbOf('#000000'), rgbOf('#ffffff'))).toBeCloseTo(21, 5);
  expect(contrast(rgbOf('#767676'), rgbOf('#ffffff'))).toBeCloseTo(4.54, 2);
  expect(hexOf(textOn(rgbOf('#ffd400')))).toBe('#000000');
  expect(hexOf(textOn(rgbOf('#7a1fa2')))).toBe('#ffffff');
});

test('a readable color stays unchanged', () => {
  expect(hexOf(withContrast(rgbOf('#0b57d0'), [rgbOf('#ffffff')], textContrast))).toBe('#0b57d0');
});

test('a page is readable in both schemes with any brand color', () => {
  fc.assert(
    fc.property(anyColor, fc.constantFrom('light' as const, 'dark' as const), (color, scheme) => {
      const palette = paletteOf(color, scheme);
      const measured = (a: keyof typeof palette, b: keyof typeof palette) =>
        contrast(rgbOf(palette[a]), rgbOf(palette[b]));
      for (const behind of ['card', 'page', 'panel'] as const) {
        for (const ink of ['text', 'quiet', 'accent'] as const) {
          expect(measured(ink, behind), `${ink} on ${behind}`).toBeGreaterThanOrEqual(textContrast);
        }
        expect(measured('button_edge', behind), behind).toBeGreaterThanOrEqual(edgeContrast);
      }
      expect(measured('on_button', 'button')).toBeGreaterThanOrEqual(textContrast);
    }),
    { numRuns: 2_000 },
  );
});
