import { randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { describeAnswer, readBody, type Send } from './request.ts'
import {
  type Created,
  checkJwt,
  checkLink,
  checkMail,
  checkSignIn,
  checkTicket,
  cleanUp,
  createUser,
  type Parts,
} from './throw-away-user.ts'

/*
 * The checks that act as an administrator. They create a user and an access link, which the last check deletes, also
 * after a failure, a timeout or Ctrl-C.
 */

export interface SignedInOptions {
  readonly origin: string
  readonly send: Send
  /** A session or an API token of an administrator. */
  readonly token: string | undefined
  /** The address that receives an access link. */
  readonly mailTo: string | undefined
}

export interface SignedInChecks {
  /** Run in this order, because each uses what an earlier one created. */
  readonly checks: readonly AreaCheck[]
  /** Deletes what they created. It runs last, with a signal that nothing aborts. */
  readonly cleanUp: AreaCheck
  /** What must not get into a report. */
  readonly secrets: () => readonly string[]
}

export const buildSignedInChecks = ({ origin, send, token, mailTo }: SignedInOptions): SignedInChecks => {
  const created: Created = {
    username: `latchkey-verify-${randomUUID()}`,
    // Some policies require several kinds of characters.
    password: `${randomBytes(24).toString('base64url')}aA1!`,
  }
  const asAdmin = createAdminSend(send, token)
  const parts = { origin, send, asAdmin, created, mailTo }
  return {
    checks: buildChecks(parts),
    cleanUp: {
      id: 'clean-up',
      title: 'Deletion of user and link',
      advice: `Delete the user ${created.username} in the console, at ${origin}/admin.`,
      docs: 'docs/deploy.md#check-the-deployment',
      run: (signal) => cleanUp(parts, signal),
    },
    secrets: () => [created.password, created.session ?? '', created.link?.token ?? ''],
  }
}

/** @throws Skipped without a credential */
export const createAdminSend =
  (send: Send, token: string | undefined): Send =>
  (method, path, options) => {
    if (token === undefined)
      throw new Skipped('Set LATCHKEY_TOKEN to a session or an API token of an administrator.')
    return send(method, path, { ...options, bearer: token })
  }

const buildChecks = (parts: Parts): readonly AreaCheck[] => [
  {
    id: 'administrator',
    title: 'Administrator of LATCHKEY_TOKEN',
    advice: 'Sign in again, or create an API token without scopes, as a user with system:admin-access.',
    docs: 'docs/getting-started.md#sign-in',
    run: (signal) => checkAdministrator(parts, signal),
  },
  {
    id: 'parts',
    title: 'Parts of the service',
    advice: 'Look for health.failing in the log of the function health. Email needs the setting mailFrom.',
    docs: 'docs/operate.md#watch',
    run: (signal) => checkParts(parts, signal),
  },
  {
    id: 'lists',
    title: 'Lists, and the grants behind them',
    advice:
      'Look for AccessDeniedException in the logs. Until the cause is known, deploy with wholeTableGrants.',
    docs: 'docs/operate.md#calls-that-dynamodb-refuses',
    run: (signal) => checkLists(parts, signal),
  },
  {
    id: 'user',
    title: 'Creation of a user',
    advice: 'Look at the log of the function users.',
    docs: 'docs/operate.md#requests-that-fail',
    run: () => createUser(parts),
  },
  {
    id: 'sign-in',
    title: 'Sign-in of the user',
    advice: 'Look at the logs of the functions passwords and sessions.',
    docs: 'docs/operate.md#requests-that-fail',
    run: (signal) => checkSignIn(parts, signal),
  },
  {
    id: 'ticket',
    title: 'Ticket',
    advice: 'Look at the log of the function tickets.',
    docs: 'docs/operate.md#requests-that-fail',
    run: (signal) => checkTicket(parts, signal),
  },
  {
    id: 'jwt',
    title: 'Signature of a JWT',
    advice: 'Look at the logs of the functions oidc and signing-keys.',
    docs: 'docs/operate.md#jwts-that-cannot-be-signed',
    run: (signal) => checkJwt(parts, signal),
  },
  {
    id: 'access-link',
    title: 'Access link',
    advice: 'Look at the log of the function access-links.',
    docs: 'docs/operate.md#requests-that-fail',
    run: (signal) => checkLink(parts, signal),
  },
  {
    id: 'mail',
    title: 'Email',
    advice:
      'SES must have verified mailFrom, and your account must be outside of the SES sandbox, or have verified the recipient.',
    docs: 'docs/deploy.md#email',
    run: (signal) => checkMail(parts, signal),
  },
]

const Caller = z.object({ id: z.int(), effective_permissions: z.array(z.string()) })

const checkAdministrator = async ({ asAdmin }: Parts, signal: AbortSignal): Promise<string> => {
  const answer = await asAdmin('GET', '/api/2/users/me', { signal })
  const { effective_permissions: rights } = readBody(answer, Caller)
  if (!rights.includes('system:admin-access'))
    throw new Failed('The user does not have the permission system:admin-access.')
  return 'The service accepts it.'
}

const DeepHealth = z.object({ checks: z.array(z.object({ name: z.string(), status: z.string() })) })

const checkParts = async ({ asAdmin }: Parts, signal: AbortSignal): Promise<string> => {
  const answer = await asAdmin('GET', '/api/2/health?deep=true', { signal })
  const isReport = answer.status === 503 && answer.text.includes('"checks"')
  const { checks } = readBody(isReport ? { ...answer, status: 200 } : answer, DeepHealth)
  const failing = checks.filter(({ status }) => status === 'failing').map(({ name }) => name)
  if (failing.length > 0) throw new Failed(`Not working: ${failing.join(', ')}.`)
  return `${checks.map(({ name, status }) => `${name} ${status}`).join(', ')}.`
}

const lists = [
  ...['users', 'groups', 'user-templates', 'oidc-clients', 'api-tokens/all', 'auth/access-tokens'],
  ...['auth/audit-events', 'auth/saml', 'auth/sessions', 'rate-limited', 'suppressed-addresses'],
] as const

/** Each list queries the index under another grant of its function, so a refused call shows as an answer of 500. */
export const checkLists = async (
  { asAdmin }: Pick<Parts, 'asAdmin'>,
  signal: AbortSignal,
): Promise<string> => {
  const answers = await Promise.all(
    lists.map(async (name) => [name, await asAdmin('GET', `/api/2/${name}?limit=1`, { signal })] as const),
  )
  const failing = answers.filter(([, { status }]) => status >= 500).map(([name]) => name)
  if (failing.length > 0) throw new Failed(`The service failed to list ${failing.join(', ')}.`)
  const readable = answers.filter(([, { status }]) => status === 200)
  const [, first] = answers.find(([, { status }]) => status !== 200) ?? []
  if (readable.length === 0 && first) throw new Skipped(describeAnswer(first))
  return `${readable.length} of ${lists.length} lists answered, so wholeTableGrants is not needed.`
}
