/** An email to one address. Text and HTML have the same content. */
export interface Email {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A style that breaks long words. Otherwise a long word would make the email wider than a phone. */
export const breakLongWords = 'overflow-wrap:anywhere;word-break:break-word'
