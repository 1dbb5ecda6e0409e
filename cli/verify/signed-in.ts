import { randomBytes, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type Check, Failed, Skipped } from './check.ts'
import { type Answer, describeAnswer, type RequestOptions, readBody, type Send } from './request.ts'
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
  readonly checks: readonly Check[]
  /** Deletes what they created. It runs last, with a signal that nothing aborts. */
  readonly cleanUp: Check
  /** What must not get into a report. */
  readonly secrets: () => readonly string[]
}

export const buildSignedInChecks = ({ origin, send, token, mailTo }: SignedInOptions): SignedInChecks => {
  const created: Created = {
    username: `latchkey-verify-${randomUUID()}`,
    // Some policies require several kinds of characters.
    password: `${randomBytes(24).toString('base64url')}aA1!`,
  }
  const asAdmin = (method: string, path: string, options: RequestOptions): Promise<Answer> => {
    if (token === undefined)
      throw new Skipped('Set LATCHKEY_TOKEN to a session or an API token of an administrator.')
    return send(method, path, { ...options, bearer: token })
  }
  const parts = { origin, send, asAdmin, created, mailTo }
  const check = checkWith(parts)
  return {
    checks: buildChecks(parts),
    cleanUp: check(
      'clean-up: Deletion of user and link',
      `Delete the user ${created.username} in the console, at ${origin}/admin.`,
      'docs/deploy.md#check-the-deployment',
      cleanUp,
    ),
    secrets: () => [created.password, created.session ?? '', created.link?.token ?? ''],
  }
}

/** Creates checks with an ID and a title. */
const checkWith =
  (parts: Parts) =>
  (
    name: `${string}: ${string}`,
    advice: string,
    docs: Check['docs'],
    run: (parts: Parts, signal: AbortSignal) => Promise<string>,
  ): Check => {
    const [id = '', title = ''] = name.split(': ')
    return { id, area: 'signed in', title, advice, docs, run: (signal) => run(parts, signal) }
  }

const buildChecks = (parts: Parts): readonly Check[] => {
  const check = checkWith(parts)
  return [
    check(
      'administrator: Administrator of LATCHKEY_TOKEN',
      'Sign in again, or create an API token without scopes, as a user with system:admin-access.',
      'docs/getting-started.md#sign-in',
      checkAdministrator,
    ),
    check(
      'parts: Parts of the service',
      'Look for health.failing in the log of the function health. Email needs the setting mailFrom.',
      'docs/operate.md#watch',
      checkParts,
    ),
    check(
      'lists: Lists, and the grants behind them',
      'Look for AccessDeniedException in the logs. Until the cause is known, deploy with wholeTableGrants.',
      'docs/operate.md#calls-that-dynamodb-refuses',
      checkLists,
    ),
    check(
      'user: Creation of a user',
      'Look at the log of the function users.',
      'docs/operate.md#requests-that-fail',
      createUser,
    ),
    check(
      'sign-in: Sign-in of the user',
      'Look at the logs of the functions passwords and sessions.',
      'docs/operate.md#requests-that-fail',
      checkSignIn,
    ),
    check(
      'ticket: Ticket',
      'Look at the log of the function tickets.',
      'docs/operate.md#requests-that-fail',
      checkTicket,
    ),
    check(
      'jwt: Signature of a JWT',
      'Look at the logs of the functions oidc and signing-keys.',
      'docs/operate.md#jwts-that-cannot-be-signed',
      checkJwt,
    ),
    check(
      'access-link: Access link',
      'Look at the log of the function access-tokens.',
      'docs/operate.md#requests-that-fail',
      checkLink,
    ),
    check(
      'mail: Email',
      'SES must have verified mailFrom, and your account must be outside of the SES sandbox, or have verified the recipient.',
      'docs/deploy.md#email',
      checkMail,
    ),
  ]
}

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
const checkLists = async ({ asAdmin }: Parts, signal: AbortSignal): Promise<string> => {
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
