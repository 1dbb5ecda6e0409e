import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { acceptInvitation, storeInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { askOldSystemAt, startOldSystem } from '../support/old-system.ts'
import { addSignedIn, callAs, type Person } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const old = closeAfterTests(await startOldSystem())

/* Who decides that the old system knows a password, and what ends that, also while the old system is asked. */

const service = await useService(askOldSystemAt(old.url))
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => old.answerTruly())

const login = (username: string, password: string) =>
  service.client('POST', '/api/2/auth/login', { body: { username, password } })
const signIn = ({ user, password }: Person) => login(user.username, password)
const stored = ({ user }: Person) => findUser(service.services.table, user.id)
const addUser = () => old.addUser(service, { email: `${randomUUID()}@example.com` })
const byAdmin = callAs(service, admin)
const chosen = () => `Password of ${randomUUID()}`

/** Does something while the old system is asked, and returns the status of the sign-in. */
const during = async (person: Person, act: () => Promise<unknown>): Promise<number> => {
  old.behave(async (_, response) => {
    old.answerTruly()
    await act()
    response.end('{"is_correct": true}')
  })
  return (await signIn(person)).status
}

describe('another password', () => {
  const ways: Record<string, (person: Person, password: string) => Promise<unknown>> = {
    'from an administrator': ({ user }, password) =>
      byAdmin('POST', `/api/2/users/${user.id}/password`, { password }),
    'by a reset link': async ({ user }, password) => {
      const body = { username: user.username }
      await service.client('POST', '/api/2/auth/reset-password/request', { body })
      const token = await readMailedToken(service, user.email ?? '', 'reset')
      await service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })
    },
    'with an invitation': async ({ user }, password) =>
      acceptInvitation(service, await storeInvitation(service, user.id), password),
  }

  it.each(Object.entries(ways))('%s ends the part of the old system', async (_, setPassword) => {
    const [person, password] = [await addUser(), chosen()]
    await setPassword(person, password)
    expect(await stored(person)).not.toHaveProperty('legacySignIn')
    expect((await signIn(person)).status).toBe(401)
    expect((await login(person.user.username, password)).status).toBe(200)
    expect(old.questionsAbout(person)).toEqual([])
  })

  it.each(Object.entries(ways))('%s wins over the old one that is being checked', async (_, setPassword) => {
    const [person, password] = [await addUser(), chosen()]
    expect(await during(person, () => setPassword(person, password))).toBe(401)
    expect((await signIn(person)).status).toBe(401)
    expect((await login(person.user.username, password)).status).toBe(200)
    expect(old.questionsAbout(person)).toHaveLength(1)
  })
})

describe('a password that was removed', () => {
  it('does not work again at the old system, before or after it was taken over', async () => {
    for (const signsInFirst of [false, true]) {
      const person = await addUser()
      if (signsInFirst) expect((await signIn(person)).status).toBe(200)
      const user = await stored(person)
      if (user) await editUserEndingSessions(service.services.table, user, { passwordHash: null })
      expect((await signIn(person)).status).toBe(401)
      expect(old.questionsAbout(person)).toHaveLength(signsInFirst ? 1 : 0)
    }
  })
})

describe('while the old system is asked', () => {
  it.each<[string, number, (person: Person) => Promise<unknown>]>([
    [
      'a disabled user',
      401,
      ({ user }) => byAdmin('PATCH', `/api/2/users/${user.id}`, { is_enabled: false }),
    ],
    ['a deleted user', 401, ({ user }) => byAdmin('DELETE', `/api/2/users/${user.id}`)],
    ['a user whose sessions end', 200, ({ user }) => byAdmin('DELETE', `/api/2/users/${user.id}/sessions`)],
    ['a renamed user', 200, ({ user }) => byAdmin('PATCH', `/api/2/users/${user.id}`, { full_name: 'Ada' })],
  ])('%s gets %i, and the old system hears one question', async (_, status, act) => {
    const person = await addUser()
    expect(await during(person, () => act(person))).toBe(status)
    expect(old.questionsAbout(person)).toHaveLength(1)
    expect((await stored(person))?.passwordHash ?? null).toEqual(status === 200 ? expect.any(String) : null)
  })

  it('a password that another sign-in takes over is not stored again', async () => {
    const person = await addUser()
    expect(await during(person, async () => expect((await signIn(person)).status).toBe(200))).toBe(200)
    const first = (await stored(person))?.passwordHash
    expect((await signIn(person)).status).toBe(200)
    expect((await stored(person))?.passwordHash).toBe(first)
  })
})

describe('the mark', () => {
  it('is shown to administrators until the first sign-in, and an edit keeps it', async () => {
    const person = await addUser()
    const path = `/api/2/users/${person.user.id}`
    const { body } = await byAdmin('GET', path)
    expect(body).toMatchObject({ has_password: false, has_legacy_password: true })
    expect((await byAdmin('PUT', path, { ...body, full_name: 'Ada' })).status).toBe(200)
    expect((await byAdmin('PUT', path, { ...body, has_legacy_password: false })).status).toBe(200)
    expect((await byAdmin('GET', path)).body).toMatchObject({ has_legacy_password: true })
    const answer = await signIn(person)
    expect(answer.status).toBe(200)
    expect(answer.body.user).not.toHaveProperty('has_legacy_password')
    const after = (await byAdmin('GET', path)).body
    expect(after).toMatchObject({ has_password: true })
    expect(after).not.toHaveProperty('has_legacy_password')
  })

  const fields = [
    'legacySignIn',
    'legacy_sign_in',
    'has_legacy_password',
    'password_check',
    'legacy_password',
  ]

  it('is about the user whom the import named, also after a manager gave them other names', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:view', 'users:manage'] })
    const [person, thief] = [await addUser(), await addUser()]
    const { username, email } = thief.user
    const patch = (id: number, body: object) =>
      service.client('PATCH', `/api/2/users/${id}`, { bearer: manager.bearer, body })
    expect((await patch(thief.user.id, { username: `user-${randomUUID()}`, email: null })).status).toBe(200)
    expect((await patch(person.user.id, { username })).status).toBe(200)
    expect((await login(username, thief.password)).status).toBe(401)
    expect((await login(username, person.password)).status).toBe(200)
    const asked = old.questions.slice(-2).map((question) => [question.username, question.email])
    expect(asked).toEqual(Array(2).fill([person.user.username, person.user.email]))
    expect(email).not.toBeNull()
  })

  it('cannot be set or ended by users and administrators', async () => {
    const [person, marked] = [await addSignedIn(service), await addUser()]
    await editUser(service.services.table, person.user, { passwordHash: null })
    for (const field of fields)
      for (const value of [true, 'legacy'])
        for (const [method, path, bearer] of [
          ['PATCH', '/api/2/users/me', person.bearer],
          ['PATCH', `/api/2/users/${person.user.id}`, admin.bearer],
          ['PATCH', `/api/2/users/${marked.user.id}`, admin.bearer],
          ['POST', '/api/2/users', admin.bearer],
        ] as const) {
          const body = { username: `user-${randomUUID()}`, full_name: 'Ada', [field]: value }
          const { status } = await service.client(method, path, { bearer, body })
          expect([200, 201, 400]).toContain(status)
        }
    expect(await stored(person)).not.toHaveProperty('legacySignIn')
    expect(await stored(marked)).toMatchObject({ legacySignIn: expect.anything() })
    expect((await signIn(person)).status).toBe(401)
    expect(old.questionsAbout(person)).toEqual([])
  })
})
