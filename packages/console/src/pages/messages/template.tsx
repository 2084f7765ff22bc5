import './messages.css';
import { Stack, Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem } from '../../api/client.ts';
import { blocksQuery } from '../../api/queries.ts';
import { messages } from '../../text/messages.ts';
import { useWords } from '../../text/text.tsx';
import { useMay } from '../../ui/may.tsx';
import { useAddressPart, useBrand } from '../../ui/page.tsx';
import { useNameOfPlace } from '../../ui/place-titles.ts';
import { FailedPage, LoadingPage } from '../../ui/unready-page.tsx';
import { type BrandShown, brandQuery, type TemplateShown, templateCatalogQuery, templateQuery } from './queries.ts';
import type { Draft } from './template/draft.ts';
import { EditorPane } from './template/editor-pane.tsx';
import { TemplateHeader } from './template/header.tsx';
import { Notices } from './template/notices.tsx';
import { PreviewPane } from './template/preview-pane.tsx';
import { useDraft } from './template/use-draft.ts';
import { usePreview } from './template/use-preview.ts';
import { useWriting } from './template/use-writing.ts';
import { Versions } from './template/versions.tsx';

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
  settings: BrandShown;
};

function Workshop({ template, catalog, settings, blocks }: WorkshopProps) {
  const brand = useBrand();
  const words = useWords(messages);
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
  return (
    <Stack gap="md">
      <TemplateHeader
        template={template}
        settings={settings}
        work={work}
        canSave={canSave}
        isSaving={writing.save.isPending}
        save={save}
        onRemove={writing.remove}
      />
      <Notices
        work={work}
        failed={work.isChanged ? writing.save.error : null}
        errors={work.isChanged ? (problemsOf(writing.save.error) ?? []) : []}
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
              errors={preview.errors}
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
