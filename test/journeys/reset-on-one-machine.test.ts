import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { clientOf } from '../support/client.ts'
import { type LocalService, startService } from '../support/local-service.ts'
import { waitFor } from '../support/wait-for.ts'

const password = 'the first password of admin'
let service: LocalService
beforeAll(async () => {
  const port = await findFreePortPair()
  service = await startService({ PORT: String(port), DATA_DIR: ':memory:', ADMIN_PASSWORD: password })
})
afterAll(async () => {
  service.process.kill('SIGTERM')
  await service.exited
})

interface StoredMail {
  readonly destination: { readonly to: readonly string[] }
  readonly subject: string
  readonly body: { readonly text: string; readonly html: string }
}

/** The emails as the script of the mail page reads them. */
const mailTo = (address: string): Promise<StoredMail> =>
  waitFor(async () => {
    const response = await fetch(`http://127.0.0.1:${service.port + 1}/store`)
    const { emails } = (await response.json()) as { emails: StoredMail[] }
    const found = emails.findLast(({ destination }) => destination.to.includes(address))
    if (!found) throw new Error(`no email arrived for ${address}`)
    return found
  })

it('a user is invited, chooses a password by the emailed link, forgets it, and chooses another', async () => {
  const client = clientOf(service.url)
  const post = (path: string, body?: object, bearer?: string) =>
    client('POST', path, { body, ...(bearer ? { bearer } : {}) })
  const login = (username: string, secret: string) =>
    post('/api/2/auth/login', { username, password: secret })
  const reset = (token: string, secret: string) =>
    post('/api/2/auth/reset-password', { token, password: secret })
  const tokenOf = ({ body }: StoredMail) => /\/reset#token=(\S+)/.exec(body.text)?.[1]

  const admin = (await login('admin', password)).body.session_key
  const ada = { username: 'ada', email: 'ada@example.com', permissions: [], groups: [] }
  const { id } = (await post('/api/2/users', ada, admin)).body
  expect((await post(`/api/2/users/${id}/password/reset`, undefined, admin)).status).toBe(204)
  const invitation = await mailTo('ada@example.com')
  expect(invitation.body.html).toContain(`${service.url}/reset#token=`)
  expect((await reset(tokenOf(invitation) ?? '', 'my very first password')).status).toBe(204)
  const first = (await login('ada', 'my very first password')).body.session_key

  expect((await post('/api/2/auth/reset-password/request', { email: 'ADA@example.com' })).status).toBe(204)
  // The latest email can also be the one about the new password, which has no reset link.
  const firstToken = tokenOf(invitation)
  await expect.poll(async () => tokenOf(await mailTo('ada@example.com')) ?? firstToken).not.toBe(firstToken)
  const next = tokenOf(await mailTo('ada@example.com')) ?? ''
  expect((await reset(next, 'the password after that')).status).toBe(204)
  expect((await client('GET', '/api/2/users/me', { bearer: first })).status).toBe(401)
  expect((await login('ada', 'my very first password')).status).toBe(401)
  expect((await login('ada', 'the password after that')).status).toBe(200)
  expect(service.stdout()).not.toMatch(/lk[a-z]_[0-9A-Za-z]{20}/)
})
