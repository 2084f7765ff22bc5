import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../text/text.tsx';
import { BuildingContext, type RuleProblem } from './builder-context.ts';
import type { CatalogField } from './catalog.ts';
import { GroupEditor } from './group-editor.tsx';
import type { Branch, Moved } from './tree.ts';
import { builderWords } from './words.ts';

interface RuleBuilderProps {
  /** A tree that passes `isDrawable`. It may have errors. */
  rule: Branch;
  onChange(rule: Branch): void;
  /** The items of `GET rule-fields`. */
  catalog: readonly CatalogField[];
  /** The errors of `POST rules/check`. Each is shown at its condition. */
  errors?: readonly RuleProblem[];
  /** Label of the builder, if a page has several. */
  label?: string;
  /** The subject of the conditions, whose fields are in `catalog`. Default: the player. */
  about?: 'player' | 'fact';
  /** Returns what is shown at the end of a condition, by its path, for example how many players it removes. */
  note?: (path: string) => ReactNode;
}

/** Edits a rule as a tree of groups and conditions. The user can change, move and remove each of them. */
export function RuleBuilder({
  rule,
  onChange,
  catalog,
  errors = [],
  about = 'player',
  label,
  note = () => null,
}: RuleBuilderProps) {
  const words = useWords(builderWords);
  const frame = useRef<HTMLElement>(null);
  const dragged = useRef<string>(undefined);
  const toFocus = useRef<readonly string[]>(undefined);
  useEffect(() => {
    const found = toFocus.current
      ?.map((selector) => frame.current?.querySelector<HTMLElement>(selector))
      .find((element) => element && !element.hasAttribute('disabled'));
    toFocus.current = undefined;
    found?.focus();
  });
  const follow = (moved: Moved | undefined, button?: 'up' | 'down') => {
    if (moved === undefined) return;
    const buttons = button === 'up' ? ['up', 'down'] : ['down', 'up'];
    toFocus.current = button
      ? buttons.map((one) => `[data-step="${one}${moved.path}"]`)
      : [`[data-node="${moved.path}"] input`, `[data-node="${moved.path}"] select`];
    onChange(moved.rule);
  };
  return (
    <BuildingContext value={{ rule, catalog, errors, about, note, words, change: onChange, follow, dragged }}>
      <section ref={frame} aria-label={label ?? words.builder}>
        <GroupEditor path="" />
      </section>
    </BuildingContext>
  );
}
