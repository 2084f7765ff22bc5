import { Button, Group } from '@mantine/core';
import { campaignPage } from '../../../text/campaign-page.ts';
import { useWords } from '../../../text/text.tsx';

interface ExportButtonsProps {
  brand: string;
  code: string;
  list: 'players' | 'amounts';
  query: object;
}

/** Downloads of a whole list of the results. */
export function ExportButtons({ brand, code, list, query }: ExportButtonsProps) {
  const words = useWords(campaignPage);
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const path = `/api/console/v1/brands/${encodeURIComponent(brand)}/campaigns/${encodeURIComponent(code)}/results/${list}`;
  return (
    <Group gap="xs">
      <Button component="a" size="compact-sm" variant="default" href={`${path}.csv?${search}`}>
        {words.exportCsv}
      </Button>
      <Button component="a" size="compact-sm" variant="default" href={`${path}.jsonl?${search}`}>
        {words.exportJsonLines}
      </Button>
    </Group>
  );
}
