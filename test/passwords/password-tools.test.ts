import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cpuMsOf, referenceMs } from '../support/cpu-time.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
let person: SignedInPerson
beforeEach(async () => {
  person = await addSignedIn(service, { email: `${randomUUID()}@example.com`, full_name: 'Ada Lovelace' })
})
afterEach(() => vi.useRealTimers())

const path = '/api/2/auth/evaluate-password'
const post = (body: unknown, bearer = person.bearer) => service.client('POST', path, { bearer, body })
const errorsOf = async (password: string, custom_policy?: object): Promise<readonly string[]> => {
  const answer = await post({ password, ...(custom_policy ? { custom_policy } : {}) })
  expect({ status: answer.status, text: answer.status === 200 ? '' : answer.text }).toEqual({
    status: 200,
    text: '',
  })
  return answer.body.errors
}
const generate = (bearer = person.bearer) =>
  service.client('POST', '/api/2/auth/generate-password', { bearer })
const rule = (group_name: string, group_regex: string, min_count: number) => ({
  group_name,
  group_regex,
  min_count,
})

describe('evaluate_password with the policy of the service', () => {
  it('accepts a good password, and estimates the time to crack it', async () => {
    const { status, body, headers } = await post({ password: 'vAnish-oR!bit-7-kettle' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        errors: [],
        time_to_crack: expect.any(Number),
        username: person.user.username,
        policy: { rules: [], min_length: 12, min_entropy_bits: null, regex: null, no_pwned: true },
      },
    })
    expect(body.time_to_crack).toBeGreaterThan(3600)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('counts characters after Unicode normalization, not bytes or code units', async () => {
    const tooShort = [expect.stringMatching(/at least 12 characters/)]
    expect(await errorsOf('😀🙏🎻🪕🥁🎺🎷🪗🎸🎹📯')).toEqual(tooShort)
    expect(await errorsOf('😀🙏🎻🪕🥁🎺🎷🪗🎸🎹📯🪈')).toEqual([])
    // A letter with a combining accent is one character.
    const accented = 'ke\u0301ttle ta\u0301n4'
    expect(await errorsOf(accented)).toEqual(tooShort)
    expect(await errorsOf(`${accented}q`)).toEqual([])
  })

  it('rejects the caller’s names in any spelling and backwards', async () => {
    const { username, email } = person.user
    const backwards = [...username].reverse().join('')
    for (const password of [
      `my ${username}!`,
      `my ${username.toUpperCase()}!`,
      `my ${username.replace('user', 'ｕｓｅｒ')}!`,
      `my ${backwards}!`,
      `${email} and more`,
    ])
      expect(await errorsOf(password)).toEqual([expect.stringMatching(/username or the email address/)])
    expect(await errorsOf(`my ${randomUUID()}!`)).toEqual([])
  })

  it('ignores names that are very short', async () => {
    const { bearer } = await addSignedIn(service, { username: `é${String(Date.now()).slice(-1)}` })
    const answer = await post({ password: 'vanish é1é2é3é4é5é6é7é8é9é0 kettle' }, bearer)
    expect(answer.body.errors).toEqual([])
  })

  it('accepts a password of the maximum length, and rejects a longer one', async () => {
    const longest = 'vanish kettle 4q'.repeat(64)
    expect(await errorsOf(longest)).toEqual([])
    expect(await errorsOf(`${longest}x`)).toEqual(['The password must have at most 1024 characters.'])
  })
})

describe('evaluate_password with a custom policy', () => {
  it('applies only this policy', async () => {
    expect(await errorsOf('a', {})).toEqual([])
    expect(await errorsOf(person.user.username, {})).toEqual([])
    expect(await errorsOf('abc', { min_length: 4 })).toEqual([
      'The password must have at least 4 characters.',
    ])
    expect(await errorsOf('abcd', { min_length: 4 })).toEqual([])
  })

  it('names every rule that is not met', async () => {
    const rules = [
      rule('digits', '[0-9]', 2),
      rule('capital letters', '[A-Z]', 1),
      rule('letters', '[a-z]', 3),
    ]
    expect(await errorsOf('abc1', { rules })).toEqual([
      'The password must contain digits at least 2 times.',
      'The password must contain capital letters at least once.',
    ])
    expect(await errorsOf('abcA12', { rules })).toEqual([])
    expect(await errorsOf('anything', { rules: [rule('digits', '[0-9]', 0)] })).toEqual([])
  })

  it('matches an expression anywhere unless it is anchored', async () => {
    expect(await errorsOf('xx-42-xx', { regex: '[0-9]{2}' })).toEqual([])
    expect(await errorsOf('xx-42-xx', { regex: '^[0-9]{2}$' })).toEqual([
      'The password must match the expression ^[0-9]{2}$',
    ])
  })

  it('estimates entropy as an attacker would', async () => {
    const tooEasy = [expect.stringMatching(/too easy to guess/)]
    expect(await errorsOf('Password123!', { min_entropy_bits: 40 })).toEqual(tooEasy)
    expect(await errorsOf(`${person.user.username}1`, { min_entropy_bits: 40 })).toEqual(tooEasy)
    expect(await errorsOf('xK9#mQ2$vL7!pR4w', { min_entropy_bits: 40 })).toEqual([])
    expect(await errorsOf('xK9#mQ2$vL7!pR4w', { min_entropy_bits: 0 })).toEqual([])
  })

  it('never returns or logs the password', async () => {
    const password = 'Zebra-Secret-Phrase'
    const answer = await post({
      password,
      custom_policy: {
        rules: [rule('digits', '[0-9]', 2)],
        min_length: 100,
        min_entropy_bits: 128,
        regex: '^[0-9]+$',
        no_pwned: true,
      },
    })
    expect(answer.body.errors).toHaveLength(4)
    for (const sentence of answer.body.errors) expect(sentence).toMatch(/^The password .+/)
    expect(answer.text).not.toContain('Zebra')
    expect(service.log.join('')).not.toContain('Zebra')
  })

  it('requires nothing if fields are null or omitted', async () => {
    const empty = { rules: [], min_length: null, min_entropy_bits: null, regex: null, no_pwned: null }
    expect(await errorsOf('a', empty)).toEqual([])
  })

  it('reports every invalid field of the policy', async () => {
    const answer = await post({
      password: 'anything',
      custom_policy: {
        rules: [
          rule('digits', '(?=[0-9])', 1),
          rule('letters', '(', -1),
          rule('x\ny', 'a', 65),
          rule('y'.repeat(101), 'b', 64),
        ],
        min_length: 129,
        min_entropy_bits: -1,
        regex: '(a)\\1',
      },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('invalid_request')
    const fields = answer.body.errors.map(({ field }: { field: string }) => field)
    expect(fields.sort()).toEqual([
      'custom_policy.min_entropy_bits',
      'custom_policy.min_length',
      'custom_policy.regex',
      'custom_policy.rules',
      'custom_policy.rules.0.group_regex',
      'custom_policy.rules.1.group_regex',
      'custom_policy.rules.1.min_count',
      'custom_policy.rules.2.group_name',
      'custom_policy.rules.2.min_count',
      'custom_policy.rules.3.group_name',
    ])
  })

  it.each([
    { custom_policy: null },
    { custom_policy: [] },
    { custom_policy: { rules: null } },
    { custom_policy: { rules: [{ group_name: 'x', group_regex: '', min_count: 1 }] } },
    { custom_policy: { rules: [{ group_name: 'x', group_regex: 'x' }] } },
    { custom_policy: { min_length: 1.5 } },
    { custom_policy: { min_length: '8' } },
    { custom_policy: { regex: '' } },
    { custom_policy: { max_length: 8 } },
    { password: '' },
    { password: 7 },
    { password: undefined },
  ])('rejects a malformed request: %j', async (part) => {
    expect((await post({ password: 'anything', ...part })).status).toBe(400)
  })
})

describe('evaluate_password stays fast', () => {
  it.each([
    { name: 'nested quantifiers', policy: { regex: '^(a+)+$' } },
    { name: '20 wildcards', policy: { regex: '(.*a){20}$' } },
    { name: '249 groups', policy: { regex: `${'('.repeat(249)}a${')'.repeat(249)}` } },
    { name: 'a search to the end of the text', policy: { rules: [rule('x', '.*b|a', 64)] } },
  ])('with $name', async ({ name, policy }) => {
    const ms = await cpuMsOf(() => errorsOf(`${'a'.repeat(1023)}!`, policy))
    process.stdout.write(`${name} over HTTP: ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(100 * (await referenceMs()))
  })

  it('with 1,000 groups, which are rejected', async () => {
    const regex = `${'('.repeat(1000)}a${')'.repeat(1000)}`
    const answer = await post({ password: 'anything', custom_policy: { regex } })
    expect(answer.body.errors).toEqual([
      { field: 'custom_policy.regex', message: 'must be at most 500 characters long' },
    ])
  })

  it.each([
    { name: 'one letter', password: 'a'.repeat(60_000) },
    { name: 'leetspeak', password: '4@8({[<369&1!|0$5+7%2'.repeat(2800) },
    { name: 'digits', password: '13051985'.repeat(7000) },
  ])('with a password of 60 KB of $name', async ({ name, password }) => {
    await errorsOf('loads the dictionaries')
    const ms = await cpuMsOf(async () =>
      expect(await errorsOf(password)).toEqual(['The password must have at most 1024 characters.']),
    )
    process.stdout.write(`60 KB of ${name}: ${ms.toFixed(0)} ms\n`)
    expect(ms).toBeLessThan(100 * (await referenceMs()))
  })

  it('with combining marks that take longer to normalize than to reject', async () => {
    const password = `a${'\u0300'.repeat(15_000)}${'\u0316'.repeat(15_000)}`
    await errorsOf('loads the dictionaries')
    const normalizing = await cpuMsOf(async () => password.normalize('NFC'))
    const rejecting = await cpuMsOf(async () =>
      expect(await errorsOf(password)).toEqual(['The password must have at most 1024 characters.']),
    )
    process.stdout.write(`normalizing ${normalizing.toFixed(0)} ms, rejecting ${rejecting.toFixed(0)} ms\n`)
    expect(rejecting).toBeLessThan(normalizing)
  })

  it('by allowing each user 60 requests a minute to the password tools', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const one = async (at: number) =>
      (at % 2 ? await generate() : await post({ password: 'x', custom_policy: {} })).status
    const statuses = await Promise.all(Array.from({ length: 70 }, (_, at) => one(at)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    const refused = await generate()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const other = await addSignedIn(service)
    expect((await generate(other.bearer)).status).toBe(200)
    vi.setSystemTime(Date.now() + 71_000)
    expect((await generate()).status).toBe(200)
  })
})

describe('time_to_crack', () => {
  const secondsFor = async (password: string): Promise<number> =>
    (await post({ password, custom_policy: {} })).body.time_to_crack

  it('ranges from 0 to the largest safe integer', async () => {
    const [weak = 1, medium = 0, strong = 0] = [
      await secondsFor('password'),
      await secondsFor('correct horse battery'),
      await secondsFor('xK9#mQ2$vL7!pR4wYb3@'.repeat(3)),
    ]
    expect(weak).toBeLessThan(1)
    expect(medium).toBeGreaterThan(weak)
    expect(strong).toBeGreaterThan(medium)
    expect(await secondsFor(Array.from({ length: 100 }, () => randomUUID()[0]).join('x#'))).toBe(
      Number.MAX_SAFE_INTEGER,
    )
  })

  it.each(['constructor', '__proto__', 'hasOwnProperty', 'toString', ' ', '\u0000'])(
    'is a finite number for %j',
    async (password) => {
      expect(Number.isFinite(await secondsFor(password))).toBe(true)
    },
  )

  it('takes the names of the caller into account', async () => {
    const other = await addSignedIn(service)
    const password = person.user.username
    const fromOther = await post({ password, custom_policy: {} }, other.bearer)
    expect(await secondsFor(password)).toBeLessThan(fromOther.body.time_to_crack / 1000)
  })
})

describe('generate_password', () => {
  it('returns a different password each time, which meets the policy', async () => {
    const passwords = new Set<string>()
    for (let round = 0; round < 20; round++) {
      const { status, body, headers } = await generate()
      expect({ status, body }).toEqual({ status: 200, body: { password: expect.any(String) } })
      expect(headers.get('cache-control')).toBe('no-store')
      expect([...body.password].length).toBeGreaterThanOrEqual(20)
      expect(await errorsOf(body.password)).toEqual([])
      passwords.add(body.password)
    }
    expect(passwords.size).toBe(20)
    expect([...passwords].filter((password) => service.log.join('').includes(password))).toEqual([])
  })

  it('accepts an empty body, as some clients send it', async () => {
    for (const raw of ['', '{}', 'null'])
      expect(
        (await service.client('POST', '/api/2/auth/generate-password', { bearer: person.bearer, raw }))
          .status,
      ).toBe(200)
  })

  it('requires a session, as does evaluate_password', async () => {
    for (const tool of ['generate-password', 'evaluate-password'])
      expect((await service.client('POST', `/api/2/auth/${tool}`, { body: {} })).status).toBe(401)
  })
})
