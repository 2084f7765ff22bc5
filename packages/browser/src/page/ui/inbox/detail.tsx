import type { Message } from '../../client/store.ts';
import { Times, Whole } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';

/** An open message of the inbox. */
export function Detail({ message, view }: { message: Message; view: View }) {
  return (
    <article class="crm-detail" aria-labelledby="crm-detail-title">
      <Whole message={message} view={view} name="crm-detail-title" onDone={() => view.actions.closeInbox()}>
        <Times message={message} text={view.text} />
      </Whole>
      <Questions view={view} words="questionsShort" />
    </article>
  );
}
