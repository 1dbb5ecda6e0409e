import { describe, expect, it } from 'vitest'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const commonError = expect.stringMatching(/common password or word/)
const contextError = expect.stringMatching(/variation of your name, or of the name or the domain/)
const service = await useService({
  // Nothing listens there, so only the offline list can answer.
  BREACH_ENDPOINT: 'http://127.0.0.1:1/range/',
  PUBLIC_URL: 'https://accounts.wonderland.example',
  MAIL_FROM: 'Looking Glass <no-reply@rabbits.example>',
  RATE_LIMITS: 'passwordToolUses=1000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const person = await addPerson(service, { full_name: 'Alice Pleasance Liddell' })

const setPassword = (password: string) =>
  service.client('POST', `/api/2/users/${person.user.id}/password`, {
    bearer: admin.bearer,
    body: { password },
  })
const listErrors = async (password: string): Promise<readonly string[]> => {
  const { status, body } = await setPassword(password)
  return status === 204 ? [] : body.errors.map(({ message }: { message: string }) => message)
}
const evaluate = async (password: string, policy: object): Promise<readonly string[]> =>
  (
    await service.client('POST', '/api/2/auth/evaluate-password', {
      bearer: admin.bearer,
      body: { password, custom_policy: policy },
    })
  ).body.errors

describe('a new password', () => {
  it.each([
    'passwordpassword',
    'Password1234!',
    'P@$$w0rd2026',
    'ＰＡＳＳＷＯＲＤ1234',
    '2024-Liverpool',
    '!!mississippi!!',
    'Extraordinary1',
    'c0mmun1c@t10n',
    'Washington2026',
  ])('like %s is rejected although the breach service does not respond', async (password) => {
    expect(await listErrors(password)).toEqual([commonError])
  })

  it.each([
    'vanish-kettle-orbits',
    'washington kettle',
    'love 8492 kettle',
    'abcd829104857261',
    '829104857261',
    'vanish kettle 4q'.repeat(60),
  ])('like %s is accepted', async (password) => {
    expect(await listErrors(password)).toEqual([])
  })

  it.each([
    'Latchkey2026!',
    'l4tchk3y12345',
    'LookingGlass1',
    'Looking Glass',
    'Wonderland123',
    'accounts.wonderland.example',
    'W0nd3rl@nd!!!',
    'rabbits.example1',
    'rabbits123456',
    'Pleasance1862',
    'L1DDELL!!1862',
  ])('like %s is rejected because it is a name of the service or the user', async (password) => {
    expect(await listErrors(password)).toContainEqual(contextError)
  })
})

describe('a password policy', () => {
  it('decides by `no_pwned` whether the offline list counts', async () => {
    expect(await evaluate('Password1234!', { no_pwned: true })).toEqual([commonError])
    for (const policy of [{}, { no_pwned: false }, { no_pwned: null }])
      expect(await evaluate('Password1234!', policy)).toEqual([])
  })

  it('of another product does not count the names of this service', async () => {
    expect(await evaluate('Wonderland123', { min_length: 8 })).toEqual([])
  })
})
