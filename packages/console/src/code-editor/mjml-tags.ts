import type { TagSpec } from '@codemirror/lang-html';

/**
 * Returns the attributes of one of the MJML tags below. These are the tags that templates may contain
 * (docs/guides/templates.md), with their most frequent children.
 */
const attrs = (...names: string[]) => Object.fromEntries(names.map((name) => [name, null]));
const box = ['padding', 'background-color', 'css-class', 'mj-class'];
const words = ['color', 'font-family', 'font-size', 'font-weight', 'line-height', 'align'];

export const mjmlTags: Record<string, TagSpec> = {
  mjml: { children: ['mj-head', 'mj-body'], attrs: attrs('lang', 'dir') },
  'mj-head': { children: ['mj-title', 'mj-preview', 'mj-attributes', 'mj-breakpoint'] },
  'mj-body': { children: ['mj-section', 'mj-wrapper', 'mj-hero', 'mj-raw'], attrs: attrs('width', 'background-color') },
  'mj-title': {},
  'mj-preview': {},
  'mj-attributes': { children: ['mj-all', 'mj-class', 'mj-text', 'mj-button', 'mj-section'] },
  'mj-all': { attrs: attrs(...words, ...box) },
  'mj-class': { attrs: attrs('name', ...words, ...box) },
  'mj-breakpoint': { attrs: attrs('width') },
  'mj-wrapper': { children: ['mj-section'], attrs: attrs(...box, 'border', 'border-radius', 'full-width') },
  'mj-section': {
    children: ['mj-column', 'mj-group'],
    attrs: attrs(...box, 'background-url', 'background-size', 'border', 'border-radius', 'full-width', 'direction'),
  },
  'mj-group': { children: ['mj-column'], attrs: attrs('width', 'vertical-align', 'background-color', 'direction') },
  'mj-column': {
    children: [
      'mj-text',
      'mj-button',
      'mj-image',
      'mj-divider',
      'mj-spacer',
      'mj-table',
      'mj-social',
      'mj-navbar',
      'mj-accordion',
      'mj-raw',
    ],
    attrs: attrs(...box, 'width', 'vertical-align', 'border', 'border-radius', 'inner-background-color'),
  },
  'mj-hero': { attrs: attrs(...box, 'background-url', 'background-height', 'background-width', 'height', 'mode') },
  'mj-text': { attrs: attrs(...words, ...box, 'text-decoration', 'text-transform', 'letter-spacing') },
  'mj-button': {
    attrs: attrs('href', ...words, ...box, 'border-radius', 'inner-padding', 'width', 'height', 'target'),
  },
  'mj-image': {
    attrs: attrs('src', 'alt', 'href', 'width', 'height', 'align', ...box, 'border-radius', 'fluid-on-mobile'),
  },
  'mj-divider': { attrs: attrs('border-width', 'border-style', 'border-color', 'width', 'padding') },
  'mj-spacer': { attrs: attrs('height') },
  'mj-table': { attrs: attrs(...words, ...box, 'cellpadding', 'width') },
  'mj-raw': {},
  'mj-navbar': { children: ['mj-navbar-link'] },
  'mj-navbar-link': { attrs: attrs('href', ...words, 'padding') },
  'mj-social': { children: ['mj-social-element'], attrs: attrs('mode', 'icon-size', 'align', 'padding') },
  'mj-social-element': { attrs: attrs('name', 'href', 'src', 'alt', 'background-color') },
  'mj-accordion': { children: ['mj-accordion-element'], attrs: attrs('border', 'padding') },
  'mj-accordion-element': { children: ['mj-accordion-title', 'mj-accordion-text'] },
  'mj-accordion-title': { attrs: attrs(...words, ...box) },
  'mj-accordion-text': { attrs: attrs(...words, ...box) },
};
