/*
 * Splits JSON that arrives in pieces into tokens: marks ({ } [ ] , :), strings, and words (numbers, true, false, null).
 *
 * A list of five million ids is one text of 60 to 100 MB. The tokenizer keeps only the token in which a piece ended, and
 * creates no object per token (docs/decisions/1061). It does not check the grammar; result-reader.ts does that.
 */

export interface TokenSink {
  /** Code of one of { } [ ] , : */
  mark(code: number): void;
  string(text: string): void;
  /** The text as written: a number, true, false or null. */
  word(text: string): void;
}

/** The text is not JSON, or ends in the middle of it. */
export class NotJson extends Error {
  override name = 'NotJson';
  readonly isCut: boolean;
  constructor(message: string, isCut = false) {
    super(message);
    this.isCut = isCut;
  }
}

export const marks = { openObject: 0x7b, closeObject: 0x7d, openList: 0x5b, closeList: 0x5d, comma: 0x2c, colon: 0x3a };

/** Maximum length of one token; ids have at most 255 characters, an error text some thousand. */
const maxTokenLength = 64 * 1024;
const word = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)$/;
const quote = 0x22;
const backslash = 0x5c;

export class JsonTokens {
  #sink: TokenSink;
  #inside: 'nothing' | 'string' | 'word' = 'nothing';
  /** The start of a token in which the last piece ended. */
  #partial = '';
  #hasEscapes = false;
  #afterBackslash = false;

  constructor(sink: TokenSink) {
    this.#sink = sink;
  }

  /** @throws {NotJson} and the errors of the sink */
  push(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.#inside === 'string') at = this.#inString(text, at);
      else if (this.#inside === 'word') at = this.#inWord(text, at);
      else at = this.#between(text, at);
    }
  }

  /** Call it at the end of the text. @throws {NotJson} if it ends inside a string */
  end(): void {
    if (this.#inside === 'string') throw new NotJson('the answer ends inside a string', true);
    if (this.#inside === 'word') this.#endWord('');
  }

  #between(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return at + 1;
    if (code === quote) {
      this.#inside = 'string';
      return at + 1;
    }
    if (isMark(code)) {
      this.#sink.mark(code);
      return at + 1;
    }
    this.#inside = 'word';
    return at;
  }

  #inString(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (this.#afterBackslash) this.#afterBackslash = false;
      else if (code === quote) {
        this.#endString(text.slice(from, at));
        return at + 1;
      } else if (code === backslash) {
        this.#hasEscapes = true;
        this.#afterBackslash = true;
      }
      if (code < 0x20) throw new NotJson('a string contains a control character');
    }
    return this.#keep(text, from);
  }

  #inWord(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code <= 0x20 || code === quote || isMark(code)) {
        this.#endWord(text.slice(from, at));
        return at;
      }
    }
    return this.#keep(text, from);
  }

  #keep(text: string, from: number): number {
    this.#partial += text.slice(from);
    if (this.#partial.length > maxTokenLength) throw new NotJson(`a string has more than ${maxTokenLength} characters`);
    return text.length;
  }

  #endString(rest: string): void {
    const written = this.#partial === '' ? rest : this.#partial + rest;
    const read = this.#hasEscapes ? withoutEscapes(written) : written;
    this.#reset();
    this.#sink.string(read);
  }

  #endWord(rest: string): void {
    const written = this.#partial + rest;
    if (!word.test(written)) throw new NotJson(`a token of ${written.length} characters is not JSON`);
    this.#reset();
    this.#sink.word(written);
  }

  #reset(): void {
    this.#inside = 'nothing';
    this.#partial = '';
    this.#hasEscapes = false;
  }
}

function isMark(code: number): boolean {
  return (
    code === marks.comma ||
    code === marks.colon ||
    code === marks.openList ||
    code === marks.closeList ||
    code === marks.openObject ||
    code === marks.closeObject
  );
}

function withoutEscapes(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    throw new NotJson('a string contains an invalid escape');
  }
}
