import './messages.css';
import { Anchor, Badge, Button, Group, Menu, Stack, Tabs, Text, Title } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconArrowBackUp, IconArrowForwardUp, IconDots } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiProblem, api, bodyOf, isConflict } from '../../api/client.ts';
import { freeTemplateCode } from '../../api/named.ts';
import { blocksQuery } from '../../api/queries.ts';
import { messages } from '../../text/messages.ts';
import { places } from '../../text/places.ts';
import { useText, useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { useAddressPart, useBrand } from '../../ui/page.tsx';
import { useNameOfPlace } from '../../ui/place-titles.ts';
import { useUndo } from '../../ui/undo.tsx';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { brandQuery, type TemplateShown, templateCatalogQuery, templateQuery } from './queries.ts';
import type { Draft } from './template/draft.ts';
import { EditorPane } from './template/editor-pane.tsx';
import { Notices } from './template/notices.tsx';
import { PreviewPane } from './template/preview-pane.tsx';
import { TestSend } from './template/test-send.tsx';
import { useDraft } from './template/use-draft.ts';
import { previewsOf, usePreview } from './template/use-preview.ts';
import { Versions } from './template/versions.tsx';

const iconSize = 18;

/** One template: its text next to a preview, and its versions. */
export function Template() {
  const brand = useBrand();
  const code = useAddressPart('code');
  const template = useQuery(templateQuery(brand, code));
  const catalog = useQuery(templateCatalogQuery(brand));
  const settings = useQuery(brandQuery(brand));
  const blocks = useQuery(blocksQuery(brand));
  useNameOfPlace(template.data?.name);
  const failed = [template, catalog, settings, blocks].find(({ isLoadingError }) => isLoadingError);
  if (failed?.error) return <FailedPage error={failed.error} onRetry={() => failed.refetch()} />;
  if (!template.data || !catalog.data || !settings.data || !blocks.data) return <LoadingPage />;
  return (
    <Workshop
      key={code}
      template={template.data}
      catalog={catalog.data}
      settings={settings.data}
      blocks={blocks.data.filter((one) => one.code !== code)}
    />
  );
}

type WorkshopProps = Pick<Parameters<typeof EditorPane>[0], 'catalog' | 'blocks'> & {
  template: TemplateShown;
  settings: Parameters<typeof PreviewPane>[0]['settings'];
};

function Workshop({ template, catalog, settings, blocks }: WorkshopProps) {
  const brand = useBrand();
  const words = useWords(messages);
  const titles = useWords(places);
  const may = useMay()('template.manage');
  const { code, channel, version: newest, used_by: usedBy } = template;
  const stored: Draft = { name: template.name, purpose: template.purpose, content: template.content };
  const work = useDraft(stored, newest, `croupier-template ${brand} ${code}`);
  const { draft } = work;
  const languages = Object.keys(draft.content);
  const [chosen, setLanguage] = useState<string | null>(null);
  const language = chosen !== null && languages.includes(chosen) ? chosen : (languages[0] ?? 'en');
  const [tab, setTab] = useState<string | null>('edit');
  const writing = useWriting(template, work.keep);
  const preview = usePreview({ brand, code, draft, isLeaving: writing.isRemoving });
  const save = () => writing.save.mutate({ draft, version: work.version });
  const canSave = may && work.isChanged && !work.isOvertaken;
  // This also works while a field or the code editor has the focus.
  useHotkeys([['mod+S', () => canSave && !writing.save.isPending && save()]], [], true);
  const refused = problemsOf(writing.save.error) ?? [];
  const errors = preview.errors;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" className="workshop-head">
        <Stack gap={2} style={{ minWidth: 0, flex: 1 }}>
          <Anchor component={Link} to={`/${brand}/messages/templates`} size="sm">
            {titles.pages.templates}
          </Anchor>
          <Group gap="sm">
            <Title order={2} size="h3">
              {draft.name}
            </Title>
            <Badge variant="light" tt="none">
              {words.channels[channel]}
            </Badge>
            <Text size="sm" c="dimmed">
              {words.editor.about} {work.version}
            </Text>
            {work.isChanged && (
              <Text size="sm" role="status" fw={600}>
                {words.editor.unsaved}
              </Text>
            )}
          </Group>
        </Stack>
        <Group gap="xs">
          {!may && (
            <Text size="sm" c="dimmed">
              {words.editor.readOnly}
            </Text>
          )}
          {may && (
            <>
              <Button
                variant="default"
                leftSection={<IconArrowBackUp size={iconSize} aria-hidden />}
                disabled={!work.canUndo}
                onClick={work.undo}
              >
                {words.editor.undo}
              </Button>
              <Button
                variant="default"
                leftSection={<IconArrowForwardUp size={iconSize} aria-hidden />}
                disabled={!work.canRedo}
                onClick={work.redo}
              >
                {words.editor.redo}
              </Button>
            </>
          )}
          {channel !== 'block' && (
            <TestSend template={template} settings={settings} version={work.version} isChanged={work.isChanged} />
          )}
          {may && (
            <>
              <Button disabled={!canSave} loading={writing.save.isPending} onClick={save}>
                {words.editor.save}
              </Button>
              <More template={template} onRemove={writing.remove} />
            </>
          )}
        </Group>
      </Group>
      <Notices
        work={work}
        failed={work.isChanged ? writing.save.error : null}
        errors={work.isChanged ? refused : []}
        usedBy={usedBy}
        campaigns={template.campaigns}
        forgetError={writing.save.reset}
      />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="edit">{words.editor.edit}</Tabs.Tab>
          <Tabs.Tab value="history">{words.editor.history}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit">
          <div className="workshop">
            <EditorPane
              channel={channel}
              catalog={catalog}
              blocks={blocks}
              work={work}
              language={language}
              onLanguage={setLanguage}
              errors={errors}
              readOnly={!may}
            />
            <PreviewPane
              channel={channel}
              code={code}
              language={language}
              preview={preview}
              settings={settings}
              version={newest}
              isChanged={work.isChanged}
              fields={draft.content[language] ?? {}}
            />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Versions
            code={code}
            current={newest}
            onRestore={(older, number) => {
              work.set(older);
              setTab('edit');
              notifications.show({ message: words.history.restored(number) });
            }}
          />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Returns the platform's findings by field, or null if the error is not about fields. */
function problemsOf(error: Error | null) {
  return error instanceof ApiProblem && error.status === 400 && error.errors.length > 0 ? error.errors : null;
}

/**
 * Returns functions that save and delete the template. Both can be undone.
 *
 * @param keep called when a text was saved, before the template is read again
 */
function useWriting({ code, channel }: TemplateShown, keep: (sent: Draft, made: number) => void) {
  const brand = useBrand();
  const words = useWords(messages).editor;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const params = { path: { brand, code } };
  const shown = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [brand, 'template', code], exact: true }),
      queries.invalidateQueries({ queryKey: [brand, 'template', code, 'versions'] }),
      queries.invalidateQueries({ queryKey: [brand, 'templates'] }),
    ]);
  const put = ({ draft, version }: { draft: Draft; version?: number | undefined }) =>
    bodyOf(
      api.PUT('/api/console/v1/brands/{brand}/templates/{code}', {
        params,
        body: {
          channel,
          name: draft.name,
          purpose: draft.purpose,
          content: draft.content as Record<string, Record<string, unknown>>,
          ...(version !== undefined && { version }),
        },
      }),
    );
  const save = useMutation({
    mutationFn: put,
    onSuccess: async ({ version }, { draft }) => {
      keep(draft, version);
      notifications.show({ message: words.saved(version), color: 'green' });
      await shown();
    },
    // If another person has saved a version, the page shows it, and the user can choose.
    onError: (error) => (isConflict(error) ? shown() : undefined),
  });
  const bringBack = async (template: TemplateShown) => {
    const { name, purpose, content } = template;
    await put({ draft: { name, purpose, content } });
    await shown();
    await navigate({ to: `/${brand}/messages/templates/${code}` as '/' });
  };
  const { common } = useText();
  const offerUndo = useUndo();
  const remove = useAct(
    async (template: TemplateShown) => {
      await queries.cancelQueries({ queryKey: previewsOf(brand, code) });
      await api.DELETE('/api/console/v1/brands/{brand}/templates/{code}', { params });
      return template;
    },
    {
      touches: [brand, 'templates'],
      deletes: [brand, 'template', code],
      onDone: async (template) => {
        await navigate({ to: `/${brand}/messages/templates` as '/' });
        queries.removeQueries({ queryKey: [brand, 'template', code], type: 'inactive' });
        offerUndo(common.removed(template.name), () => bringBack(template));
      },
    },
  );
  return { save, remove: remove.mutateAsync, isRemoving: remove.isPending };
}

