import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Verification } from '../../ui/verification.tsx';

/** Verifies the chain of recorded decisions, which proves that they were not changed. */
export function Chain() {
  const brand = useBrand();
  const { chain: words } = useWords(compliance);
  const title = useWords(places).pages.chain;
  const may = useMay()('decision.export');
  return (
    <Page title={title} about={words.about}>
      <Verification
        rows={words.decisions}
        disabled={!may}
        verifyPart={async (body) => {
          const { decisions, ...part } = await bodyOf(
            api.POST('/api/console/v1/brands/{brand}/decisions/verification', { params: { path: { brand } }, body }),
          );
          return { ...part, rows: decisions };
        }}
      />
    </Page>
  );
}
