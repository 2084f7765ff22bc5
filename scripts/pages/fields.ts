import { openApi } from '../../packages/contracts/src/index.ts';
import { siteOpenApi } from '../../packages/platform/src/site/serving.ts';

/*
 * The page docs/reference/fields.md: every field of the interface as a table. It is generated from the published OpenAPI
 * documents, which are generated from the schemas that the platform validates with. So the page always matches the platform.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Operation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { content?: Record<string, { schema?: Schema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const introduction = `# Fields of the interface

Every call of the [interface](./interface.md) with its fields. \`npm run docs\` generates this page from the schemas with which the platform validates.
`;

export function fieldsPage(): string {
  const documents: [title: string, document: Document][] = [
    ['Event endpoints', openApi.integration() as unknown as Document],
    ['Operator endpoints', openApi.operator() as unknown as Document],
    ['Notification API and site', siteOpenApi() as unknown as Document],
  ];
  return `${[introduction, ...documents.map(([title, document]) => section(title, document))].join('\n').trimEnd()}\n`;
}

function section(title: string, document: Document): string {
  const used = new Set<string>();
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => call(method, path, operation, document, used)),
  );
  return [`## ${title}\n`, ...calls].join('\n');
}

function call(method: string, path: string, operation: Operation, document: Document, used: Set<string>): string {
  const { summary, parameters = [], requestBody, responses = {} } = operation;
  const rows = parameters.map((one) =>
    row(one.name, one.schema ?? {}, one.required === true, document, one.description),
  );
  const body = bodyOf(requestBody?.content);
  const answer = bodyOf(responses['200']?.content);
  return [
    `### ${method.toUpperCase()} ${path}\n`,
    ...(summary ? [`${summary}\n`] : []),
    ...(rows.length > 0 ? [`Parameters:\n\n${table(rows)}`] : []),
    ...(body ? [`Body:\n\n${fields(body, document, used)}`] : []),
    ...(answer && !isSmall(answer, document) ? [`Answer 200:\n\n${fields(answer, document, used)}`] : []),
  ].join('\n');
}

/** An answer such as {"status":"ok"} is documented once, in the guide of errors, and not for each of the event endpoints. */
function isSmall(schema: Schema, document: Document): boolean {
  const { properties = {} } = resolved(schema, document);
  return Object.keys(properties).length < 2;
}

function bodyOf(content: Record<string, { schema?: Schema }> | undefined): Schema | undefined {
  return content?.['application/json']?.schema;
}

function fields(schema: Schema, document: Document, used: Set<string>): string {
  const shape = resolved(schema, document);
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices) return choices.map((choice) => fields(choice, document, used)).join('\n');
  if (shape.items) return `A list of:\n\n${fields(shape.items, document, used)}`;
  const properties = Object.entries(shape.properties ?? {});
  if (properties.length === 0) return `${typeText(schema, document)}\n`;
  const own = table(properties.map(([name, one]) => row(name, one, shape.required?.includes(name) ?? false, document)));
  const inner = properties.flatMap(([name, one]) => {
    const nested = resolved(resolved(one, document).items ?? one, document);
    const key = JSON.stringify(nested.properties ?? {});
    if (nested.properties === undefined || used.has(key)) return [];
    used.add(key);
    return [`Of \`${name}\`:\n\n${fields(nested, document, used)}`];
  });
  return [own, ...inner].join('\n');
}

function row(name: string, schema: Schema, required: boolean, document: Document, described?: string): string {
  const meaning = (described ?? schema.description ?? resolved(schema, document).description ?? '').replaceAll(
    /\s+/g,
    ' ',
  );
  return `| \`${name}\` | ${typeText(schema, document)} | ${required ? 'yes' : 'no'} | ${meaning.replaceAll('|', '\\|')} |`;
}

function table(rows: readonly string[]): string {
  return `${['| Field | Type | Required | Meaning |', '|---|---|---|---|', ...rows].join('\n')}\n`;
}

function typeText(schema: Schema, document: Document): string {
  const shape = resolved(schema, document);
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.enum) return shape.enum.map((value) => `\`${String(value)}\``).join(', ');
  const choices = shape.oneOf ?? shape.anyOf;
  if (choices) return [...new Set(choices.map((choice) => typeText(choice, document)))].join(' or ');
  if (shape.items) return `array of ${typeText(shape.items, document)}`;
  const type = [shape.type ?? 'any'].flat().join(' or ');
  return shape.format ? `${type} (${shape.format})` : type;
}

function resolved(schema: Schema, document: Document): Schema {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? undefined : document.components?.schemas?.[name];
  return found ? { ...found, ...(schema.description ? { description: schema.description } : {}) } : schema;
}
