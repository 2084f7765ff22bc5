import { expect, test } from 'vitest';
import { type Draft, emptyCampaign, stepsIn } from '../draft/edits.ts';
import { type DrawnNode, drawCampaign, firstViewport } from './layout.ts';

const of = (...steps: object[]): Draft => ({ ...emptyCampaign('c', 'C'), steps });
const tag = (id: string) => ({ id, tag: id });
const branch = (id: string, ...arms: object[]) => ({ id, branch: arms });
const tree = of(
  tag('one'),
  branch(
    'who',
    { when: {}, steps: [tag('two'), branch('deep', { when: {}, steps: [] })] },
    { otherwise: [{ id: 'out', exit: {} }] },
  ),
  {
    id: 'test',
    split: [
      { name: 'control', share: 10, control: true },
      { name: 'a', share: 90, steps: [tag('three')] },
    ],
  },
  tag('last'),
);

const overlaps = (one: DrawnNode, other: DrawnNode) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

test('every step is drawn once, in reading order, and nothing overlaps', () => {
  const { nodes } = drawCampaign(tree);
  expect(nodes.flatMap((node) => (node.type === 'step' ? [node.stepId] : []))).toEqual(
    stepsIn(tree).map(({ id }) => id),
  );
  expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
  for (const [at, one] of nodes.entries())
    for (const other of nodes.slice(at + 1)) expect(overlaps(one, other), `${one.id} and ${other.id}`).toBe(false);
});

test('a list of n steps has n + 1 places to insert a step, each once', () => {
  const { nodes } = drawCampaign(tree);
  const places = nodes.flatMap(({ insertion }) => (insertion ? [[...insertion.list, insertion.at].join('/')] : []));
  expect(new Set(places).size).toBe(places.length);
  expect(places.toSorted()).toEqual(
    [
      ...[0, 1, 2, 3, 4].map((at) => `steps/${at}`),
      ...[0, 1, 2].map((at) => `steps/1/branch/0/steps/${at}`),
      'steps/1/branch/0/steps/1/branch/0/steps/0',
      ...[0, 1].map((at) => `steps/1/branch/1/otherwise/${at}`),
      ...[0, 1].map((at) => `steps/2/split/1/steps/${at}`),
    ].toSorted(),
  );
});

test('every path leads to the end, except the paths of control arms; no run continues after an exit', () => {
  const { nodes, edges } = drawCampaign(tree);
  const sources = new Set(edges.map(({ source }) => source));
  expect(nodes.filter(({ id }) => !sources.has(id)).map(({ id }) => id)).toEqual([
    'rules',
    'end arm step test 0',
    'end',
  ]);
  expect(edges.filter(({ isDead }) => isDead)).toMatchObject([{ source: 'step out', target: 'join step who' }]);
  // If no rule of an arm holds, the run continues below the branch.
  expect(nodes.filter((node) => node.type === 'arm' && node.implicit)).toHaveLength(1);
});

test('a document with errors is drawn, too', () => {
  for (const steps of [undefined, null, 'x', [null, {}, { id: 'a', branch: 'x' }, { id: 'a', split: [null] }]])
    expect(drawCampaign({ steps }).nodes.at(-1)).toMatchObject({ type: 'end' });
});

test.each([
  ['on a phone', 360],
  ['on a desktop', 1200],
])('the first view %s shows the whole entry, and the whole width if there is room', (_name, seen) => {
  const { nodes } = drawCampaign(tree);
  const left = Math.min(...nodes.map(({ x }) => x));
  const width = Math.max(...nodes.map((node) => node.x + node.width)) - left;
  const { x, zoom } = firstViewport({ x: left, y: 0, width }, seen);
  const inWindow = (at: number) => x + at * zoom;
  const entry = nodes.find(({ type }) => type === 'entry');
  if (entry === undefined) throw new Error('no entry');
  expect(inWindow(entry.x)).toBeGreaterThanOrEqual(0);
  expect(inWindow(entry.x + entry.width)).toBeLessThanOrEqual(seen);
  if (width * zoom <= seen) expect([inWindow(left) >= 0, inWindow(left + width) <= seen]).toEqual([true, true]);
});
