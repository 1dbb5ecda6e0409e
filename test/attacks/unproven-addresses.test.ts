import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { passwordWork } from '../../lib/kernel/secrets/password-hashes.ts'
import { delegatePasswordWork } from '../../lib/kernel/secrets/passwords.ts'
import { acceptInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { storeSignInPolicy } from '../support/sign-in-policy.ts'
import { useService } from '../support/use-service.ts'

/* A password hash takes a third of a second, so nobody gets one before they prove that they read the emails of the address. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
await service.client('PUT', '/api/2/system/sign-up-policy', { bearer: admin.bearer, body: { mode: 'open' } })
const password = 'violet tractor under nine moons'
const post = (path: string, body: object) => service.client('POST', `/api/2/auth/${path}`, { body })

let hashes = 0
delegatePasswordWork({
  hash: (...given) => {
    hashes += 1
    return passwordWork.hash(...given)
  },
  verify: (...given) => {
    hashes += 1
    return passwordWork.verify(...given)
  },
})
afterAll(() => delegatePasswordWork(passwordWork))
beforeEach(() => {
  hashes = 0
})

describe('before an address is proven', () => {
  it('no password of a new account is hashed', async () => {
    const email = `${randomUUID()}@example.com`
    expect((await post('sign-up', { email })).status).toBe(204)
    const token = await readMailedToken(service, email, 'sign-up')
    const forged = mintCredential('sign_up').value
    expect((await post('sign-up/complete', { token: forged, full_name: 'Grace Hopper' })).status).toBe(400)
    for (const invented of [
      mintCredential('invitation', 1).value,
      mintCredential('invitation', 999).value,
      token,
    ])
      expect((await acceptInvitation(service, invented, password)).status).toBe(400)
    expect(hashes).toBe(0)
    const { body } = await post('sign-up/complete', { token, full_name: 'Grace Hopper' })
    expect(hashes).toBe(0)
    expect((await acceptInvitation(service, body.invitation_token, password)).status).toBe(200)
    expect(hashes).toBe(1)
  })

  it('no new password of an account is hashed', async () => {
    const email = `${randomUUID()}@example.com`
    const { user } = await addPerson(service, { email })
    hashes = 0
    expect((await post('reset-password/request', { username: user.username })).status).toBe(204)
    const token = await readMailedToken(service, email, 'reset')
    const forged = mintCredential('reset_token', user.id).value
    for (const invented of [forged, 'lkr_nonsense', `${token}x`])
      expect((await post('reset-password', { token: invented, password })).status).toBe(400)
    expect(hashes).toBe(0)
    expect((await post('reset-password', { token, password })).status).toBe(204)
    expect(hashes).toBeGreaterThan(0)
  })

  it('no password is needed for a code', async () => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const { user } = await addPerson(service, { email: `${randomUUID()}@example.com` })
    hashes = 0
    const { body } = await post('email-code', { username: user.username })
    expect((await post('email-code/login', { request_id: body.request_id, code: '00000000' })).status).toBe(
      401,
    )
    expect(hashes).toBe(0)
  })
})
