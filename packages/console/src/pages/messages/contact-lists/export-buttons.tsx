import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { contactLists } from '../../../text/contact-lists.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { exportList } from './download.ts';
import { listsKey } from './queries.ts';

/** The buttons that export a list, as JSON lines or as CSV. */
export function ExportButtons({ channel, list }: { channel: string; list: string }) {
  const brand = useBrand();
  const words = useWords(contactLists);
  const download = useAct((format: 'csv' | 'jsonl') => exportList(brand, { channel, list }, format), {
    touches: listsKey(brand),
    onDone: ({ players }) => notifications.show({ message: words.exportDone(players), color: 'green' }),
  });
  const isLoading = (format: 'csv' | 'jsonl') => download.isPending && download.variables === format;
  return (
    <>
      <Button variant="default" loading={isLoading('jsonl')} onClick={() => download.mutate('jsonl')}>
        {words.exportLines}
      </Button>
      <Button loading={isLoading('csv')} onClick={() => download.mutate('csv')}>
        {words.exportCsv}
      </Button>
    </>
  );
}
