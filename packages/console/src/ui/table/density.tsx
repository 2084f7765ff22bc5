import { createContext, type ReactNode, useContext, useState } from 'react';

/** The density of table rows. */
export const densities = ['compact', 'normal', 'relaxed'] as const;
export type Density = (typeof densities)[number];

/** Key in the browser's storage. */
const storageKey = 'croupier-density';

interface ChosenDensity {
  density: Density;
  change(density: Density): void;
}

const Chosen = createContext<ChosenDensity>({ density: 'normal', change: () => {} });

function firstDensity(): Density {
  const stored = localStorage.getItem(storageKey);
  return densities.find((density) => density === stored) ?? 'normal';
}

export function DensityProvider({ children }: { children: ReactNode }) {
  const [density, setDensity] = useState(firstDensity);
  const change = (to: Density) => {
    localStorage.setItem(storageKey, to);
    setDensity(to);
  };
  return <Chosen value={{ density, change }}>{children}</Chosen>;
}

export const useDensity = (): ChosenDensity => useContext(Chosen);

/** `verticalSpacing` of tables, and the height of a row with one line, in pixels. */
export const spacingOf: Readonly<Record<Density, { spacing: number | string; rowHeight: number }>> = {
  compact: { spacing: 3, rowHeight: 29 },
  normal: { spacing: 'xs', rowHeight: 43 },
  relaxed: { spacing: 'md', rowHeight: 55 },
};
