import { createContext, type ReactNode, type RefObject, useContext } from 'react';
import type { CatalogField } from './catalog.ts';
import type { Branch, Moved } from './tree.ts';
import type { BuilderWords } from './words.ts';

export interface RuleProblem {
  /** JSON path in the rule. */
  path: string;
  message: string;
}

/** Everything that the parts of the builder share. */
export interface Building {
  rule: Branch;
  catalog: readonly CatalogField[];
  errors: readonly RuleProblem[];
  about: 'player' | 'fact';
  note: (path: string) => ReactNode;
  words: BuilderWords;
  change(rule: Branch): void;
  /** Changes the rule. The keyboard focus follows a moved node. */
  follow(moved: Moved | undefined, button?: 'up' | 'down'): void;
  /** Path of the node that is being dragged. */
  dragged: RefObject<string | undefined>;
}

export const BuildingContext = createContext<Building | undefined>(undefined);

export function useBuilding(): Building {
  const building = useContext(BuildingContext);
  if (building === undefined) throw new Error('a part of the rule builder was used outside of the builder');
  return building;
}
