/** Text of ours that is HTML already: it goes into HTML as it is, and into plain texts without its tags. */
export class SafeHtml {
  readonly html: string;
  readonly text: string;

  constructor(html: string, text: string) {
    this.html = html;
    this.text = text;
  }
}
