import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { brandsQuery } from '../../api/queries.ts';
import { brandSettings } from '../../text/brand-settings.ts';
import { brands } from '../../text/brands.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { List } from '../../ui/list.tsx';
import { useMayEverywhere } from '../../ui/may.tsx';
import { Page } from '../../ui/page.tsx';
import { NewBrand } from './new-brand.tsx';

/** The brands of the caller, and a form for a new one. */
export function Brands() {
  const words = useWords(brands);
  const { fields } = useWords(brandSettings);
  const { common } = useText();
  const title = useWords(places).pages.brands;
  const mayCreate = useMayEverywhere()('brand.create');
  const isAnyDeclared = useQuery(brandsQuery).data?.items.some(({ declared }) => declared) ?? false;
  return (
    <Page title={title} about={words.about}>
      <List
        name={['brands', 'list']}
        read={() => bodyOf(api.GET('/api/console/v1/brands'))}
        keyOf={({ code }) => code}
        empty={common.none}
        columns={[
          {
            title: fields.name?.[0] ?? '',
            show: ({ code, name }) => (
              <Anchor component={Link} to={`/${code}/settings/brand`} size="sm">
                {name}
              </Anchor>
            ),
          },
          { title: words.code, show: ({ code }) => code },
          { title: fields.base_currency?.[0] ?? '', show: ({ base_currency }) => base_currency },
          { title: fields.time_zone?.[0] ?? '', show: ({ time_zone }) => time_zone },
          { title: words.managed, show: ({ declared }) => (declared ? words.file : words.here) },
        ]}
      />
      {isAnyDeclared && <Alert color="blue">{words.fileWhy}</Alert>}
      {mayCreate ? <NewBrand /> : <Text size="sm">{words.mayNot}</Text>}
    </Page>
  );
}
