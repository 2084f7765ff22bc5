import { armsOf, type Draft, kindIn, type Place, readList, readText } from '../draft/edits.ts';

/*
 * Layout of the canvas. It shows the tree of steps from top to bottom, arms side by side, and a join where the arms
 * meet again. A list of n steps has n + 1 places to insert a step. The place after a step, or at the beginning of an
 * arm, belongs to the node above it.
 */

/** A place for a new step: a list of steps, and an index in it. */
export interface Insertion {
  list: Place;
  at: number;
}

interface Placed {
  id: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The place for a new step below this node. Undefined if no step can follow it. */
  insertion?: Insertion;
}

export type DrawnNode = Placed &
  (
    | { type: 'entry' }
    | { type: 'step'; step: unknown; place: Place; stepId: string }
    /**
     * `implicit` is true for an arm that is drawn but not in the document. A run takes it if the rule of no arm holds and
     * the branch has no "otherwise".
     */
    | { type: 'arm'; arm: Draft; at: number; place: Place; stepId: string; implicit: boolean }
    /** Rules of the whole campaign, and rules that end a run at any step. */
    | { type: 'rules' }
    | { type: 'join' }
    | { type: 'end'; of: 'steps' | 'control' }
  );

export interface DrawnEdge {
  id: string;
  source: string;
  target: string;
  /** True if no run can follow this edge, because an exit is before it. */
  isDead: boolean;
  /** True if the edge leads to the rules beside the entry. Runs do not follow it. */
  isAside?: boolean;
}

export interface Drawn {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export interface Sizes {
  step: { width: number; height: number };
  arm: { width: number; height: number };
  join: { width: number; height: number };
  end: { width: number; height: number };
  rules: { width: number; height: number };
  /** Distances in pixels: below a node, with room for a button, and between arms. */
  below: number;
  beside: number;
}

export const sizes: Sizes = {
  step: { width: 250, height: 84 },
  arm: { width: 210, height: 52 },
  join: { width: 10, height: 10 },
  end: { width: 120, height: 36 },
  rules: { width: 260, height: 104 },
  below: 52,
  beside: 28,
};

/** Lays out a document, even if it has errors. The center of the entry is at x = 0, and its top is at y = 0. */
export function drawCampaign(draft: Draft, given: Sizes = sizes): Drawn {
  const drawing = new Drawing(given);
  drawing.campaign(draft);
  return drawing.drawn;
}

/** The margin of the canvas in pixels, and the smallest zoom at which its text is readable. */
const margin = 40;
const smallestFirst = 0.6;

/**
 * Returns the first view of a campaign. It starts at the top of the campaign, and shows its full width. If the window
 * is too narrow for the full width, the view shows at least the whole entry.
 *
 * @param bounds of all nodes
 * @param seen width of the window in pixels
 * @returns the place of the canvas's origin in the window, and the zoom
 */
export function firstViewport(
  { x, y, width }: { x: number; y: number; width: number },
  seen: number,
): { x: number; y: number; zoom: number } {
  const zoom = Math.max(smallestFirst, Math.min(1, seen / (width + 2 * margin)));
  // The center of the entry is at the origin.
  const nearest = (sizes.step.width / 2) * zoom + margin / 2;
  const middle = (seen - width * zoom) / 2 - x * zoom;
  return { x: Math.max(nearest, Math.min(seen - nearest, middle)), y: margin / 2 - y * zoom, zoom };
}

/** The start of an edge whose end, the next node, is not laid out yet. */
interface Tail {
  id: string;
  isDead: boolean;
}

class Drawing {
  readonly drawn: Drawn = { nodes: [], edges: [] };
  readonly #sizes: Sizes;
  #count = 0;

  constructor(given: Sizes) {
    this.#sizes = given;
  }

