import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { compliance } from '../../text/compliance.ts';
import { places } from '../../text/places.ts';
import { useWords } from '../../text/text.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { ContactRulesForm } from './contact-rules-form.tsx';

/** The rules about when, how often and whom campaigns may contact. */
export function ContactRules() {
  const brand = useBrand();
  const { rules: words } = useWords(compliance);
  const title = useWords(places).pages['contact-rules'];
  const shown = useQuery({
    queryKey: [brand, 'contact-rules'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}/contact-rules', { params: { path: { brand } } })),
  });
  if (shown.isPending) return <LoadingPage />;
  if (shown.isLoadingError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  return (
    <Page title={title} about={words.about}>
      <ContactRulesForm brand={brand} rules={shown.data} />
    </Page>
  );
}
