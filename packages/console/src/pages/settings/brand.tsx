import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { places } from '../../text/places.ts';
import { settings } from '../../text/settings.ts';
import { useText, useWords } from '../../text/text.tsx';
import { Fields } from '../../ui/fields.tsx';
import { Rows } from '../../ui/list.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

/** The settings of a brand: zones, currency, quiet hours, the site and its sockets. */
export function BrandSettings() {
  const brand = useBrand();
  const { brand: words } = useWords(settings);
  const title = useWords(places).pages.brand;
  const { common } = useText();
  const shown = useQuery({
    queryKey: [brand, 'brand'],
    queryFn: () => bodyOf(api.GET('/api/console/v1/brands/{brand}', { params: { path: { brand } } })),
  });
  if (shown.isPending) return <Loading />;
  if (shown.isError) return <Failed error={shown.error} onRetry={() => shown.refetch()} />;
  const { name, code, declared, email, test_user_id: testUser } = shown.data;
  return (
    <Page title={title} about={words.about}>
      <Fields
        of={[
          [common.name, name],
          [common.code, code],
          [common.state, declared ? words.declared : common.none],
          [words.testUser, testUser ?? common.none],
          [words.email, email === null ? common.none : `${email.host}:${email.port}, ${email.from_address}`],
        ]}
      />
      <Rows
        items={Object.entries(shown.data.settings)}
        keyOf={([setting]) => setting}
        columns={[
          { title: words.setting, show: ([setting]) => <code>{setting}</code> },
          {
            title: words.value,
            show: ([, value]) => <code className="timeline-line">{JSON.stringify(value)}</code>,
          },
        ]}
      />
    </Page>
  );
}
