import type SanitizeHtml from 'sanitize-html';
import { library } from '../../library.ts';
import { htmlOptions } from '../notifications/html.ts';
import { TemplateFault } from './liquid.ts';

/*
 * Compiles MJML to the HTML of e-mails. The compiler is mrml, an implementation of MJML in Rust, as WebAssembly: one package
 * without dependencies and without file access. The reference implementation has 205 packages (docs/decisions/1260).
 *
 * The source is sanitized first: it may contain the markup of site messages and the tags of MJML, so no script runs, and
 * every link has a permitted scheme. What the compiler adds (conditional comments, styles) is trusted.
 */
interface Engine {
  setRenderOptions(options: { disableComments: boolean; fonts: Record<string, string>; socialIconOrigin: null }): void;
  toHtml(mjml: string): { type: 'success'; content: string } | { type: 'error'; message: string };
}

const sanitizeHtml = library<typeof SanitizeHtml>('sanitize-html');
const mrml = library<{ Engine: new () => Engine }>('mrml');
let engine: Engine | undefined;

/**
 * One instance per process is enough, because it keeps no data of an e-mail. Fonts are empty, because mail programs would load
 * MJML's own fonts from a third party.
 */
function compiler(): Engine {
  if (engine === undefined) {
    const { Engine } = mrml();
    engine = new Engine();
    engine.setRenderOptions({ disableComments: false, fonts: {}, socialIconOrigin: null });
  }
  return engine;
}

const structure = [
  'mjml',
  'mj-head',
  'mj-body',
  'mj-title',
  'mj-preview',
  'mj-attributes',
  'mj-all',
  'mj-class',
  'mj-font',
  'mj-breakpoint',
];
const parts = [
  'mj-section',
  'mj-column',
  'mj-group',
  'mj-wrapper',
  'mj-hero',
  'mj-text',
  'mj-button',
  'mj-image',
  'mj-divider',
  'mj-spacer',
  'mj-table',
  'mj-raw',
  'mj-navbar',
  'mj-navbar-link',
  'mj-social',
  'mj-social-element',
  'mj-accordion',
  'mj-accordion-element',
  'mj-accordion-title',
  'mj-accordion-text',
];
const tags = [...structure, ...parts];
/** The attributes of MJML: words and numbers, and three that are addresses. */
const attributes = [
  'align',
  'alt',
  'background-color',
  'background-position',
  'background-repeat',
  'background-size',
  'border',
  'border-bottom',
  'border-left',
  'border-right',
  'border-top',
  'border-radius',
  'border-color',
  'border-style',
  'border-width',
  'color',
  'container-background-color',
  'css-class',
  'direction',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'full-width',
  'height',
  'href',
  'icon-padding',
  'icon-size',
  'inner-padding',
  'letter-spacing',
  'line-height',
  'mj-class',
  'mode',
  'name',
  'padding',
  'padding-bottom',
  'padding-left',
  'padding-right',
  'padding-top',
  'rel',
  'src',
  'target',
  'text-align',
  'text-decoration',
  'text-transform',
  'title',
  'vertical-align',
  'width',
  'background-url',
  'background-height',
  'background-width',
  'inner-background-color',
  'inner-border',
  'inner-border-radius',
  'icon-position',
  'text-padding',
  'lang',
  'dir',
  'fluid-on-mobile',
  'cellpadding',
];

const options: SanitizeHtml.IOptions = {
  ...htmlOptions,
  allowedTags: [...(htmlOptions.allowedTags as string[]), ...tags],
  allowedAttributes: {
    ...(htmlOptions.allowedAttributes as Record<string, string[]>),
    ...Object.fromEntries(tags.map((tag) => [tag, attributes])),
  },
  allowedSchemesAppliedToAttributes: ['href', 'src', 'background-url'],
  parser: { recognizeSelfClosing: true, lowerCaseTags: true },
};

/** Maximum number of characters of an e-mail's HTML. Mail programs cut much earlier (Gmail at 102 kB). */
export const longestHtml = 500_000;

/** Pure. */
export function cleanMjml(mjml: string): string {
  return sanitizeHtml()(mjml.replaceAll('\0', ''), options);
}

/** @throws {TemplateFault} if the text is not MJML, or its page is too long */
export function compileMjml(mjml: string): string {
  // Sanitized source is at most 50 tags deep; thousands would crash the WebAssembly module.
  const compiled = compiler().toHtml(mjml);
  if (compiled.type === 'error') throw new TemplateFault(`mjml: ${compiled.message}`);
  if (compiled.content.length > longestHtml)
    throw new TemplateFault(
      `the e-mail has ${compiled.content.length} characters of HTML; the maximum is ${longestHtml}`,
    );
  return compiled.content;
}

/** The elements around a block in an e-mail, by its first element. Other elements must be in a column. */
const surroundings: readonly (readonly [first: RegExp, around: readonly string[]])[] = [
  [/^<mjml\b/, []],
  [/^<mj-(section|wrapper|hero)\b/, ['mjml', 'mj-body']],
  [/^<mj-(column|group)\b/, ['mjml', 'mj-body', 'mj-section']],
  [/^/, ['mjml', 'mj-body', 'mj-section', 'mj-column']],
];

/**
 * The page of an e-mail that contains only this block, for its preview. Null if the block contains no MJML, or is not a whole
 * element, such as attributes for the head.
 */
export function blockPage(body: string): string | null {
  if (!/<mj(ml|-)/.test(body)) return null;
  const [, around = []] = surroundings.find(([first]) => first.test(body.trim())) ?? [];
  const open = around.map((tag) => `<${tag}>`).join('');
  const close = around.map((tag) => `</${tag}>`).toReversed();
  try {
    return compileMjml(cleanMjml(`${open}${body}${close.join('')}`));
  } catch (error) {
    if (error instanceof TemplateFault) return null;
    throw error;
  }
}
