import { Button, Group, NumberInput, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { campaignPage } from '../../text/campaign-page.ts';
import { useWords } from '../../text/text.tsx';
import { useAct } from '../../ui/act.tsx';
import { useMay } from '../../ui/may.tsx';
import { MoreMenu } from '../../ui/more-menu.tsx';

interface ControlsProps {
  brand: string;
  code: string;
  state: string;
  /** Percentage of the players who may enter. */
  share: number;
}

type Action = 'pause' | 'resume' | 'stop';

/** Milliseconds for which a notice with Undo stays. */
const undoMs = 15_000;

/** Pauses, resumes, ramps, stops and deletes a campaign. Actions that can be undone run at once and offer an Undo. The others ask for confirmation first. */
export function Controls({ brand, code, state, share }: ControlsProps) {
  const words = useWords(campaignPage);
  const may = useMay()('campaign.manage');
  const params = { path: { brand, code } };
  const touches = [brand, 'campaign', code];
  const act = useAct(
    (action: Action) => api.POST(`/api/console/v1/brands/{brand}/campaigns/{code}/${action}`, { params }),
    { touches },
  );
  const ramp = useAct(
    (to: number) => api.POST('/api/console/v1/brands/{brand}/campaigns/{code}/ramp', { params, body: { share: to } }),
    { touches },
  );
  const withUndo = (message: string, undo: () => void) => {
    const id = `undo ${code} ${Date.now()}`;
    const take = () => {
      notifications.hide(id);
      undo();
    };
    notifications.show({
      id,
      autoClose: undoMs,
      color: 'green',
      message: (
        <Group justify="space-between">
          <Text size="sm">{message}</Text>
          <Button size="compact-sm" variant="default" onClick={take}>
            {words.undo}
          </Button>
        </Group>
      ),
    });
  };
  const pause = () => act.mutate('pause', { onSuccess: () => withUndo(words.paused, () => act.mutate('resume')) });
  const resume = () => act.mutate('resume', { onSuccess: () => withUndo(words.resumed, () => act.mutate('pause')) });
  const setShare = (to: number) =>
    ramp.mutate(to, { onSuccess: () => withUndo(words.ramped(String(to)), () => ramp.mutate(share)) });
  if (!may) return null;
  const isRunning = state === 'live' || state === 'paused';
  return (
    <Group gap="xs">
      <Ramp key={share} share={share} isBusy={ramp.isPending} set={setShare} />
      {state === 'live' && (
        <Button variant="light" loading={act.isPending} onClick={pause}>
          {words.pause}
        </Button>
      )}
      {state === 'paused' && (
        <Button variant="light" loading={act.isPending} onClick={resume}>
          {words.resume}
        </Button>
      )}
      <More brand={brand} code={code} isRunning={isRunning} stop={() => act.mutate('stop')} />
    </Group>
  );
}

const usualShares = ['1', '10', '50', '100'];

function Ramp({ share, isBusy, set }: { share: number; isBusy: boolean; set(share: number): void }) {
  const words = useWords(campaignPage);
  const [value, setValue] = useState<number | string>(share);
  const [isOpen, { toggle, close }] = useDisclosure();
  const apply = () => {
    set(Number(value));
    close();
  };
  return (
    <Popover opened={isOpen} onChange={(opened) => !opened && close()} width={320} trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" loading={isBusy} onClick={toggle}>
          {words.share} {share} %
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <NumberInput
            label={words.ramp}
            description={words.rampHint}
            min={0}
            max={100}
            allowDecimal={false}
            suffix=" %"
            value={value}
            onChange={setValue}
          />
          <SegmentedControl
            aria-label={words.ramp}
            data={usualShares.map((one) => ({ value: one, label: `${one} %` }))}
            value={String(value)}
            onChange={(one) => setValue(Number(one))}
          />
          <Button disabled={value === '' || Number(value) === share} onClick={apply}>
            {words.set}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface MoreProps {
  brand: string;
  code: string;
  isRunning: boolean;
  stop(): void;
}

/** Actions that cannot be undone. */
function More({ brand, code, isRunning, stop }: MoreProps) {
  const words = useWords(campaignPage);
  const navigate = useNavigate();
  const remove = useAct(
    () => api.DELETE('/api/console/v1/brands/{brand}/campaigns/{code}', { params: { path: { brand, code } } }),
    { touches: [brand, 'campaigns'], onDone: () => void navigate({ to: '/$brand/campaigns', params: { brand } }) },
  );
  return (
    <MoreMenu
      actions={[
        { label: words.stop, text: words.stopSure, isDisabled: !isRunning, onSure: stop },
        { label: words.remove, text: words.removeSure, isDisabled: isRunning, onSure: () => remove.mutate() },
      ]}
    />
  );
}
