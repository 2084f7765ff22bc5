import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../../api/client.ts';
import { freeTemplateCode } from '../../../api/named.ts';
import { messages } from '../../../text/messages.ts';
import { useWords } from '../../../text/text.tsx';
import { useAct } from '../../../ui/act.tsx';
import { useNames } from '../../../ui/named/use-names.ts';
import { useBrand } from '../../../ui/page.tsx';
import type { TemplateShown } from '../queries.ts';

const iconSize = 18;

interface TemplateMenuProps {
  template: TemplateShown;
  onRemove(template: TemplateShown): Promise<unknown>;
}

/** The rare actions of a template: duplicate and delete. */
export function TemplateMenu({ template, onRemove }: TemplateMenuProps) {
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
  const published = template.campaigns.filter((campaign) => campaign.published);
  const users = [
    ...template.used_by.map((code) => ({ template: code })),
    ...published.map(({ code }) => ({ campaign: code })),
  ];
  const naming = useNames(users);
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
          {isTaken ? words.inUse(users.map(naming).join(', ')) : words.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
