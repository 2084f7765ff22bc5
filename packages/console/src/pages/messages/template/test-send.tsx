import { Alert, Button, Modal, Select, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, isConflict } from '../../../api/client.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useCode } from '../../../text/use-code.ts';
import { Fields } from '../../../ui/fields.tsx';
import { useMay } from '../../../ui/may.tsx';
import { useBrand } from '../../../ui/page.tsx';
import { To } from '../../../ui/to.tsx';
import { Named, State } from '../../../ui/values.tsx';
import { type BrandShown, type TemplateShown, templateQuery } from '../queries.ts';

interface TestSendProps {
  template: TemplateShown;
  settings: BrandShown;
  /** The version that the editor shows. The test is refused if another person has saved a newer one. */
  version: number;
  /** True if the text on the screen has unsaved changes. They must be saved first, because a test sends a saved version. */
  isChanged: boolean;
}

/** Sends the version on the screen to one of the test players of the brand. */
export function TestSend({ template, settings, version, isChanged }: TestSendProps) {
  const brand = useBrand();
  const words = useWords(messages);
  const nameOf = useCode();
  const may = useMay()('message.send');
  const [isOpen, { open, close }] = useDisclosure();
  const players = [
    ...new Set([...settings.settings.test_players, ...(settings.test_user_id === null ? [] : [settings.test_user_id])]),
  ];
  const [chosen, setPlayer] = useState<string | null>(null);
  const [language, setLanguage] = useState<string | null>(null);
  const player = chosen ?? players[0] ?? null;
  const queries = useQueryClient();
  const send = useMutation({
    // If another person has saved a version, the editor shows it.
    onError: (error) => {
      if (isConflict(error))
        void queries.invalidateQueries({ queryKey: templateQuery(brand, template.code).queryKey, exact: true });
    },
    mutationFn: (user_id: string) =>
      bodyOf(
        api.POST('/api/console/v1/brands/{brand}/templates/{code}/test-send', {
          params: { path: { brand, code: template.code } },
          body: { user_id, version, ...(language !== null && { language }) },
        }),
      ),
  });
  if (!may) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          send.reset();
          open();
        }}
      >
        {words.test.send}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.test.send}>
        <Stack>
          <Text size="sm">{words.test.about}</Text>
          {isChanged && <Alert color="yellow">{words.test.saveFirst}</Alert>}
          {players.length === 0 ? (
            <>
              <Text size="sm">{words.test.none}</Text>
              <To to="settings/brand">{words.test.toSettings}</To>
            </>
          ) : (
            <>
              <Select label={words.test.to} allowDeselect={false} data={players} value={player} onChange={setPlayer} />
              <Select
                label={words.editor.language}
                placeholder={words.test.own}
                clearable
                data={template.languages}
                value={language}
                onChange={setLanguage}
              />
              <Button
                loading={send.isPending}
                disabled={player === null || isChanged}
                onClick={() => player && send.mutate(player)}
              >
                {words.test.send}
              </Button>
            </>
          )}
          {send.isError && (
            <Alert color="red" role="alert">
              {send.error.message}
            </Alert>
          )}
          {send.isSuccess && (
            <Stack gap="xs" role="status">
              <Text size="sm">{words.test.sent(nameOf(send.data.state))}</Text>
              <Fields
                of={[
                  [words.test.result, <State key="state" of={send.data.state} />],
                  [words.test.why, <Named key="why" of={send.data.reason} />],
                ]}
              />
            </Stack>
          )}
        </Stack>
      </Modal>
    </>
  );
}
