/** A page for people in a browser. */
export interface Page {
  readonly html: string
  /** The content security policy: the browser runs nothing but the scripts and styles of this page. */
  readonly headers: Readonly<Record<string, string>>
}