function More({
  template,
  onRemove,
}: {
  template: TemplateShown;
  onRemove(template: TemplateShown): Promise<unknown>;
}) {
  const brand = useBrand();
  const words = useWords(messages).editor;
  const navigate = useNavigate();
  const duplicate = useAct(
    async () => {
      const { channel, purpose, content, name } = template;
      const code = await freeTemplateCode(brand, template.code);
      await api.POST('/api/console/v1/brands/{brand}/templates', {
        params: { path: { brand } },
        body: { code, channel, purpose, content, name: `${name} (${code.split('_').at(-1)})` },
      });
      return code;
    },
    {
      touches: [brand, 'templates'],
      onDone: (code) => navigate({ to: `/${brand}/messages/templates/${code}` as '/' }),
    },
  );
  const users = [
    ...template.used_by,
    ...template.campaigns.filter(({ published }) => published).map(({ code }) => code),
  ];
  const isTaken = users.length > 0;
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" px="xs" aria-label={words.more}>
          <IconDots size={iconSize} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item disabled={duplicate.isPending} onClick={() => duplicate.mutate()}>
          {words.duplicate}
        </Menu.Item>
        <Menu.Item color="red" disabled={isTaken} onClick={() => void onRemove(template)}>
          {isTaken ? words.inUse(users.join(', ')) : words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
