/** A mail to one address, as text and as HTML of the same content. */
export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A style by which a long word breaks: it must not make a letter wider than a telephone. */
export const breaking = 'overflow-wrap:anywhere;word-break:break-word'
