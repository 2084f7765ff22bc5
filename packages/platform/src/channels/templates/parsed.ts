import type { Brand } from '../../brands/index.ts';
import { type BlockTexts, ReadTemplate } from './compose.ts';
import type { Template } from './template.ts';

/** Per brand. A campaign uses a few templates, and content that staff write is used once. */
const mostParsed = 200;
/** The brand is replaced when its settings change, and its templates are then parsed again. */
const parsedByBrand = new WeakMap<Brand, Map<string, ReadTemplate>>();

/**
 * Parses a template, or returns the parsed one if its text and the brand's blocks are as before. Campaigns need the same
 * templates several times a second, and parsing one takes as long as rendering it for ten players.
 */
export function parsedTemplate(
  template: Pick<Template, 'channel' | 'purpose' | 'content'>,
  brand: Brand,
  blocks: BlockTexts,
): ReadTemplate {
  const parsed = parsedByBrand.get(brand) ?? new Map<string, ReadTemplate>();
  parsedByBrand.set(brand, parsed);
  const { channel, purpose, content } = template;
  const key = JSON.stringify([channel, purpose, content, blocks]);
  const known = parsed.get(key);
  if (known !== undefined) return known;
  if (parsed.size >= mostParsed) parsed.clear();
  const read = new ReadTemplate({ channel, purpose, content }, brand, blocks);
  parsed.set(key, read);
  return read;
}
