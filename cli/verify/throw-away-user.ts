import * as z from 'zod/mini'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import { AccessError } from '../../lib/middleware/access-error.ts'
import { createVerifyToken } from '../../lib/middleware/verify-token.ts'
import { Failed, Skipped } from './check.ts'
import { describeAnswer, readBody, type Send } from './request.ts'

interface Link {
  readonly id: number
  readonly token: string
}

/** What the checks know of what they created. */
export interface Created {
  readonly username: string
  readonly password: string
  /** The ID of the user, once one was requested. Undefined if the service refused. The answer may get lost. */
  requestedUser?: Promise<number | undefined>
  userId?: number
  /** The session of the user. */
  session?: string
  requestedLink?: Promise<Link>
  link?: Link
}

/** What the checks of a signed-in administrator share. */
export interface Parts {
  readonly origin: string
  readonly send: Send
  readonly asAdmin: Send
  readonly created: Created
  readonly mailTo: string | undefined
}

const WithId = z.object({ id: z.int() })

/** For requests that create something: one that was interrupted could take effect after the deletion. */
const uninterrupted = new AbortController().signal

export const createUser = async ({ asAdmin, created }: Parts): Promise<string> => {
  const body = { username: created.username, permissions: [], groups: [] }
  const creating = asAdmin('POST', '/api/2/users', { signal: uninterrupted, body })
  created.requestedUser = creating.then((answer) =>
    answer.status >= 400 && answer.status < 500 ? undefined : readBody(answer, WithId).id,
  )
  // Only the deletion waits for it.
  created.requestedUser.catch(() => {})
  created.userId = readBody(await creating, WithId).id
  return 'The user has no permissions.'
}

const SignedIn = z.object({ session_key: z.string() })

export const checkSignIn = async (
  { send, asAdmin, created }: Parts,
  signal: AbortSignal,
): Promise<string> => {
  const { userId, username, password } = created
  if (userId === undefined) throw new Skipped('There is no user.')
  const path = `/api/2/users/${userId}/password`
  const answer = await asAdmin('POST', path, { signal, body: { password } })
  if (answer.status === 401 || answer.status === 403)
    throw new Skipped(
      `Only a session that is a few minutes old may set a password. Sign in again, and set LATCHKEY_TOKEN to its session_key. ${describeAnswer(answer)}`,
    )
  if (answer.status !== 204) throw new Failed(describeAnswer(answer))
  const login = '/api/2/auth/login'
  const wrong = await send('POST', login, { signal, body: { username, password: `${password}-` } })
  if (wrong.status !== 401) throw new Failed(`For a wrong password: ${describeAnswer(wrong)}`)
  const right = await send('POST', login, { signal, body: { username, password } })
  if (right.text.includes('second_factor_setup_required'))
    return 'The password was accepted. The sign-in policy requires a second factor.'
  created.session = readBody(right, SignedIn).session_key
  return 'A wrong password was refused.'
}

/** Acts as the user, or as the administrator if the user could not sign in. */
const asUser = ({ send, asAdmin, created }: Parts): Send => {
  const { session } = created
  return session === undefined
    ? asAdmin
    : (method, path, options) => send(method, path, { ...options, bearer: session })
}

const NewTicket = z.object({ ticket: z.string() })

export const checkTicket = async (parts: Parts, signal: AbortSignal): Promise<string> => {
  const { send, created } = parts
  const { ticket } = readBody(await asUser(parts)('POST', '/api/2/auth/ticket', { signal }), NewTicket)
  const check = () => send('POST', '/api/2/auth/ticket/check', { signal, body: { ticket } })
  const { id } = readBody(await check(), WithId)
  if (created.session !== undefined && id !== created.userId)
    throw new Failed('The ticket was exchanged for another user.')
  const again = await check()
  if (again.status !== 404) throw new Failed(`For the second exchange: ${describeAnswer(again)}`)
  return 'The second exchange was refused.'
}

const NewJwt = z.object({ token: z.string() })

