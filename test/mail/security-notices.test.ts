import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { buildSecurityNoticeStep } from '../../lib/accounts/outbox/security-notices.ts'
import { enableSecondFactor } from '../support/authenticator.ts'
import type { Answer, RequestOptions } from '../support/client.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const newPassword = 'a much longer passphrase than before'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const addOwner = () => addSignedIn(service, { email: `${randomUUID()}@example.com` })
const send = async (method: string, path: string, options: RequestOptions): Promise<Answer> => {
  const answer = await service.client(method, path, { headers: { 'user-agent': firefox }, ...options })
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
  return answer
}
const readMail = ({ user }: Pick<SignedInPerson, 'user'>) => service.mailbox.mailTo(user.email)
const listSubjects = ({ user }: Pick<SignedInPerson, 'user'>): readonly string[] =>
  service.mailbox.mailsTo(user.email).map(({ subject }) => subject)
const createToken = ({ bearer }: SignedInPerson, name = 'CI') =>
  send('POST', '/api/2/api-tokens', { bearer, body: { name } })

describe('a security email', () => {
  it('says what changed, when, from where, and for which account', async () => {
    const person = await addOwner()
    await createToken(person)
    const { subject, text, html } = await readMail(person)
    expect(subject).toBe('An API token was created – Latchkey')
    for (const part of [person.user.username, '127.0.0.1, Firefox on Windows', 'UTC']) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
  })

  it('repeats no text that a thief wrote', async () => {
    const person = await addOwner()
    const userAgent = 'Call https://evil.example Chrome/1.0'
    await send('POST', '/api/2/api-tokens', {
      bearer: person.bearer,
      body: { name: 'https://evil.example' },
      headers: { 'user-agent': userAgent },
    })
    const { text, html } = await readMail(person)
    expect(text).toContain('127.0.0.1, Chrome')
    expect(text + html).not.toContain('evil.example')
  })

  it.each<[string, (person: SignedInPerson) => Promise<unknown>]>([
    [
      'Your password was changed – Latchkey',
      ({ bearer, password }) =>
        send('POST', '/api/2/users/me/password', {
          bearer,
          body: { current_password: password, password: newPassword },
        }),
    ],
    [
      'Your password was changed – Latchkey',
      ({ user, password }) =>
        send('POST', '/api/2/auth/login', {
          body: { username: user.username, password, new_password: newPassword },
        }),
    ],
    [
      'An administrator set a new password for you – Latchkey',
      ({ user }) =>
        send('POST', `/api/2/users/${user.id}/password`, {
          bearer: admin.bearer,
          body: { password: newPassword },
        }),
    ],
    [
      'Your email address was changed – Latchkey',
      ({ user }) =>
        send('PATCH', `/api/2/users/${user.id}`, {
          bearer: admin.bearer,
          body: { email: `${randomUUID()}@example.com` },
        }),
    ],
    [
      'Your email address was changed – Latchkey',
      ({ user }) => send('PATCH', `/api/2/users/${user.id}`, { bearer: admin.bearer, body: { email: null } }),
    ],
    ['Your second factor was turned on – Latchkey', (person) => enableSecondFactor(service, person)],
  ])('is sent to the previous address: %s', async (subject, change) => {
    const person = await addOwner()
    await change(person)
    // A sign-in with a new password can also be one from a new device.
    await expect.poll(() => listSubjects(person)).toContain(subject)
  })

  it('is sent after a reset with a link', async () => {
    const person = await addOwner()
    await send('POST', '/api/2/auth/reset-password/request', { body: { username: person.user.username } })
    const token = /#token=(\S+)/.exec((await readMail(person)).text)?.[1]
    await send('POST', '/api/2/auth/reset-password', { body: { token, password: newPassword } })
    await expect.poll(() => listSubjects(person)).toContain('Your password was reset – Latchkey')
  })

  it('is sent for a used recovery code and a removed second factor', async () => {
    const person = await addOwner()
    const { recoveryCodes } = await enableSecondFactor(service, person)
    const path = `/api/2/users/${person.user.id}/totp?otp=${recoveryCodes[0]}`
    await send('DELETE', path, { bearer: person.bearer })
    await expect
      .poll(() => listSubjects(person))
      .toEqual(
        expect.arrayContaining([
          'A recovery code was used – Latchkey',
          'Your second factor was turned off – Latchkey',
        ]),
      )
  })

  it('names an administrator without their address', async () => {
    const person = await addOwner()
    const { bearer } = admin
    await send('POST', `/api/2/users/${person.user.id}/password`, { bearer, body: { password: newPassword } })
    const { text } = await readMail(person)
    expect(text).toContain('By: an administrator')
    expect(text).not.toContain('127.0.0.1, ')
  })

  it('is not sent for a change that keeps the address', async () => {
    const person = await addOwner()
    const email = (person.user.email ?? '').replace(/^[^@]+/, (name) => name.toUpperCase())
    await send('PATCH', `/api/2/users/${person.user.id}`, { bearer: admin.bearer, body: { email } })
    await createToken(person)
    const { subject } = await service.mailbox.mailTo(email)
    expect([subject, ...listSubjects(person)]).toEqual(['An API token was created – Latchkey'])
  })

  it('has no recipient for guests and users without an address that mail can be sent to', async () => {
    const { user } = await addOwner()
    const context = { address: '127.0.0.1', userAgent: '', requestId: 'r', actor: null, at: 0 }
    const build = (fields: object) =>
      buildSecurityNoticeStep(service.services, context, { ...user, ...fields }, { kind: 'password_set' })
    expect(build({})).toHaveLength(1)
    expect([
      ...build({ email: null }),
      ...build({ email: 'not an address' }),
      ...build({ isGuest: true, is_external: true }),
      ...build({ emailVerified: false }),
    ]).toEqual([])
  })

  it('is not sent again if the response of the mail service was lost, and later emails are sent', async () => {
    const [person, other] = [await addOwner(), await addOwner()]
    service.mailbox.loseNext(1)
    await createToken(person)
    await readMail(person)
    await createToken(other)
    await readMail(other)
    expect(listSubjects(person)).toHaveLength(1)
  })

  it('cannot flood a mailbox, and a flood does not hide a change of another kind', async () => {
    const person = await addOwner()
    for (let at = 0; at < 9; at++) await createToken(person, `token ${at}`)
    await enableSecondFactor(service, person)
    await expect.poll(() => listSubjects(person)).toContain('Your second factor was turned on – Latchkey')
    expect(
      listSubjects(person).filter((subject) => subject === 'An API token was created – Latchkey'),
    ).toHaveLength(5)
  })
})
