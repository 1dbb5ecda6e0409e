import { randomInt, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { cpuMsOf, referenceMs } from '../support/cpu-time.ts'
import { acceptInvitation, storeInvitation } from '../support/invitations.ts'
import { readMailedToken } from '../support/mailed-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Users who choose what attackers try first, where the service cannot look passwords up in breaches. */

const service = await useService({
  BREACH_ENDPOINT: '',
  PUBLIC_URL: 'https://accounts.wonderland.example',
  RATE_LIMITS: 'passwordToolUses=10000/60',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const post = (path: string, body: object, bearer?: string): Promise<Answer> =>
  service.client('POST', `/api/2${path}`, { body, ...(bearer === undefined ? {} : { bearer }) })

const trivial = [
  'a'.repeat(15),
  ' '.repeat(15),
  '1'.repeat(15),
  'ä'.repeat(1024),
  '123456789012345',
  'abcdefghijklmno',
  'qwertyuiopasdfgh',
  'iloveyouiloveyou',
  'latchkeylatchkey',
  'letmeinletmein1',
  'correcthorsebatterystaple',
]

const alsoTrivial = [
  'abcabcabcabcabc',
  'abcd1234abcd1234',
  'zyxwvutsrqponmlk',
  '0123456789abcdef',
  '1q2w3e4r5t6y7u8i',
  '1qaz2wsx3edc4rfv',
  'qazwsxedcrfvtgb',
  'asdfghjklqwertyuiop',
  'poiuytrewqlkjhgf',
  '!@#$%^&*()_+',
  'aaaaaaaaaaaabbbbbbbb',
  '1-2-3-4-5-6-7-8-9-10',
  'p4$$w0rdp4$$w0rd',
  'PasswordPassword',
  'drowssapdrowssap',
  'Summer2025Summer2025',
  'superman superman',
  'superman-superman-superman',
  'monkey.monkey.monkey.monkey',
  'trustno1trustno1',
  'changemechangeme',
  'adminadminadmin',
  'blue green red yellow',
  'Wonderland-Wonderland',
  'liddellliddell',
  'Alice.Liddell.Alice',
  'liddell-pleasance-1985',
  'Correct Horse Battery Staple',
  'correct-horse-battery-staple!',
  'c0rrecth0rseb4tterystaple',
  'CorrectHorseBatteryStaple',
  'tobeornottobe',
  'May the force be with you',
  'the quick brown fox jumps over the lazy dog',
  'This is my password 1',
]

/** What people and generators choose, and a passphrase of random words in several languages. */
const strong = [
  'vanish orbit kettle',
  'vanish-orbit-kettle-plum',
  'coral lantern gravel otter',
  'treehouselampblue',
  'magnet ribbon walnut cello',
  'zebra-lamp-4q-mox',
  'A good, long one',
  'a brand new password',
  'my cat is called tom',
  'kuchen-fenster-wolke',
  'mein hund frisst pizza',
  'Vier Wörter im Regen',
  'サインイン用の長い文章です',
  'Xk9#mQ2$vL7p',
  '7f3k9q2m5x8w',
  'gkwlvhqpzmxn',
  'K7-pQ9-xW2-mN4',
  'wT4!rB9zNq1c'.repeat(85),
  '-_.,;:+/|-;.:,_|/+',
]

/** Sends one password through each operation that sets one. */
const doors: Readonly<Record<string, (password: string) => Promise<Answer>>> = {
  'a sign-in with new_password': async (password) => {
    const person = await addPerson(service)
    const login = { username: person.user.username, password: person.password }
    return post('/auth/login', { ...login, new_password: password })
  },
  'a forced change at the sign-in': async (password) => {
    const person = await addPerson(service, { password_change_required: true })
    const login = { username: person.user.username, password: person.password }
    return post('/auth/login', { ...login, new_password: password })
  },
  'the own account': async (password) => {
    const { bearer, password: current } = await addSignedIn(service)
    return post('/users/me/password', { password, current_password: current }, bearer)
  },
  'an administrator': async (password) => {
    const { user } = await addPerson(service)
    return post(`/users/${user.id}/password`, { password }, admin.bearer)
  },
  'an invitation': async (password) => {
    const email = `${randomUUID()}@example.com`
    const { user } = await addPerson(service, { email, passwordHash: null })
    return acceptInvitation(service, await storeInvitation(service, user.id), password)
  },
  'a reset': async (password) => {
    const email = `${randomUUID()}@example.com`
    const { user } = await addPerson(service, { email })
    await post('/auth/reset-password/request', { username: user.username })
    return post('/auth/reset-password', { token: await readMailedToken(service, email, 'reset'), password })
  },
}

describe.each(Object.entries(doors))('%s', (_, send) => {
  it.each(['a'.repeat(15), 'qwertyuiopasdfgh', 'iloveyouiloveyou', 'correcthorsebatterystaple'])(
    'does not set %s',
    async (password) => {
      const { status, body } = await send(password)
      expect([status, body.code]).toEqual([400, 'password_rejected'])
    },
  )

  it('sets four random words', async () => {
    expect((await send('coral lantern gravel otter')).status).toBeLessThan(300)
  })
})

const alice = () => addPerson(service, { full_name: 'Alice Pleasance Liddell' })

it.each([...trivial, ...alsoTrivial])('%s is refused for a plain reason', async (password) => {
  const { user } = await alice()
  const { status, body } = await post(`/users/${user.id}/password`, { password }, admin.bearer)
  expect([password, status, body.code]).toEqual([password, 400, 'password_rejected'])
  for (const { field, message } of body.errors) {
    expect(field).toBe('password')
    expect(message).toMatch(/^The password [^{}]+\.$/)
  }
})

it.each(strong)('%s is accepted', async (password) => {
  const { user } = await alice()
  const answer = await post(`/users/${user.id}/password`, { password }, admin.bearer)
  expect([password, answer.status, answer.body?.errors]).toEqual([password, 204, undefined])
})

it('a policy without the list of breaches still refuses repetitions, and a generated password is accepted', async () => {
  const path = '/api/2/system/password-policy'
  const body = { min_length: 8, no_pwned: false }
  const replaced = await service.client('PUT', path, { bearer: admin.bearer, body })
  expect(replaced.status).toBeLessThan(300)
  try {
    const { user } = await alice()
    const set = (password: string) => post(`/users/${user.id}/password`, { password }, admin.bearer)
    for (const password of ['aaaaaaaa', '12345678', 'qwertyui', 'abababab', 'passw0rd'])
      expect([password, (await set(password)).status]).toEqual([password, 400])
    const alphabet = 'bcdfghjkmnpqrtvwxzBCDFGHJKMNPQRTVWXZ#%&?'
    const random = () => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
    let accepted = 0
    for (let round = 0; round < 20; round++) if ((await set(random())).status === 204) accepted++
    // One or two may contain a word by chance.
    expect(accepted).toBeGreaterThan(16)
    for (let round = 0; round < 5; round++) {
      const { body: generated } = await post('/auth/generate-password', {}, admin.bearer)
      expect((await set(generated.password)).status).toBe(204)
    }
  } finally {
    await service.client('PUT', path, { bearer: admin.bearer, body: { min_length: 12, no_pwned: true } })
  }
})

describe('an evaluation', () => {
  const evaluate = async (password: string, policy?: object): Promise<readonly string[]> =>
    (
      await post(
        '/auth/evaluate-password',
        { password, ...(policy ? { custom_policy: policy } : {}) },
        admin.bearer,
      )
    ).body.errors

  it('with the policy of the service agrees with the operations that set a password', async () => {
    for (const password of trivial)
      expect([password, (await evaluate(password)).length]).toEqual([password, 1])
    expect(await evaluate('coral lantern gravel otter')).toEqual([])
  })

  it('with a custom policy knows only that policy', async () => {
    expect(await evaluate('a'.repeat(15), { min_length: 12 })).toEqual([])
    expect(await evaluate('a'.repeat(15), { min_length: 12, min_entropy_bits: 20 })).toEqual([
      expect.stringContaining('too easy to guess'),
    ])
  })
})

it('the time of the check does not grow with the password', async () => {
  const { user } = await alice()
  const measure = (password: string): Promise<number> =>
    cpuMsOf(() => post(`/users/${user.id}/password`, { password }, admin.bearer))
  const unit = await referenceMs()
  // The first check loads the dictionaries.
  await measure('coral lantern gravel otter')
  const shapes = ['p4$$w0rd', '(4@8|', '20012002', 'ab1!', 'a-', '\u{1f511}', 'e\u0301']
  for (const shape of shapes) {
    const fill = (length: number) => shape.repeat(length).slice(0, length).toWellFormed()
    const [short, long] = [await measure(fill(64)), await measure(fill(1000))]
    expect([shape, long < 8 * (short + 5 * unit)]).toEqual([shape, true])
  }
})
