import type { Static, TSchema } from 'typebox';
import { WordedError } from '../../language.ts';
import { Compile, type Validator } from '../../schema-check.ts';

/**
 * Opaque cursors: the position at which the next page of a list begins, as text that a caller passes back unchanged.
 *
 * A cursor names its list. So the cursor of another list (or of an older release, with another shape) is an error, and not a
 * page that begins at an arbitrary position. A cursor is neither signed nor secret: it can only start a list at another position,
 * and the caller may read that list anyway.
 */
export class CursorCodec<Shape extends TSchema> {
  readonly #list: string;
  readonly #shape: Validator<Record<never, never>, Shape>;

  constructor(list: string, shape: Shape) {
    this.#list = list;
    this.#shape = Compile(shape);
  }

  encode(place: Static<Shape>): string {
    return Buffer.from(JSON.stringify([this.#list, place])).toString('base64url');
  }

  /**
   * Returns undefined for undefined: the first page has no cursor.
   * @throws {InvalidCursor} for text that this codec did not write
   */
  decode(text: string): Static<Shape>;
  decode(text: string | undefined): Static<Shape> | undefined;
  decode(text: string | undefined): Static<Shape> | undefined {
    if (text === undefined) return undefined;
    const [list, place] = parse(text);
    if (list !== this.#list || !this.#shape.Check(place)) throw new InvalidCursor();
    return place;
  }
}

export class InvalidCursor extends WordedError {
  override name = 'InvalidCursor';
  constructor() {
    super({
      en: 'the cursor does not belong to this list; use `next` of the previous page, or omit it to start again',
      de: 'Der Cursor gehört nicht zu dieser Liste; verwenden Sie `next` der vorigen Seite, oder lassen Sie ihn weg, um von vorn zu beginnen',
    });
  }
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
