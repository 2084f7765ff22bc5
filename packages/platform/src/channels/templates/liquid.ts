import { Liquid, LiquidError, type Template as Node, toValueSync } from 'liquidjs';
import { SafeHtml } from './safe-html.ts';

/*
 * Liquid, as templates are allowed to have it:
 *
 * - Values are escaped for the field they are put into, unless the author says `raw`.
 * - No file is ever read: `render`, `include` and `layout` know the brand's blocks and nothing else.
 * - A text has a length, a rendering a time and a number of characters (below). Beyond them it fails with its line.
 * - A filter that does not exist is an error; a variable that has no value is empty, and named (`missing`).
 * - Only own properties of what is handed over: nothing of JavaScript's can be reached.
 */
export type Escaping = 'html' | 'plain' | 'link';

/** Milliseconds of one field: usual ones take less than one. Long enough for a process that has to wait for its turn. */
const renderMs = 500;
/** Characters that filters and loops may make on the way. */
const renderCharacters = 4_000_000;

/** A text that cannot be read or rendered; the message names line and column. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
}

/** Under this key of a rendering's globals stands the set that takes the names of what was missing. */
const missing = Symbol('missing');

export interface Parsed {
  nodes: Node[];
  escaping: Escaping;
  /** What is put in somewhere without a default, by the text or its blocks: empty where it has no value. */
  needed: ReadonlySet<VariableName>;
}

/** What a text names: `player.first_name`. Names that the text makes itself (assign, for) are not among them. */
export type VariableName = string;

/** Reads and renders the texts of one brand, with its blocks. */
export class TemplateEngine {
  readonly #liquids: Readonly<Record<Escaping, Liquid>>;

  /** @param blocks text by code */
  constructor(blocks: Readonly<Record<string, string>> = {}, timeZone = 'UTC') {
    const make = (escaping: Escaping) =>
      new Liquid({
        // In place of files: with these the file system is never asked.
        templates: { ...blocks },
        cache: true,
        ownPropertyOnly: true,
        strictFilters: true,
        parseLimit: 1_000_000,
        renderLimit: renderMs,
        memoryLimit: renderCharacters,
        timezoneOffset: timeZone,
        outputEscape: outputOf(escaping),
      });
    this.#liquids = { html: make('html'), plain: make('plain'), link: make('link') };
  }

  /** @throws {TemplateFault} */
  parse(text: string, escaping: Escaping): Parsed {
    return guarded(() => {
      const nodes = this.#liquids[escaping].parse(text);
      const needed = new Set<VariableName>();
      label(nodes, new Set(), needed);
      return { nodes, escaping, needed };
    });
  }

  /** Every variable that the text and its blocks name. @throws {TemplateFault} for a block that does not exist */
  variables({ nodes, escaping }: Parsed): VariableName[] {
    return guarded(() => this.#liquids[escaping].globalFullVariablesSync(nodes).filter((name) => !isOfLiquid(name)));
  }

  /**
   * @param missingNames takes the names of what was put in and had no value. What the author gave a default is not missing.
   * @throws {TemplateFault}
   */
  render({ nodes, escaping }: Parsed, variables: object, missingNames: Set<VariableName>): string {
    const globals = { ...variables, [missing]: missingNames };
    return guarded(() => String(this.#liquids[escaping].renderSync(nodes, {}, { globals })));
  }
}

/**
 * Tells each `{{ output }}` its name. liquidjs calls the escape with the value alone; the token of the filter that calls it is ours
 * to write on. Blocks are read here too, once, and stay in its cache.
 */
function label(nodes: readonly (Node | undefined)[], seen: Set<Node>, needed: Set<VariableName>): void {
  for (const node of nodes) {
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    const { value, token } = node as Node & { value?: { filters?: Filter[] }; token: { content?: string } };
    const last = value?.filters?.at(-1);
    const hasDefault = value?.filters?.some(({ name }) => name === 'default') ?? false;
    if (last !== undefined && !hasDefault) {
      last.token.outputName = nameIn(token.content ?? '');
      needed.add(last.token.outputName);
    }
    if (node.children !== undefined) label(toValueSync(node.children(true, true)) as Node[], seen, needed);
  }
}

/** As liquidjs has them; one of its own is the escape, last in line. */
interface Filter {
  name: string;
  token: { outputName?: string };
}

function outputOf(escaping: Escaping) {
  return function (this: unknown, value: unknown): string {
    const { context, token } = this as {
      context: { globals: { [missing]?: Set<string> } };
      token: { outputName?: string };
    };
    if (value === null || value === undefined || value === '') {
      if (token.outputName !== undefined) context.globals[missing]?.add(token.outputName);
      return '';
    }
    if (value instanceof SafeHtml) return escaping === 'html' ? value.html : value.text;
    return escapes[escaping](textOf(value));
  };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapes: Readonly<Record<Escaping, (text: string) => string>> = {
  html: escapeHtml,
  plain: (text) => text,
  // A whole address, such as an offer's, stays one; whether it is a safe one is seen when the field is checked.
  link: (text) => (/^(?:https?:\/\/|\/)/i.test(text) ? text : encodeURIComponent(text.toWellFormed())),
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** `player.first_name | upcase` names player.first_name. */
function nameIn(output: string): string {
  return (output.split('|', 1)[0] ?? '').trim().slice(0, 200);
}

/** Names that Liquid brings itself. */
function isOfLiquid(name: string): boolean {
  return /^(?:forloop|tablerowloop|block)\b/.test(name);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (LiquidError.is(error) || isNoBlock(error)) throw new TemplateFault(plainMessage(error.message));
    // A block that takes itself without end, before the time is over.
    if (error instanceof RangeError) throw new TemplateFault('too many blocks inside one another');
    throw error;
  }
}

/** Looked up outside of a rendering, it is a plain error. */
function isNoBlock(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('ENOENT: Failed to lookup');
}

function plainMessage(message: string): string {
  const noBlock = /^ENOENT: Failed to lookup "([^"]*)" in "[^"]*"(.*)$/s.exec(message);
  return noBlock === null ? message : `there is no block of the code ${noBlock[1]}${noBlock[2]}`;
}
