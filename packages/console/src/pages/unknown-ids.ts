import { notifications } from '@mantine/notifications';
import { useText } from '../text/text.tsx';

/** Maximum number of ids without a player that are shown. */
const shownUnknown = 10;

/** Shows a notice with the ids of a saved list that belong to no player. */
export function useUnknownIds() {
  const { segments: words } = useText();
  return (saved: { unknown: number; unknown_user_ids: readonly string[] } | undefined) => {
    if (saved === undefined || saved.unknown === 0) return;
    notifications.show({
      message: `${words.unknownIds} ${saved.unknown_user_ids.slice(0, shownUnknown).join(', ')} (${saved.unknown})`,
      color: 'yellow',
      autoClose: false,
    });
  };
}
