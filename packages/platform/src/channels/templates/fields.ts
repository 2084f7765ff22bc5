import type { FieldError } from '@croupier/contracts';
import { type Escaping, type Parsed, type TemplateEngine, TemplateFault, type VariableName } from './liquid.ts';
import {
  channelFields,
  type FieldKind,
  type FieldValue,
  type TemplateChannel,
  type WrittenFields,
} from './template.ts';

/* The fields of one language of a template: parsed once, rendered for many players. */
type ReadField =
  | { name: string; kind: Exclude<FieldKind, 'choice' | 'data'>; parsed: Parsed }
  | { name: string; kind: 'choice'; value: string }
  | { name: string; kind: 'data'; parsed: ReadData };
/** A value of a field of kind `data`. Its texts are Liquid. */
type ReadData = { text: Parsed } | { list: ReadData[] } | { object: [string, ReadData][] } | { value: unknown };

export interface ReadFields {
  fields: ReadField[];
  /** Variables used by the fields and by the blocks that they include. */
  variables: VariableName[];
  /** Variables that are inserted without a default. */
  needed: VariableName[];
}

const escapeOf: Readonly<Record<Exclude<FieldKind, 'choice' | 'data'>, Escaping>> = {
  html: 'html',
  mjml: 'html',
  block: 'html',
  plain: 'plain',
  link: 'link',
};

/** Parses fields that `check.ts` has accepted for the channel. Each error names its field. */
export function readFields(
  engine: TemplateEngine,
  channel: TemplateChannel,
  written: WrittenFields,
): { read: ReadFields; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const variables = new Set<VariableName>();
  const needed = new Set<VariableName>();
  const parse = (path: string, text: string, escaping: Escaping): Parsed => {
    try {
      const parsed = engine.parse(text, escaping);
      for (const name of engine.variables(parsed)) variables.add(name);
      for (const name of parsed.needed) needed.add(name);
      return parsed;
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      errors.push({ path, rule: 'liquid', message: `${path}: ${error.message}` });
      return { nodes: [], escaping, needed: new Set() };
    }
  };
  const fields = Object.entries(written).flatMap(([name, value]): ReadField[] => {
    const spec = channelFields[channel][name];
    if (spec === undefined) return [];
    const { kind } = spec;
    if (kind === 'choice') return [{ name, kind, value: String(value) }];
    if (kind === 'data') return [{ name, kind, parsed: readData(value, name, parse) }];
    return [{ name, kind, parsed: parse(name, String(value), escapeOf[kind]) }];
  });
  return { read: { fields, variables: [...variables], needed: [...needed] }, errors };
}

function readData(
  value: FieldValue | unknown,
  path: string,
  parse: (path: string, text: string, escaping: Escaping) => Parsed,
): ReadData {
  if (typeof value === 'string') return { text: parse(path, value, 'plain') };
  if (Array.isArray(value)) return { list: value.map((one, n) => readData(one, `${path}[${n}]`, parse)) };
  if (typeof value === 'object' && value !== null)
    return { object: Object.entries(value).map(([key, one]) => [key, readData(one, `${path}.${key}`, parse)]) };
  return { value };
}

/**
 * Milliseconds for all fields together, beside the limit of each one (liquid.ts). A field of kind `data` can contain thousands of texts.
 */
const wholeMs = 1_000;

/** The fields of a template, rendered for one player. Fields of kind `data` are objects; all others are texts. */
export type RenderedFields = Record<string, unknown>;

export function renderFields(
  engine: TemplateEngine,
  { fields }: ReadFields,
  variables: object,
): { fields: RenderedFields; missing: VariableName[]; errors: FieldError[] } {
  const missing = new Set<VariableName>();
  const errors: FieldError[] = [];
  const began = performance.now();
  const render = (path: string, parsed: Parsed): string => {
    if (performance.now() - began > wholeMs) {
      const message = `${path}: the fields together take longer than ${wholeMs} ms`;
      if (errors.at(-1)?.rule !== 'time') errors.push({ path, rule: 'time', message });
      return '';
    }
    try {
      return engine.render(parsed, variables, missing);
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      errors.push({ path, rule: 'liquid', message: `${path}: ${error.message}` });
      return '';
    }
  };
  const rendered: RenderedFields = {};
  for (const field of fields) {
    const { name } = field;
    if (field.kind === 'choice') rendered[name] = field.value;
    else if (field.kind === 'data') rendered[name] = renderData(field.parsed, name, render);
    else rendered[name] = render(name, field.parsed);
  }
  return { fields: rendered, missing: [...missing], errors };
}

function renderData(data: ReadData, path: string, render: (path: string, parsed: Parsed) => string): unknown {
  if ('text' in data) return render(path, data.text);
  if ('list' in data) return data.list.map((one) => renderData(one, path, render));
  if ('object' in data)
    return Object.fromEntries(data.object.map(([key, one]) => [key, renderData(one, path, render)]));
  return data.value;
}
