import { Component, createRef } from 'preact';
import { cleanHtml } from './clean-html.ts';

interface Props {
  class: string;
  html: string;
  trust(html: string): string;
  /** A link inside was clicked. */
  onFollow?(): void;
}

/** HTML of a message; plain text is HTML, too. Its nodes are not Preact's, which leaves an element alone that has no children of its own. */
export class Html extends Component<Props> {
  private place = createRef<HTMLDivElement>();

  override componentDidMount(): void {
    const { current } = this.place;
    const { html, trust } = this.props;
    if (current === null) return;
    current.replaceChildren(cleanHtml(html, trust));
    current.onclick = ({ target }) => {
      if ((target as Element).closest('a[href]')) this.props.onFollow?.();
    };
  }

  override shouldComponentUpdate({ html }: Props): boolean {
    return html !== this.props.html;
  }

  override componentDidUpdate(): void {
    this.componentDidMount();
  }

  override render({ class: name }: Props) {
    return <div ref={this.place} class={name} dir="auto" />;
  }
}
