import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endAllSessions } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { freeLoginFailures } from '../../lib/kernel/limits/limits.ts'
import { addPerson, type Person, trySignIn } from '../support/people.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'

const bcrypt = vi.hoisted(() => ({ calls: 0 }))
vi.mock('bcryptjs', async (importOriginal) => {
  const original = await importOriginal<typeof import('bcryptjs')>()
  const counted =
    <Input extends readonly unknown[], Output>(work: (...input: Input) => Output) =>
    (...input: Input): Output => {
      bcrypt.calls += 1
      return work(...input)
    }
  return {
    ...original,
    hash: counted((password: string, cost: number) => original.hash(password, cost)),
    compare: counted((password: string, hash: string) => original.compare(password, hash)),
  }
})

const service = await useWatchedService()
afterEach(() => service.restore())

const login = ({ user, password }: Person, more: object = {}) => trySignIn(service, { user, password }, more)

/** Another administrator ends the sessions of the user just before each of these sign-ins is stored. */
const loseRaces = ({ user }: Person, count: number): void => {
  const isSignIn = hasStep('Put', `user#${user.id}`)
  let left = count
  service.watch(async (call) => {
    if (left > 0 && isSignIn(call)) {
      left -= 1
      await endAllSessions(service.services.table, user, [])
    }
    return undefined
  })
}

const isStoredFailure = async (person: Person): Promise<boolean> => {
  const admin = await addPerson(service, { permissions: ['system:admin-access'] })
  const bearer = (await login(admin)).body.session_key
  const { body } = await service.client('GET', `/api/2/auth/audit-events?user=${person.user.id}`, { bearer })
  return body.some(({ event }: { event: string }) => event === 'login.failed')
}

describe('a sign-in with the right password whose account keeps changing', () => {
  let person: Person
  beforeEach(async () => {
    person = await addPerson(service)
  })

  it('succeeds after losing four races', async () => {
    loseRaces(person, 4)
    expect((await login(person)).status).toBe(200)
  })

  it('is answered as a conflict after losing five races, not as a wrong password', async () => {
    loseRaces(person, 5)
    const answer = await login(person)
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'conflict',
      detail: 'The account kept changing while you signed in. Try again.',
    })
    expect(answer.cookies).toEqual([])
    expect(await isStoredFailure(person)).toBe(false)
  })

  it('never delays the next sign-in', async () => {
    for (let round = 0; round <= freeLoginFailures; round++) {
      loseRaces(person, 5)
      expect((await login(person)).status).toBe(409)
    }
    service.restore()
    expect((await login(person)).status).toBe(200)
  })

  it('succeeds although later guesses reached the limit, because it was counted before them', async () => {
    const isSignIn = hasStep('Put', `user#${person.user.id}`)
    service.justBefore(isSignIn, async () => {
      for (let guess = 0; guess <= freeLoginFailures; guess++)
        await login({ ...person, password: 'a wrong password' })
      await endAllSessions(service.services.table, person.user, [])
    })
    expect((await login(person)).status).toBe(200)
  })

  it('checks the password with bcrypt only once', async () => {
    loseRaces(person, 5)
    bcrypt.calls = 0
    expect((await login(person)).status).toBe(409)
    expect(bcrypt.calls).toBe(1)
  })

  it('hashes a new password only once', async () => {
    loseRaces(person, 4)
    bcrypt.calls = 0
    expect((await login(person, { new_password: 'another long passphrase' })).status).toBe(200)
    expect(bcrypt.calls).toBe(2)
  })

  it('checks the password again when the password was changed', async () => {
    const newPassword = 'another long passphrase'
    const isSignIn = hasStep('Put', `user#${person.user.id}`)
    service.justBefore(isSignIn, async () => {
      expect((await login(person, { new_password: newPassword })).status).toBe(200)
    })
    const answer = await login(person)
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ code: 'login_failed', reason: 'invalid_credentials' })
    expect(await isStoredFailure(person)).toBe(true)
  })
})
