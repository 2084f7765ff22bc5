import type { Message } from '../../client/store.ts';
import { Times, Whole } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';

/** An open message of the inbox. */
export function Detail({ message, view }: { message: Message; view: View }) {
  return (
    <Whole
      message={message}
      view={view}
      name="crm-detail"
      above={<Times message={message} text={view.text} />}
      below={<Questions view={view} words="questionsShort" />}
      onDone={() => {
        view.actions.follow(message.MessageId);
        view.actions.closeInbox();
      }}
      onDismiss={() => view.actions.closeInbox()}
    />
  );
}
