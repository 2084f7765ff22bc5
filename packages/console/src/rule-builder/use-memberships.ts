import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { choicesQuery, choicesShown, searchPauseMs } from '../api/named.ts';
import { tagsQuery } from '../api/tags.ts';
import { useName } from '../ui/named/use-names.ts';
import { useBrand } from '../ui/page.tsx';
import { useBuilding } from './builder-context.ts';
import { membershipOf } from './catalog.ts';
import { soughtIn } from './sought-in.ts';

/*
 * Segments and tags as fields of rules. A brand may have thousands, so they are never loaded completely: the platform
 * searches them while the user types, and the name of the chosen segment is read by its code.
 */

interface Group {
  group: string;
  items: { value: string; label: string }[];
}

interface Found {
  groups: Group[];
  /** Whether the answer to the typed text is not there yet. */
  isSearching: boolean;
  /** Why there is no answer. */
  error: Error | null;
}

/** Returns the segments and tags whose names contain the typed text. Without a text, there are none, and nothing is read. */
export function useFoundMemberships(typed: string): Found {
  const brand = useBrand();
  const { words } = useBuilding();
  const [text] = useDebouncedValue(typed, searchPauseMs);
  const enabled = text !== '';
  const inSegments = soughtIn(text, words.titles.segment(''), 'segment.');
  const segments = useQuery({ ...choicesQuery(brand, 'segments', inSegments), enabled });
  const tags = useQuery({ ...tagsQuery(brand, soughtIn(text, words.titles.tag(''), 'tag.')), enabled });
  const groupOf = (name: string, items: Group['items'], isWhole: boolean): Group[] =>
    items.length === 0 ? [] : [{ group: isWhole ? name : words.first(name, choicesShown), items }];
  const foundSegments = (segments.data?.items ?? []).map(({ code, name }) => ({
    value: `segment.${code}`,
    label: words.titles.segment(name),
  }));
  const foundTags = (tags.data ?? []).map((tag) => ({ value: `tag.${tag}`, label: words.titles.tag(tag) }));
  return {
    groups: enabled
      ? [
          ...groupOf(words.segments, foundSegments, segments.data?.isWhole !== false),
          ...groupOf(words.tags, foundTags, foundTags.length < choicesShown),
        ]
      : [],
    isSearching: typed !== text || segments.isFetching || tags.isFetching,
    error: segments.error ?? tags.error,
  };
}

/** Returns the title of a segment or a tag; undefined for other fields. */
export function useMembershipTitle(field: string): string | undefined {
  const { words } = useBuilding();
  const membership = membershipOf(field);
  const segment = useName(membership?.list === 'segment' ? { segment: membership.code } : undefined);
  if (membership === undefined) return undefined;
  return membership.list === 'segment' ? words.titles.segment(segment) : words.titles.tag(membership.code);
}
