import { randomUUID } from 'node:crypto'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserInvitation } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { invitationLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Answer, JsonValue } from './client.ts'
import { readMailedToken } from './mailed-page.ts'
import type { TestService } from './service.ts'

/** A user who was created with an invitation, and the token of its link. */
export interface Invited {
  readonly user: JsonValue
  readonly token: string
}

/** Creates a user and invites them in the same request. */
export const createInvited = async (
  service: TestService,
  bearer: string,
  fields: object = {},
): Promise<Invited> => {
  const [username, email] = [`invited-${randomUUID()}`, `${randomUUID()}@example.com`]
  const body = { username, email, permissions: [], groups: [], invite: true, ...fields }
  const answer = await service.client('POST', '/api/2/users', { bearer, body })
  if (answer.status !== 201) throw new Error(`the user was not created: ${answer.text}`)
  return { user: answer.body, token: await readInvitationToken(service, answer.body.email) }
}

/** The token in the latest invitation to an address. Waits for one that is different from `earlier`. */
export const readInvitationToken = (service: TestService, email: string, earlier = ''): Promise<string> =>
  readMailedToken(service, email, 'invite', ({ text }) => earlier === '' || !text.includes(earlier))

/** Invites an existing user. */
export const invite = ({ client }: TestService, bearer: string, userId: number): Promise<Answer> =>
  client('POST', `/api/2/users/${userId}/invite`, { bearer })

export const findInvitation = ({ client }: TestService, token: string): Promise<Answer> =>
  client('POST', '/api/2/auth/invitation', { body: { token } })

export const acceptInvitation = (
  { client }: TestService,
  token: string,
  password: string,
  more: object = {},
): Promise<Answer> => client('POST', '/api/2/auth/invitation/accept', { body: { token, password, ...more } })

/** Takes the password of a user, stores an invitation for them without an email, and returns the token of its link. */
export const storeInvitation = async (
  { services: { table, now } }: TestService,
  userId: number,
  fields: Partial<UserInvitation> = {},
): Promise<string> => {
  const user = await findUser(table, userId)
  if (!user) throw new Error('the user was not found')
  const { value, hash } = mintCredential('invitation', userId)
  const sentAt = now()
  const invitation = {
    id: randomUUID(),
    hash,
    invitedBy: userId,
    madeAt: sentAt,
    sentAt,
    normalizedEmail: user.normalizedEmail ?? '',
    credentialEpoch: user.credentialEpoch,
    expiresAt: sentAt + invitationLifetimeMs,
    ...fields,
  }
  await editUser(table, user, { passwordHash: null, invitation })
  return value
}
