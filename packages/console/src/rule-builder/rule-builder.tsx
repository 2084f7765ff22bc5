import { type ReactNode, useEffect, useRef } from 'react';
import { useWords } from '../text/text.tsx';
import { BuildingContext, type RuleProblem } from './builder-context.ts';
import type { CatalogueField } from './catalogue.ts';
import { GroupEditor } from './group-editor.tsx';
import type { Branch, Moved } from './tree.ts';
import { builderWords } from './words.ts';

interface RuleBuilderProps {
  /** A tree that `isDrawable`. It may have errors. */
  rule: Branch;
  onChange(rule: Branch): void;
  /** The items of `GET rule-fields`. */
  catalogue: readonly CatalogueField[];
  /** Those of `POST rules/check`; each is shown at its condition. */
  errors?: readonly RuleProblem[];
  /** Of the builder, where a page has several. */
  label?: string;
  /** Whom or what the conditions are about: `catalogue` has its fields. Default: the player. */
  about?: 'player' | 'fact';
  /** What stands at the end of a condition, by its path: what it removes, say. */
  note?: (path: string) => ReactNode;
}

/** A rule as a tree of groups and conditions, each of which can be changed, moved and removed. */
export function RuleBuilder({
  rule,
  onChange,
  catalogue,
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
    <BuildingContext value={{ rule, catalogue, errors, about, note, words, change: onChange, follow, dragged }}>
      <section ref={frame} aria-label={label ?? words.builder}>
        <GroupEditor path="" />
      </section>
    </BuildingContext>
  );
}
