import { type ReactNode, useEffect, useState } from 'react';
import { useMay } from '../../ui/may.tsx';
import { type CountedPlayers, EditingContext, type Selection } from './draft/editing.ts';
import type { useDraft } from './draft/use-draft.ts';
import { CountedPlayers as PlayersList } from './steps/counted-players.tsx';
import { useCounts } from './steps/use-counts.ts';

interface EditingProviderProps {
  brand: string;
  code: string;
  draft: ReturnType<typeof useDraft>;
  children: ReactNode;
}

/** Provides what the views of a draft share: the draft, the selected part, and the live counts. */
export function EditingProvider({ brand, code, draft, children }: EditingProviderProps) {
  const mayEdit = useMay()('campaign.manage');
  const [selected, select] = useState<Selection>();
  const [moving, setMoving] = useState<string>();
  const [listed, setListed] = useState<CountedPlayers>();
  const counts = useCounts(brand, code);
  useEffect(() => {
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && setMoving(undefined);
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, []);
  return (
    <EditingContext
      value={{
        brand,
        draft: draft.draft,
        checked: draft.checked,
        mayEdit,
        change: draft.change,
        invalidText: draft.invalidText,
        keepInvalidText: draft.keepInvalidText,
        selected,
        select,
        counts,
        showPlayers: setListed,
        moving,
        setMoving,
      }}
    >
      {children}
      <PlayersList brand={brand} code={code} of={listed} close={() => setListed(undefined)} />
    </EditingContext>
  );
}
