import {
  AssertionError,
  CaptureTag,
  type Context,
  Liquid,
  LiquidError,
  type Template as Node,
  toValueSync,
} from 'liquidjs';
import { SafeHtml } from './safe-html.ts';

/*
 * Liquid, with these restrictions:
 *
 * - Values are escaped for the field into which they are inserted, unless the author uses `raw`.
 * - No file is ever read: `render`, `include` and `layout` know only the brand's blocks.
 * - A text has a maximum length; a rendering has limits of time and characters (below). Beyond them it fails with the line
 *   number.
 * - A filter that does not exist is an error. A variable without a value is empty, and is listed (`missing`).
 * - Only own properties of the passed values are accessible, and nothing of JavaScript itself.
 */
export type Escaping = 'html' | 'plain' | 'link';

/** Milliseconds per field. Usual fields take less than one; the limit allows for a busy process. */
const renderMs = 500;
/** Maximum number of characters that filters, loops and captures may produce while a text is rendered. */
const renderCharacters = 4_000_000;
/**
 * Maximum number of characters of a rendered field. No channel accepts more (`longestHtml`), and a result is sanitized before its
 * length is checked there: 20 million characters would block the process for 12 seconds and take 900 MB.
 */
const longestResult = 500_000;

/** A text that cannot be parsed or rendered; the message gives line and column. */
export class TemplateFault extends Error {
  override name = 'TemplateFault';
}

/** A key in the globals of a rendering. Its value is the set that collects the names of missing variables. */
const missing = Symbol('missing');

export interface Parsed {
  nodes: Node[];
  escaping: Escaping;
  /** Variables that the text or its blocks insert without a default: the result is empty if they have no value. */
  needed: ReadonlySet<VariableName>;
}

/** A variable used by a text: `player.first_name`. Names that the text defines itself (assign, for) are not included. */
export type VariableName = string;

/** Parses and renders the texts of one brand, with its blocks. */
export class TemplateEngine {
  readonly #liquids: Readonly<Record<Escaping, Liquid>>;

  /** @param blocks text by code */
  constructor(blocks: Readonly<Record<string, string>> = {}, timeZone = 'UTC') {
    const make = (escaping: Escaping) =>
      new Liquid({
        // Used in place of files, so that liquidjs never reads the file system.
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
    for (const liquid of Object.values(this.#liquids)) liquid.registerTag('capture', CountedCapture);
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

  /** Every variable that the text and its blocks use. @throws {TemplateFault} for a block that does not exist */
  variables({ nodes, escaping }: Parsed): VariableName[] {
    return guarded(() => this.#liquids[escaping].globalFullVariablesSync(nodes).filter((name) => !isOfLiquid(name)));
  }

  /**
   * @param missingNames collects the names of inserted variables without a value, except those for which the author gave a
   * default
   * @throws {TemplateFault}
   */
  render({ nodes, escaping }: Parsed, variables: object, missingNames: Set<VariableName>): string {
    const globals = { ...variables, [missing]: missingNames };
    const result = guarded(() => String(this.#liquids[escaping].renderSync(nodes, {}, { globals })));
    if (result.length > longestResult)
      throw new TemplateFault(`size limit exceeded: ${result.length} characters; the maximum is ${longestResult}`);
    return result;
  }
}

/** Counts captured text, because liquidjs does not. Otherwise a few nested captures would use all memory. */
class CountedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    yield* super.render(context);
    context.memoryLimit.use(String(context.bottom()[this.variable]).length);
  }
}

/**
 * Attaches its variable name to each `{{ output }}`. liquidjs calls the escape filter with the value only, but the token of
 * that filter can carry the name. Blocks are parsed here too, once, and stay in liquidjs' cache.
 */
function label(nodes: readonly (Node | undefined)[], seen: Set<Node>, needed: Set<VariableName>): void {
  for (const node of nodes) {
    if (node === undefined || seen.has(node)) continue;
    seen.add(node);
    const { value, token } = node as Node & {
      value?: { filters?: Filter[] };
      token: { content?: string; input: string; begin: number };
    };
    const last = value?.filters?.at(-1);
    if (last !== undefined) last.token.opensText = isBlank(token.input.slice(0, token.begin));
    const hasDefault = value?.filters?.some(({ name }) => name === 'default') ?? false;
    if (last !== undefined && !hasDefault) {
      last.token.outputName = nameIn(token.content ?? '');
      needed.add(last.token.outputName);
    }
    if (node.children !== undefined) label(toValueSync(node.children(true, true)) as Node[], seen, needed);
  }
}

/** Whether a text has nothing but spaces and tags. */
function isBlank(text: string): boolean {
  return text.replace(/\{%.*?%\}/gs, '').trim() === '';
}

/** The filters as liquidjs stores them; the escape filter is the last one. */
interface Filter {
  name: string;
  token: OutputToken;
}

interface OutputToken {
  outputName?: string;
  /** Whether no text is before the output, apart from tags. */
  opensText?: boolean;
}

function outputOf(escaping: Escaping) {
  return function (this: unknown, value: unknown): string {
    const { context, token } = this as {
      context: { globals: { [missing]?: Set<string> } };
      token: OutputToken;
    };
    if (value === null || value === undefined || value === '') {
      if (token.outputName !== undefined) context.globals[missing]?.add(token.outputName);
      return '';
    }
    if (value instanceof SafeHtml) return escaping === 'html' ? value.html : value.text;
    const text = textOf(value);
    // A whole address stays unchanged if the link begins with it; the check of the field decides whether it is safe. Behind other text, it could
    // change the path or the parameters that the author wrote.
    if (escaping === 'link' && token.opensText && address.test(text)) return text;
    return escapes[escaping](text);
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
  link: (text) => encodeURIComponent(text.toWellFormed()),
};

/** A whole address, such as an offer's. */
const address = /^(?:https?:\/\/|\/)/i;

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** `player.first_name | upcase` names player.first_name. */
function nameIn(output: string): string {
  return (output.split('|', 1)[0] ?? '').trim().slice(0, 200);
}

/** Names that Liquid defines itself. */
function isOfLiquid(name: string): boolean {
  return /^(?:forloop|tablerowloop|block)\b/.test(name);
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // liquidjs throws an AssertionError for a limit that it checks between two nodes of the text.
    if (LiquidError.is(error) || error instanceof AssertionError || isNoBlock(error))
      throw new TemplateFault(plainMessage(error.message));
    // A block that includes itself endlessly, before the time limit.
    if (error instanceof RangeError) throw new TemplateFault('blocks are nested too deeply');
    throw error;
  }
}

/** liquidjs throws an ordinary error for a block that is looked up outside a rendering. */
function isNoBlock(error: unknown): error is Error {
  return error instanceof Error && error.message.startsWith('ENOENT: Failed to lookup');
}

function plainMessage(message: string): string {
  const noBlock = /^ENOENT: Failed to lookup "([^"]*)" in "[^"]*"(.*)$/s.exec(message);
  return noBlock === null ? message : `the block ${noBlock[1]} does not exist${noBlock[2]}`;
}
