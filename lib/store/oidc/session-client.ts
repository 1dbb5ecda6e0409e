/** An OpenID Connect client to which a session gave tokens about a user. */
export interface SessionClient {
  readonly clientId: string
  /** The ID of the user in the tokens. While a session impersonates, it is not the user of the session. */
  readonly subject: number
}

/** Sessions store a client as one text, because the table adds to a set of texts in one write. */
export const formatSessionClient = ({ clientId, subject }: SessionClient): string => `${subject} ${clientId}`

export const parseSessionClient = (text: string): SessionClient => {
  const end = text.indexOf(' ')
  return { subject: Number(text.slice(0, end)), clientId: text.slice(end + 1) }
}
