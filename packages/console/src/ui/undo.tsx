import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useText } from '../text/text.tsx';
import { showFailure } from './act.tsx';

/** Milliseconds for which a notice with Undo is shown. */
const undoMs = 15_000;
let notices = 0;

/** Offers to undo what was just done. */
export type OfferUndo = (message: string, undo: () => Promise<unknown>) => void;

/**
 * Offers Undo for actions that can be undone completely. Such actions run immediately, and a notice offers Undo for 15
 * seconds. The notice stays when the user leaves the page. If the platform refuses the undo, a notice shows the reason.
 * An action that cannot be undone asks for confirmation first (`Sure`, `MoreMenu`).
 */
export function useUndo(): OfferUndo {
  const { common } = useText();
  return (message, undo) => {
    const id = `undo ${++notices}`;
    const take = async () => {
      notifications.hide(id);
      try {
        await undo();
      } catch (error) {
        showFailure(error as Error);
      }
    };
    notifications.show({
      id,
      autoClose: undoMs,
      color: 'green',
      message: (
        <Group justify="space-between">
          <Text size="sm">{message}</Text>
          <Button size="compact-sm" variant="default" onClick={() => void take()}>
            {common.undo}
          </Button>
        </Group>
      ),
    });
  };
}
