import { createContext, type ReactNode, type RefObject, useContext } from 'react';
import type { CatalogueField } from './catalogue.ts';
import type { Branch, Moved } from './tree.ts';
import type { BuilderWords } from './words.ts';

export interface RuleProblem {
  /** JSON path in the rule. */
  path: string;
  message: string;
}

/** What every part of the builder works with. */
export interface Building {
  rule: Branch;
  catalogue: readonly CatalogueField[];
  errors: readonly RuleProblem[];
  about: 'player' | 'fact';
  note: (path: string) => ReactNode;
  words: BuilderWords;
  change(rule: Branch): void;
  /** Changes the rule, and the keyboard follows what was moved. */
  follow(moved: Moved | undefined, button?: 'up' | 'down'): void;
  /** The path of what is being dragged. */
  dragged: RefObject<string | undefined>;
}

export const BuildingContext = createContext<Building | undefined>(undefined);

export function useBuilding(): Building {
  const building = useContext(BuildingContext);
  if (building === undefined) throw new Error('a part of the rule builder stands outside of one');
  return building;
}