/** Verifies the JWT as products do. */
export const checkJwt = async (parts: Parts, signal: AbortSignal): Promise<string> => {
  const { send, origin } = parts
  const { token } = readBody(await asUser(parts)('POST', '/api/2/auth/jwt', { signal }), NewJwt)
  const verifyToken = createVerifyToken({
    baseUrl: origin,
    audience: origin,
    // The check of the clock reports a difference.
    clockToleranceSeconds: 60,
    fetch: async () => {
      const { status, text } = await send('GET', '/.well-known/jwks.json', { signal })
      return new Response(text, { status })
    },
  })
  try {
    await verifyToken(token)
    return 'The public keys verify it.'
  } catch (error) {
    if (!(error instanceof AccessError)) throw error
    throw new Failed(`The JWT is not valid: ${getErrorMessage(error.cause ?? error)}.`)
  }
}

const linkLifetimeMs = 10 * 60_000

const NewLink: z.ZodMiniType<Link> = z.object({ id: z.int(), token: z.string() })

export const checkLink = async ({ send, asAdmin, created }: Parts, signal: AbortSignal): Promise<string> => {
  const body = {
    bundles: [],
    directories: [1],
    permissions: {},
    view_limit: 1,
    // It ends soon even if it cannot be deleted.
    expires: new Date(Date.now() + linkLifetimeMs).toISOString(),
  }
  const creating = asAdmin('POST', '/api/2/auth/access-tokens', { signal: uninterrupted, body })
  created.requestedLink = creating.then((answer) => {
    if (answer.status === 403) throw new Skipped(describeAnswer(answer))
    return readBody(answer, NewLink)
  })
  created.link = await created.requestedLink
  const found = await send('GET', `/api/2/auth/access-tokens/get/${created.link.token}`, { signal })
  readBody(found, z.unknown())
  return 'It shares a directory that does not exist, for ten minutes.'
}

export const checkMail = async (
  { asAdmin, created, mailTo }: Parts,
  signal: AbortSignal,
): Promise<string> => {
  if (mailTo === undefined)
    throw new Skipped('Pass --mail-to with the address of a mailbox that you can read.')
  if (created.link === undefined) throw new Skipped('There is no access link to send.')
  const path = `/api/2/auth/access-tokens/${created.link.id}/email`
  const body = {
    email: mailTo,
    subject: 'Latchkey works',
    text: 'This tests a new service. The link has ended.',
  }
  const answer = await asAdmin('POST', path, { signal, body })
  if (answer.status !== 204) throw new Failed(describeAnswer(answer))
  return 'SES accepted an email. Look for it in the mailbox, also in the folder for spam.'
}

const Users = z.array(z.object({ id: z.int(), username: z.string() }))
const attempts = 3

/** Deletes the user by name if the answer with the ID was lost. Such a link ends after ten minutes. */
export const cleanUp = async ({ asAdmin, created }: Parts, signal: AbortSignal): Promise<string> => {
  const { username, requestedUser, requestedLink } = created
  if (!requestedUser && !requestedLink) throw new Skipped('Nothing was created.')
  const remove = async (path: string): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await asAdmin('DELETE', path, { signal })
      if (answer.status === 204 || answer.status === 404) return
      if (attempt === attempts || answer.status < 500) throw new Failed(describeAnswer(answer))
    }
  }
  const removeUser = async (): Promise<void> => {
    if (!requestedUser) return
    const id = await requestedUser.catch(async () => {
      const answer = await asAdmin('GET', `/api/2/users?username=${username}`, { signal })
      return readBody(answer, Users).find((one) => one.username === username)?.id
    })
    if (id !== undefined) await remove(`/api/2/users/${id}`)
  }
  const removeLink = async (): Promise<void> => {
    const link = await requestedLink?.catch(() => undefined)
    if (link) await remove(`/api/2/auth/access-tokens/${link.id}`)
  }
  const results = await Promise.allSettled([removeUser(), removeLink()])
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return 'Nothing remains.'
}