  campaign(draft: Draft): void {
    const { step, end, rules, below, beside } = this.#sizes;
    this.drawn.nodes.push({
      type: 'entry',
      id: 'entry',
      ...this.#box(0, 0, step),
      insertion: { list: ['steps'], at: 0 },
    });
    const aside = step.width / 2 + 3 * beside + rules.width / 2;
    // The rules are beside the entry, because nothing else is beside or above it.
    this.drawn.nodes.push({ type: 'rules', id: 'rules', ...this.#box(aside, step.height - rules.height, rules) });
    this.drawn.edges.push({ id: 'edge aside', source: 'entry', target: 'rules', isDead: false, isAside: true });
    const { tails, bottom } = this.#list(draft, ['steps'], {
      x: 0,
      top: step.height + below,
      tails: [{ id: 'entry', isDead: false }],
    });
    this.drawn.nodes.push({ type: 'end', of: 'steps', id: 'end', ...this.#box(0, bottom, end) });
    this.#join(tails, 'end');
  }

  /** @returns the starts of the edges to the node that follows the list, and the top of that node */
  #list(
    draft: unknown,
    list: Place,
    from: { x: number; top: number; tails: Tail[] },
  ): { tails: Tail[]; bottom: number } {
    let { tails, top } = from;
    for (const [at, step] of readList(draft, list).entries()) {
      const id = this.#add(step, [...list, at], from.x, top);
      this.#join(tails, id);
      const arms = this.#armsOf(step, [...list, at]);
      if (arms.length === 0) {
        this.#insertable(id, { list, at: at + 1 });
        tails = [{ id, isDead: kindIn(step) === 'exit' }];
        top += this.#sizes.step.height + this.#sizes.below;
        continue;
      }
      const below = top + this.#sizes.step.height + this.#sizes.below;
      const ended = this.#arms(draft, arms, { x: from.x, top: below, from: id });
      const join = `join ${id}`;
      this.drawn.nodes.push({
        type: 'join',
        id: join,
        ...this.#box(from.x, ended.bottom, this.#sizes.join),
        insertion: { list, at: at + 1 },
      });
      this.#join(ended.tails, join);
      tails = [{ id: join, isDead: ended.tails.every(({ isDead }) => isDead) }];
      top = ended.bottom + this.#sizes.join.height + this.#sizes.below;
    }
    return { tails, bottom: top };
  }

  #arms(
    draft: unknown,
    arms: Arm[],
    { x, top, from }: { x: number; top: number; from: string },
  ): { tails: Tail[]; bottom: number } {
    const { arm: size, below, beside, end } = this.#sizes;
    const widths = arms.map(({ list }) => this.#widthOf(draft, list));
    const all = widths.reduce((sum, width) => sum + width, 0) + beside * (arms.length - 1);
    let left = x - all / 2;
    const tails: Tail[] = [];
    let bottom = top;
    for (const [at, { arm, list, implicit, stepId }] of arms.entries()) {
      const width = widths[at] ?? size.width;
      const middle = left + width / 2;
      left += width + beside;
      const id = `arm ${from} ${at}`;
      const isControl = arm.control === true;
      this.drawn.nodes.push({
        type: 'arm',
        id,
        ...this.#box(middle, top, size),
        arm,
        at,
        place: list.slice(0, -1),
        stepId,
        implicit,
        ...(!implicit && !isControl && { insertion: { list, at: 0 } }),
      });
      this.#join([{ id: from, isDead: false }], id);
      const below_ = top + size.height + below;
      if (isControl) {
        const stop = `end ${id}`;
        this.drawn.nodes.push({ type: 'end', of: 'control', id: stop, ...this.#box(middle, below_, end) });
        this.#join([{ id, isDead: false }], stop);
        bottom = Math.max(bottom, below_ + end.height + below);
        continue;
      }
      const inner = this.#list(implicit ? {} : draft, list, { x: middle, top: below_, tails: [{ id, isDead: false }] });
      tails.push(...inner.tails);
      bottom = Math.max(bottom, inner.bottom);
    }
    return { tails, bottom };
  }

  #armsOf(step: unknown, place: Place): Arm[] {
    const stepId = readText(step, ['id']);
    const arms = armsOf(step, place).map((one) => ({ ...one, implicit: false, stepId }));
    const isOpen = kindIn(step) === 'branch' && !arms.some(({ arm }) => 'otherwise' in arm);
    if (!isOpen) return arms;
    return [
      ...arms,
      { arm: { otherwise: [] }, list: [...place, 'branch', arms.length, 'otherwise'], implicit: true, stepId },
    ];
  }

  #widthOf(draft: unknown, list: Place): number {
    const { step: size, arm, beside } = this.#sizes;
    const widths = readList(draft, list).map((step, at) => {
      const arms = this.#armsOf(step, [...list, at]);
      const inner = arms.map(({ list: ofArm }) => this.#widthOf(draft, ofArm));
      return Math.max(size.width, inner.reduce((sum, width) => sum + width, 0) + beside * Math.max(0, arms.length - 1));
    });
    return Math.max(arm.width, ...widths);
  }

  #add(step: unknown, place: Place, x: number, top: number): string {
    const stepId = readText(step, ['id']);
    // In a draft, two steps may have the same id, or a step may have none.
    const isFree = stepId !== '' && !this.drawn.nodes.some(({ id }) => id === `step ${stepId}`);
    const id = isFree ? `step ${stepId}` : `step at ${place.join('/')}`;
    this.drawn.nodes.push({ type: 'step', id, ...this.#box(x, top, this.#sizes.step), step, place, stepId });
    return id;
  }

  #insertable(id: string, insertion: Insertion): void {
    const node = this.drawn.nodes.find((one) => one.id === id);
    if (node !== undefined) node.insertion = insertion;
  }

  #join(tails: readonly Tail[], target: string): void {
    for (const { id: source, isDead } of tails)
      this.drawn.edges.push({ id: `edge ${this.#count++}`, source, target, isDead });
  }

  #box(middle: number, y: number, { width, height }: { width: number; height: number }) {
    return { x: middle - width / 2, y, width, height };
  }
}

interface Arm {
  arm: Draft;
  list: Place;
  implicit: boolean;
  stepId: string;
}
