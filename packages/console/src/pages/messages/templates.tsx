import { Anchor, Badge, Button, Group, Select, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { templatesQuery } from '../../api/queries.ts';
import { messages } from '../../text/messages.ts';
import { places } from '../../text/places.ts';
import { useLanguage, useText, useWords } from '../../text/text.tsx';
import { useFilters } from '../../ui/filters.tsx';
import { Rows } from '../../ui/list.tsx';
import { useMay } from '../../ui/may.tsx';
import { Page, useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { Moment } from '../../ui/values.tsx';
import { channels } from './starters.ts';

/** Every template of the brand. The list can be filtered by channel and name. */
export function Templates() {
  const brand = useBrand();
  const words = useWords(messages);
  const title = useWords(places).pages.templates;
  const { common } = useText();
  const { language } = useLanguage();
  const may = useMay()('template.manage');
  const { filters, change } = useFilters();
  const shown = useQuery(templatesQuery(brand));
  if (shown.isPending) return <LoadingPage />;
  if (shown.isError) return <FailedPage error={shown.error} onRetry={() => shown.refetch()} />;
  const asked = (filters.search ?? '').toLowerCase();
  const items = shown.data
    .filter(
      ({ channel, name, code }) =>
        (filters.channel === undefined || filters.channel === channel) &&
        (name.toLowerCase().includes(asked) || code.includes(asked)),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name, language));
  return (
    <Page
      title={title}
      about={words.templates.about}
      actions={
        may && (
          <Button component={Link} to={`/${brand}/messages/new-template`}>
            {words.templates.make}
          </Button>
        )
      }
    >
      {shown.data.length > 0 && (
        <Group align="flex-end">
          <TextInput
            size="xs"
            w={240}
            label={words.templates.search}
            value={filters.search ?? ''}
            onChange={({ currentTarget }) => change('search', currentTarget.value)}
          />
          <Select
            size="xs"
            label={words.make.channel}
            placeholder={words.templates.all}
            clearable
            data={channels.map((channel) => ({ value: channel, label: words.channels[channel] }))}
            value={filters.channel ?? null}
            onChange={(channel) => change('channel', channel)}
          />
        </Group>
      )}
      {items.length === 0 ? (
        <Empty>
          {shown.data.length === 0 ? words.templates.none : words.templates.noneOfChannel}{' '}
          {shown.data.length === 0 && may && <To to="messages/new-template">{words.templates.make}</To>}
        </Empty>
      ) : (
        <Rows
          items={items}
          keyOf={({ code }) => code}
          columns={[
            {
              title: common.name,
              show: ({ code, name }) => (
                <>
                  <Anchor component={Link} to={`/${brand}/messages/templates/${code}`}>
                    {name}
                  </Anchor>
                  <Text size="xs" c="dimmed">
                    {code}
                  </Text>
                </>
              ),
            },
            { title: words.make.channel, isEvident: true, show: ({ channel }) => words.channels[channel] },
            {
              title: words.editor.purpose,
              isEvident: true,
              show: ({ purpose, channel }) => (channel === 'block' ? common.none : words.purposes[purpose]),
            },
            {
              title: words.templates.languages,
              isEvident: true,
              show: ({ languages }) => (
                <Group gap={4}>
                  {languages.map((language) => (
                    <Badge key={language} variant="default" tt="none" size="sm">
                      {language}
                    </Badge>
                  ))}
                </Group>
              ),
            },
            { title: common.version, align: 'right', show: ({ version }) => version },
            {
              title: words.templates.changed,
              show: ({ changed_at, changed_by }) => (
                <>
                  <Moment at={changed_at} />
                  <Text size="xs" c="dimmed">
                    {words.templates.by(changed_by)}
                  </Text>
                </>
              ),
            },
          ]}
        />
      )}
    </Page>
  );
}
