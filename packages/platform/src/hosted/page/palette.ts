import { edgeContrast, hexOf, mixed, type Rgb, rgbOf, textContrast, textOn, withContrast } from './contrast.ts';

/** The colors of a page in one of its two schemes, each `#rrggbb`. */
export interface Palette {
  page: string;
  card: string;
  /** The background of the box with the link's channel. */
  panel: string;
  text: string;
  quiet: string;
  /** Dividing lines. */
  line: string;
  /** The large button: the brand's color unchanged, an edge if the color would not stand out, and the color of the text on it. */
  button: string;
  button_edge: string;
  on_button: string;
  /** Links, icons and the focus ring: the brand's color, adjusted until it is readable. */
  accent: string;
}

const schemes = {
  light: { page: '#f4f5f8', card: '#ffffff', text: '#15181f', quiet: '#525a6b', line: '#dfe3ea' },
  dark: { page: '#0e1015', card: '#181b22', text: '#f1f3f7', quiet: '#aab2c0', line: '#333947' },
} as const;
export type Scheme = keyof typeof schemes;

/** How strongly the brand's color tints the backgrounds. */
const tint = { page: 0.05, panel: 0.07 };

/** @param brandColor `#rrggbb` */
export function paletteOf(brandColor: string, scheme: Scheme): Palette {
  const brand = rgbOf(brandColor);
  const base = schemes[scheme];
  const card = rgbOf(base.card);
  const page = mixed(rgbOf(base.page), brand, tint.page);
  const panel = mixed(card, brand, tint.panel);
  const backgrounds: Rgb[] = [card, page, panel];
  const readable = (color: Rgb) => hexOf(withContrast(color, backgrounds, textContrast));
  return {
    page: hexOf(page),
    card: base.card,
    panel: hexOf(panel),
    text: readable(rgbOf(base.text)),
    quiet: readable(rgbOf(base.quiet)),
    line: base.line,
    button: hexOf(brand),
    button_edge: hexOf(withContrast(brand, backgrounds, edgeContrast)),
    on_button: hexOf(textOn(brand)),
    accent: readable(brand),
  };
}
