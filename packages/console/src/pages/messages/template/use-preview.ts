import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ApiProblem, api, bodyOf } from '../../../api/client.ts';
import { causeOf, type Draft } from './draft.ts';

interface Previewed {
  brand: string;
  code: string;
  draft: Draft;
  /** True while the template is being deleted. Its preview would be answered 404. */
  isLeaving: boolean;
}

export const previewsOf = (brand: string, code: string) => [brand, 'preview', code] as const;

/** Milliseconds without typing after which the preview is updated. */
const restMs = 300;

const ask = (brand: string, code: string, body: object, signal: AbortSignal) =>
  bodyOf(
    api.POST('/api/console/v1/brands/{brand}/templates/{code}/preview', {
      params: { path: { brand, code } },
      body,
      signal,
    }),
  );

/** Returns the preview of the edited text in every language, as a chosen player would see it. */
export function usePreview({ brand, code, draft, isLeaving }: Previewed) {
  const [player, setPlayer] = useState<string | null>(null);
  const [cause, setCause] = useState<Record<string, string>>({});
  const body = {
    content: draft.content,
    purpose: draft.purpose,
    ...(player !== null && { user_id: player }),
    ...causeOf(cause),
  };
  const [asked] = useDebouncedValue(JSON.stringify(body), restMs);
  const answer = useQuery({
    queryKey: [...previewsOf(brand, code), asked],
    queryFn: ({ signal }) => ask(brand, code, JSON.parse(asked), signal),
    enabled: !isLeaving,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: false,
  });
  // While the text has errors, the last valid preview is shown.
  const last = useRef(answer.data);
  if (answer.data !== undefined) last.current = answer.data;
  const errors = answer.error instanceof ApiProblem ? answer.error.errors : [];
  return {
    player,
    setPlayer,
    cause,
    setCause,
    data: answer.data ?? last.current,
    errors,
    failed: errors.length === 0 ? answer.error : null,
    isStale: answer.isError && last.current !== undefined,
  };
}

export type Preview = ReturnType<typeof usePreview>;
