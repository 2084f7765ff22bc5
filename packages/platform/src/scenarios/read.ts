import { glob, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { explain } from '../brands/index.ts';
import { Compile } from '../schema-check.ts';
import { type Scenario, scenarioSchema } from './scenario.ts';
import { ScenarioError } from './scenario-error.ts';

/** A scenario from a file, ready to run. */
export interface ReadScenario {
  file: string;
  scenario: Scenario;
}

const endings = ['scenarios.yaml', 'scenarios.yml', 'scenarios.json'];
const check = Compile(scenarioSchema);

/** Fields at the top of a file apply to each of its scenarios. */
type Written = Omit<Partial<Scenario>, 'campaigns'> & {
  campaign?: unknown;
  segment?: unknown;
  campaigns?: unknown[];
  scenarios?: Written[];
};

/**
 * Reads the scenarios of a file, or of all files below a folder whose names end in `scenarios.yaml` or `scenarios.json`. A
 * campaign, template or segment may be the path of a file, relative to the scenario.
 *
 * @throws {ScenarioError} if a file is not a scenario, with the reason
 */
export async function readScenarios(place: string): Promise<ReadScenario[]> {
  const found = await stat(place).catch(() => undefined);
  if (found === undefined) throw new ScenarioError(`the file or folder ${place} does not exist`);
  const files = found.isDirectory() ? await filesBelow(place) : [place];
  if (files.length === 0) throw new ScenarioError(`${place} has no file whose name ends in ${endings.join(' or ')}`);
  return (await Promise.all(files.map(scenariosOf))).flat();
}

async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for await (const name of glob('**/*', { cwd: folder, exclude: (one) => String(one) === 'node_modules' }))
    if (endings.some((ending) => name.endsWith(ending))) files.push(path.join(folder, name));
  return files.toSorted();
}

async function scenariosOf(file: string): Promise<ReadScenario[]> {
  const document = await readDocument(file);
  if (!isObject(document)) throw new ScenarioError(`${file} is not a scenario: it must be an object with steps`);
  const { scenarios, ...head } = document as Written;
  if (scenarios !== undefined && !(isList(scenarios) && scenarios.every(isObject)))
    throw new ScenarioError(`${file}: scenarios must be a list of objects`);
  if (scenarios?.length === 0) throw new ScenarioError(`${file}: scenarios must have at least one scenario`);
  const written = scenarios === undefined ? [head] : scenarios.map((one) => ({ ...head, ...one }));
  return Promise.all(written.map(async (one) => ({ file, scenario: await scenarioOf(file, one) })));
}

async function scenarioOf(file: string, { campaign, campaigns = [], segment, ...rest }: Written): Promise<Scenario> {
  for (const [name, list] of Object.entries({
    campaigns,
    templates: rest.templates,
    segments: rest.segments,
    steps: rest.steps,
  }))
    if (list !== undefined && !isList(list)) throw new ScenarioError(`${file}: ${name} must be a list`);
  const resolve = (values: readonly unknown[]) => Promise.all(values.map((value) => resolved(file, value)));
  const steps = (rest.steps ?? []) as unknown[];
  const [watched] = segment === undefined ? [] : await resolve([segment]);
  const segments = [...(await resolve(rest.segments ?? [])), ...(watched === undefined ? [] : [watched])];
  const code = isObject(watched) ? (watched as { code?: unknown }).code : undefined;
  if (segment !== undefined && typeof code !== 'string')
    throw new ScenarioError(`${file}: segment must be an object with a code and a rule, or the path of a file`);
  const scenario = {
    ...rest,
    campaigns: await resolve([...(campaign === undefined ? [] : [campaign]), ...campaigns]),
    ...(rest.templates !== undefined && { templates: await resolve(rest.templates) }),
    ...(segments.length > 0 && { segments }),
    ...(code !== undefined && { watched: code }),
    steps: await Promise.all(steps.map((step) => withCampaign(file, step))),
  };
  if (!check.Check(scenario)) {
    const errors = explain(scenarioSchema, scenario, '').map(({ path: at, message }) => `${at} ${message}`);
    throw new ScenarioError(`${file}: scenario ${String(rest.name ?? 'without a name')}: ${errors.join('; ')}`);
  }
  const read = scenario as unknown as Scenario;
  if (!read.steps.some((step) => 'expect' in step))
    throw new ScenarioError(
      `${file}: scenario ${read.name}: steps must have at least one expect; write "expect: nothing" if nothing may happen`,
    );
  return read;
}

async function withCampaign(file: string, step: unknown): Promise<unknown> {
  const publish = (step as { publish?: { campaign?: unknown } } | null)?.publish;
  if (publish === undefined) return step;
  return { publish: { ...publish, campaign: await resolved(file, publish.campaign) } };
}

async function resolved(file: string, value: unknown): Promise<unknown> {
  return typeof value === 'string' ? readDocument(path.resolve(path.dirname(file), value)) : value;
}

async function readDocument(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ScenarioError(`the file ${file} does not exist`);
  });
  try {
    return parse(text);
  } catch (error) {
    // The lines after the first one of the parser repeat the text of the file.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new ScenarioError(`${file}: ${sentence.replace(/:$/, '')}`);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isList(value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
