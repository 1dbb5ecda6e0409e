import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addPerson, addSignedIn, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ SESSION_LIFETIMES: 'users=86400/7200, administrators=3600/1200' })
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => vi.useRealTimers())

const passMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)
const status = async (bearer: string) => (await service.client('GET', '/api/2/users/me', { bearer })).status
const administrator = { permissions: ['system:admin-access'] }

/** How long a session works that is used again and again, in minutes. */
const measureLifetime = async (bearer: string, minutesBetween: number): Promise<number> => {
  for (let minutes = minutesBetween; minutes <= 1500; minutes += minutesBetween) {
    passMinutes(minutesBetween)
    if ((await status(bearer)) === 401) return minutes
  }
  throw new Error('the session does not end')
}

describe('sessions with the lifetimes of the settings', () => {
  it('end after the lifetime, that of administrators earlier', async () => {
    const [user, admin] = [await addSignedIn(service), await addSignedIn(service, administrator)]
    expect(await measureLifetime(admin.bearer, 10)).toBe(60)
    expect(await status(user.bearer)).toBe(200)
    expect(await measureLifetime(user.bearer, 60)).toBe(1380)
  })

  it('end without use, those of administrators earlier', async () => {
    const [user, admin] = [await addSignedIn(service), await addSignedIn(service, administrator)]
    passMinutes(21)
    expect([await status(user.bearer), await status(admin.bearer)]).toEqual([200, 401])
    passMinutes(121)
    expect(await status(user.bearer)).toBe(401)
  })

  it('are those of administrators for users whose group gave them the permission at the sign-in', async () => {
    const admin = await addSignedIn(service, administrator)
    const person = await addPerson(service)
    const before = await signIn(service, person)
    const group = await service.client('POST', '/api/2/groups', {
      bearer: admin.bearer,
      body: { name: 'administrators', ...administrator, members: [{ id: person.user.id }] },
    })
    expect(group.status).toBe(201)
    const after = await signIn(service, person)
    passMinutes(21)
    expect([await status(before), await status(after)]).toEqual([200, 401])
  })

  it('are those of administrators at once for a user who becomes one', async () => {
    const admin = await addSignedIn(service, administrator)
    const person = await addSignedIn(service)
    const changed = await service.client('PATCH', `/api/2/users/${person.user.id}`, {
      bearer: admin.bearer,
      body: administrator,
    })
    expect(changed.status).toBe(200)
    passMinutes(21)
    expect(await status(person.bearer)).toBe(401)
  })

  it('give the cookie the same age', async () => {
    const { user, password } = await addPerson(service)
    const answer = await trySignIn(service, { user, password })
    expect(answer.headers.get('set-cookie')).toContain('Max-Age=86400')
  })
})
