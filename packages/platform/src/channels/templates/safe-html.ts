/** Trusted HTML text of the platform: it is inserted into HTML unchanged, and into plain text without its tags. */
export class SafeHtml {
  readonly html: string;
  readonly text: string;

  constructor(html: string, text: string) {
    this.html = html;
    this.text = text;
  }
}
