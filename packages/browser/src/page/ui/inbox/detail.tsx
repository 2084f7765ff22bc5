import type { Message } from '../../client/store.ts';
import { Body, Picture, Times } from '../message/message.tsx';
import type { View } from '../view.ts';
import { Questions } from './questions.tsx';

export function Detail({ message, view }: { message: Message; view: View }) {
  return (
    <article class="crm-scroll crm-detail" tabindex={0} aria-labelledby="crm-detail-title">
      <Picture address={message.ImageUrl} class="crm-image" />
      <div class="crm-content">
        <h3 id="crm-detail-title" class="crm-heading" dir="auto" tabindex={-1}>
          {message.Title}
        </h3>
        <Times message={message} text={view.text} />
        <Body message={message} view={view} onDone={() => view.actions.closeInbox()} />
      </div>
      <Questions view={view} words="questionsShort" />
    </article>
  );
}
