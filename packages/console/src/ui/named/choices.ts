import type { Named } from '../../api/named.ts';

interface Search {
  /** The latest answer of the platform, which may belong to an earlier text. */
  found: readonly Named[];
  /** The typed text. It is empty while the input shows the chosen item. */
  text: string;
  /** Whether the answer belongs to the typed text. */
  isAnswered: boolean;
  /** The chosen item. */
  own: Named | undefined;
  /** The code of an item that cannot be chosen. */
  except: string | undefined;
}

/**
 * Returns the items to offer. The chosen item is always among them until the user types. Items of an earlier answer are
 * offered only if they contain the typed text, so Enter never selects something else. Pure.
 */
export function choicesOf({ found, text, isAnswered, own, except }: Search): Named[] {
  const possible = found.filter((one) => one.code !== except && (isAnswered || contains(one, text)));
  const isOwnMissing = own !== undefined && !possible.some(({ code }) => code === own.code);
  return text === '' && isOwnMissing ? [own, ...possible] : possible;
}

function contains({ code, name }: Named, text: string): boolean {
  const sought = text.toLowerCase();
  return name.toLowerCase().includes(sought) || code.includes(sought);
}
