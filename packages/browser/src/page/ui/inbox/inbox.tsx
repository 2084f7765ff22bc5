import { Dialog } from '../dialog.tsx';
import { CloseButton, IconButton, Mark } from '../icon-button.tsx';
import { Picture } from '../message/message.tsx';
import { Problem } from '../problem.tsx';
import type { View } from '../view.ts';
import { countText } from './count.ts';
import { Detail } from './detail.tsx';
import { List } from './list.tsx';
import { stepByKey, stepOf } from './steps.ts';

/** The panel: a list, or one message of it. */
export function Inbox({ view }: { view: View }) {
  const { state, actions, inbox, detail } = view;
  return (
    <Dialog
      name="crm-inbox"
      open={state.inboxOpen}
      fog={inbox.closeModalOnFogClick}
      onClose={() => actions.closeInbox()}
      onKey={(event) => stepByKey(view, event)}
    >
      <Header view={view} />
      {detail ? <Detail key={detail.MessageId} message={detail} view={view} /> : <List view={view} />}
      {state.inboxOpen && <Problem view={view} />}
    </Dialog>
  );
}

function Header({ view }: { view: View }) {
  const { state, actions, text, detail, listed, ask } = view;
  const unread = state.unread > 0 && `${countText(state.unread)} ${text('unread')}`;
  const status = state.phase === 'offline' ? text('offline') : unread;
  const position = detail && `${listed.indexOf(detail) + 1} / ${listed.length}${state.hasMore ? '+' : ''}`;
  return (
    <header class="crm-header">
      {detail ? <IconButton name="back" view={view} onPress={() => actions.backToList()} /> : <Logo view={view} />}
      <div class="crm-titles">
        <h2 id="crm-inbox-title" class="crm-title" tabindex="-1" autofocus="">
          {text('inboxTitle')}
        </h2>
        <span class="crm-unread" role="status" dir="auto">
          {position ?? status}
        </span>
      </div>
      {!detail && state.unread > 0 && <IconButton name="markAllRead" view={view} onPress={() => actions.readAll()} />}
      {detail && [<Step name="previous" view={view} by={-1} />, <Step name="next" view={view} by={1} />]}
      {detail && <IconButton name="delete" view={view} onPress={() => ask(detail.MessageId)} />}
      <CloseButton view={view} onPress={() => actions.closeInbox()} />
    </header>
  );
}

/** Opens the message beside the open one. The focus moves to its title, where the arrow keys do the same. */
function Step({ name, view, by }: { name: 'previous' | 'next'; view: View; by: -1 | 1 }) {
  const step = stepOf(view, by);
  return <IconButton name={name} view={view} isOff={!step} onPress={() => step?.()} />;
}

function Logo({ view }: { view: View }) {
  return Picture({ address: view.inbox.navBarLogo, class: 'crm-logo' }) || <Mark />;
}
