import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { campaignVersionsQuery } from '../../../api/queries.ts';
import { type Kind, kindIn, stepsIn } from '../draft/edits.ts';

/** Returns the kind of a step of a version. Undefined while the versions are loaded. */
export type StepKinds = (version: number, step: string) => Kind | undefined;

/** Reads the kinds of the steps from the documents of all versions, because results include earlier versions. */
export function useStepKinds(brand: string, code: string): StepKinds {
  const { data } = useQuery(campaignVersionsQuery(brand, code));
  return useMemo(() => {
    const kinds = new Map(
      data?.items.map(({ version, document }) => [
        version,
        new Map(stepsIn(document).map(({ id, step }) => [id, kindIn(step)])),
      ]),
    );
    return (version, step) => kinds.get(version)?.get(step);
  }, [data]);
}
