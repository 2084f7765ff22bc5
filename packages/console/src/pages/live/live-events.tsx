import { live } from '../../text/live.ts';
import { useWords } from '../../text/text.tsx';
import { EventList } from '../integration/event-list.tsx';

export function LiveEvents({ isFollowing }: { isFollowing: boolean }) {
  const words = useWords(live);
  return <EventList empty={words.noEvents} isFollowing={isFollowing} />;
}
