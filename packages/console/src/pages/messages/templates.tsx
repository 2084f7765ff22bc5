import { Anchor, Badge, Group, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client.ts';
import { messages } from '../../text/messages.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { FilterBar, useFilters, Words } from '../../ui/filters.tsx';
import { useMay } from '../../ui/may.tsx';
import { NamedList } from '../../ui/named-list.tsx';
import { useBrand } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { To } from '../../ui/to.tsx';
import { Moment } from '../../ui/values.tsx';
import { channels } from './starters.ts';

const isChannel = (text: string | undefined): text is (typeof channels)[number] => channels.some((one) => one === text);

/** The templates of the brand, by name. */
export function Templates() {
  const brand = useBrand();
  const words = useWords(messages);
  const title = useWords(places).pages.templates;
  const { common } = useText();
  const may = useMay()('template.manage');
  const { filters, change } = useFilters();
  const { search, channel } = filters;
  const query = { ...(search && { name: search }), ...(isChannel(channel) && { channel }) };
  return (
    <NamedList
      title={title}
      about={words.templates.about}
      make={{ permission: 'template.manage', to: 'messages/new-template', label: words.templates.make }}
      filterBar={
        <FilterBar>
          <Words name="search" label={words.templates.search} />
          <Select
            size="xs"
            label={words.make.channel}
            placeholder={words.templates.all}
            clearable
            data={channels.map((one) => ({ value: one, label: words.channels[one] }))}
            value={channel ?? null}
            onChange={(to) => change('channel', to)}
          />
        </FilterBar>
      }
      kind="templates"
      filters={query}
      read={(cursor) =>
        bodyOf(
          api.GET('/api/console/v1/brands/{brand}/templates', {
            params: { path: { brand }, query: { ...query, ...(cursor && { cursor }) } },
          }),
        )
      }
      empty={
        <Empty>
          {Object.keys(query).length === 0 ? words.templates.none : words.templates.noneOfChannel}{' '}
          {Object.keys(query).length === 0 && may && <To to="messages/new-template">{words.templates.make}</To>}
        </Empty>
      }
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
  );
}
