import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { mintCredential } from '../../lib/secrets/credentials.ts'
import { type Answer, clientOf, type RequestOptions } from '../support/client.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { shareSynthesis } from './synthesis.ts'

/*
 * Sends every kind of credential to every operation of the deployed template. Each function authenticates with the
 * permissions of its own role, and some credentials need more table calls than others.
 */

let deployment: Deployment
const bearers = new Map<string, string>()
const call = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(deployment.url)(method, path, options)

const signIn = async (): Promise<string> => {
  const { body } = await call('POST', '/api/2/auth/login', {
    body: { username: 'admin', password: adminPassword },
  })
  return body.session_key
}

beforeAll(async () => {
  deployment = await deploy(await shareSynthesis('full'), process.env['DYNAMODB_ENDPOINT'] ?? '')
  const [, firstAdmin] = [...deployment.functions].find(([id]) => id.startsWith('AuthFirstAdmin')) ?? []
  await firstAdmin?.invoke({
    RequestType: 'Create',
    ResponseURL: deployment.responseUrl,
    RequestId: 'Create',
  })
  const [, signingKeys] = [...deployment.functions].find(([id]) => id.startsWith('AuthSigningKeys')) ?? []
  await signingKeys?.invoke({})
  const bearer = await signIn()
  const chosen = randomBytes(32).toString('base64url')
  const made = await call('POST', '/api/2/api-tokens', { bearer, body: { name: 'chosen', token: chosen } })
  expect(made.status).toBe(201)
  const minted = await call('POST', '/api/2/api-tokens', { bearer, body: { name: 'minted' } })
  const { body: user } = await call('POST', '/api/2/users', {
    bearer,
    body: { username: 'ada', groups: [], permissions: [] },
  })
  const impersonating = await signIn()
  const started = await call('POST', '/api/2/auth/impersonation', {
    bearer: impersonating,
    body: { user: user.id },
  })
  expect(started.status).toBe(204)
  for (const [name, value] of [
    ['an API token with a chosen value', chosen],
    ['an API token', minted.body.token],
    ['an unknown value of the form of a chosen API token', randomBytes(32).toString('base64url')],
    ['an unknown session', mintCredential('session', 1).value],
    ['a session that impersonates a user', impersonating],
  ])
    bearers.set(name, value)
})
afterAll(() => deployment?.close())

const examples: Readonly<Record<string, string>> = { id: '999', flow: 'none' }
const fillIn = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name) => examples[name] ?? '999')

describe('no function fails to authenticate', () => {
  it.each([
    'an API token with a chosen value',
    'an API token',
    'an unknown value of the form of a chosen API token',
    'an unknown session',
    'a session that impersonates a user',
  ])('%s', async (name) => {
    const bearer = bearers.get(name) ?? ''
    // Operations that end the session or the impersonation come last.
    const last = operations.filter(({ endsSession }) => endsSession !== undefined)
    const failed: string[] = []
    for (const { id, method, path } of [...operations.filter((one) => !last.includes(one)), ...last]) {
      const { status } = await call(method, fillIn(path), {
        bearer,
        ...(method === 'GET' ? {} : { body: {} }),
      })
      if (status >= 500) failed.push(`${id}: ${status}`)
    }
    expect(failed).toEqual([])
    expect(deployment.takeDenials()).toEqual([])
  })
})

it('lets each function that authenticates read what chosen API tokens need', async () => {
  const bearer = bearers.get('an API token with a chosen value') ?? ''
  for (const path of ['/api/2/users/me', '/api/2/auth/audit-events', '/api/2/api-tokens', '/api/2/groups'])
    expect((await call('GET', path, { bearer })).status, path).toBe(200)
})

it('the function for leaked credentials may end each kind of them', async () => {
  const bearer = await signIn()
  const post = (path: string, body: object) => call('POST', `/api/2/${path}`, { bearer, body })
  const link = await post('auth/access-tokens', {
    bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/a' }],
  })
  await call('POST', '/api/2/auth/access-tokens/redeem', { body: { token: link.body.token } })
  const chosen = randomBytes(32).toString('base64url')
  await post('api-tokens', { name: 'chosen', token: chosen })
  const minted = await post('api-tokens', { name: 'minted' })
  const { ticket } = (await post('auth/ticket', {})).body
  for (const token of [ticket, chosen, minted.body.token, link.body.token, bearer]) {
    expect(token).toMatch(/^[\w-]{43,}$/)
    const reported = await call('POST', '/api/2/auth/leaked', { body: { token } })
    expect({ status: reported.status, text: reported.text }).toEqual({ status: 204, text: '' })
  }
  expect((await call('GET', '/api/2/users/me', { bearer })).status).toBe(401)
  const found = await call('GET', `/api/2/auth/access-tokens/get/${link.body.token}`)
  expect(found.status).toBe(404)
})
