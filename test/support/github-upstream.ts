import { randomInt, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { listenOnLoopback } from './listen-on-loopback.ts'
import { clientId, clientSecret } from './oidc-upstream.ts'

/*
 * GitHub on loopback, which can be made to misbehave. What it answers follows "Authorizing OAuth apps", "Get the authenticated user" and
 * "List email addresses for the authenticated user" at docs.github.com, as read in November 2026. Errors of the token endpoint have status 200.
 */

type Json = Readonly<Record<string, unknown>>

interface GithubBehavior {
  /** What answers have instead. Undefined leaves a field out. */
  readonly token?: Json
  readonly user?: unknown
  readonly emails?: unknown
  /** The status of each endpoint. */
  readonly statuses?: Readonly<Partial<Record<'token' | 'user' | 'emails', number>>>
}

export interface GithubAccount {
  readonly user: Json
  readonly emails: readonly Json[]
}

export interface TestGithub {
  readonly issuer: string
  /** The requests of the service, by path. */
  readonly requests: {
    readonly path: string
    readonly authorization: string
    readonly body: URLSearchParams
  }[]
  behave: (behavior: GithubBehavior) => void
  /** Signs an account in at an authorization request, and returns the answer for the browser. */
  readonly authorize: (location: string, account: GithubAccount) => URL
  readonly close: () => Promise<void>
}

/** An account with a confirmed address that is not public. */
export const newGithubAccount = (
  user: Json = {},
  emails?: readonly Json[],
): GithubAccount & { readonly email: string } => {
  const email = `${randomUUID()}@example.com`
  return {
    email,
    user: {
      login: `octo-${randomUUID().slice(0, 8)}`,
      id: randomInt(1, 2 ** 40),
      node_id: randomUUID(),
      type: 'User',
      name: 'Grace Hopper',
      email: null,
      ...user,
    },
    emails: emails ?? [
      { email: `other-${email}`, verified: true, primary: false, visibility: null },
      { email, verified: true, primary: true, visibility: 'private' },
    ],
  }
}

export const startGithub = async (): Promise<TestGithub> => {
  const codes = new Map<string, { readonly request: URLSearchParams; readonly account: GithubAccount }>()
  const tokens = new Map<string, GithubAccount>()
  const requests: TestGithub['requests'] = []
  let behavior: GithubBehavior = {}
  const exchange = async (body: URLSearchParams): Promise<Json> => {
    const found = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const digest = await crypto.subtle.digest('SHA-256', Buffer.from(body.get('code_verifier') ?? ''))
    if (body.get('client_id') !== clientId || body.get('client_secret') !== clientSecret)
      return { error: 'incorrect_client_credentials', error_description: 'The client_id is incorrect.' }
    if (
      found?.request.get('code_challenge') !== Buffer.from(digest).toString('base64url') ||
      found.request.get('redirect_uri') !== body.get('redirect_uri')
    )
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    const token = `gho_${randomUUID()}`
    tokens.set(token, found.account)
    return { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' }
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const path = (request.url ?? '').replace('/login/oauth', '')
      const { authorization = '' } = request.headers
      requests.push({ path, authorization, body })
      const send = (name: 'token' | 'user' | 'emails', json: unknown) =>
        void response
          .writeHead(behavior.statuses?.[name] ?? 200, { 'content-type': 'application/json; charset=utf-8' })
          .end(JSON.stringify(json))
      if (path === '/access_token')
        return void exchange(body).then((answer) => send('token', { ...answer, ...behavior.token }))
      const account = tokens.get(authorization.replace('Bearer ', ''))
      if (!account || !request.headers['user-agent']) return void response.writeHead(401).end('{}')
      if (path === '/api/user') return send('user', 'user' in behavior ? behavior.user : account.user)
      if (path === '/api/user/emails')
        return send('emails', 'emails' in behavior ? behavior.emails : account.emails)
      response.writeHead(404).end('{}')
    })
  })
  const { url, close } = await listenOnLoopback(server)
  return {
    issuer: `${url}/login/oauth`,
    requests,
    behave: (next) => {
      behavior = next
    },
    authorize: (location, account) => {
      const { searchParams } = new URL(location)
      const code = randomUUID()
      codes.set(code, { request: searchParams, account })
      const answer = new URL(searchParams.get('redirect_uri') ?? '')
      answer.searchParams.set('code', code)
      answer.searchParams.set('state', searchParams.get('state') ?? '')
      return answer
    },
    close,
  }
}
