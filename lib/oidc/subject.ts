import { ownSubjectPrefix } from '../contract/text-rules.ts'
import { listExternalIds, type UserRecord } from '../store/directory/user-record.ts'
import type { OidcClient } from '../store/oidc/clients.ts'

/** The ID of the user in the system that the client came from. Undefined if they have none, or if the client names no system. */
export const findExternalSubject = (
  user: UserRecord,
  { subjectSource }: Pick<OidcClient, 'subjectSource'>,
): string | undefined => listExternalIds(user).find(({ source }) => source === subjectSource)?.id

/** OpenID Connect Core 2: a subject is at most 255 ASCII characters. The import allows others. */
const subjectForm = /^[\x21-\x7e]{1,255}$/

/**
 * The claim `sub` for a client, in ID tokens and at userinfo. A client that came from another system gets the ID that its user
 * had there. So that no other user can be taken for them, others have a prefix that no import accepts.
 */
export const nameSubject = (user: UserRecord, client: Pick<OidcClient, 'subjectSource'>): string => {
  if (!client.subjectSource) return String(user.id)
  const id = findExternalSubject(user, client)
  return id !== undefined && subjectForm.test(id) ? id : `${ownSubjectPrefix}${user.id}`
}
