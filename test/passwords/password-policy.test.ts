import { beforeEach, describe, expect, it } from 'vitest'
import { passwordPolicyKey } from '../../lib/kernel/table/keys/keys.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { addPerson, addSignedIn, signIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
const admin: string = (await addSignedIn(service, { permissions: ['system:admin-access'] })).bearer
const user: string = (await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })).bearer

const path = '/api/2/system/password-policy'
const get = (bearer?: string) => service.client('GET', path, bearer === undefined ? {} : { bearer })
const put = (body: unknown, bearer = admin) => service.client('PUT', path, { bearer, body })
const defaults = { rules: [], min_length: 12, min_entropy_bits: null, regex: null, no_pwned: true }
const classes = {
  rules: [
    { group_name: 'digits', group_regex: '[0-9]', min_count: 2 },
    { group_name: 'marks', group_regex: '[!?]', min_count: 1 },
  ],
  min_length: 14,
  min_entropy_bits: 40,
  regex: '^[a-zA-Z0-9!? ]+$',
  no_pwned: false,
}

describe('the password policy', () => {
  it('requires long passwords that are not breached by default', async () => {
    const { status, body } = await get()
    expect({ status, body }).toEqual({ status: 200, body: defaults })
  })

  it('can be read by anyone, and written only by administrators', async () => {
    expect((await put({ ...defaults, min_length: 8 }, user)).status).toBe(403)
    expect((await service.client('PUT', path, { body: defaults })).status).toBe(401)
    expect((await get()).body).toEqual(defaults)
    const written = await put(classes)
    expect({ status: written.status, body: written.body }).toEqual({ status: 200, body: classes })
    for (const bearer of [undefined, user, admin, 'lks_nonsense'])
      expect((await get(bearer)).body).toEqual(classes)
  })

  it('is replaced as a whole: omitted requirements no longer apply', async () => {
    await put(classes)
    const nothing = { rules: [], min_length: null, min_entropy_bits: null, regex: null, no_pwned: null }
    expect((await put({})).body).toEqual(nothing)
    expect((await get()).body).toEqual(nothing)
    const read = (await put(defaults)).body
    expect((await put(read)).body).toEqual(read)
  })

  it('is rejected if it is out of bounds, and stays unchanged', async () => {
    await put(defaults)
    for (const [body, field] of [
      [{ min_length: 129 }, 'min_length'],
      [{ min_length: -1 }, 'min_length'],
      [{ min_entropy_bits: 129 }, 'min_entropy_bits'],
      [{ regex: '(?!x)' }, 'regex'],
      [{ rules: [{ group_name: 'x', group_regex: '(?=x)', min_count: 1 }] }, 'rules.0.group_regex'],
      [{ rules: [{ group_name: 'x', group_regex: 'x', min_count: 65 }] }, 'rules.0.min_count'],
      [{ rules: Array.from({ length: 3 }, () => ({ ...classes.rules[0], min_count: 50 })) }, 'rules'],
    ] as const) {
      const answer = await put(body)
      expect(answer.body).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ field }] })
    }
    for (const body of [{ max_length: 8 }, { rules: null }, { min_length: 1.5 }, { no_pwned: 'yes' }, []])
      expect((await put(body)).status).toBe(400)
    expect((await get()).body).toEqual(defaults)
  })

  it('is rejected if no password can meet it, naming the conflicting requirement', async () => {
    await put(defaults)
    const unsatisfiable = { regex: '^[a-z]+$', rules: classes.rules }
    expect((await put(unsatisfiable)).body.errors).toEqual([
      { field: 'body', message: expect.stringMatching(/no generated password.*digits at least 2 times/) },
    ])
    expect((await put({ regex: '^.{8,12}$' })).body.errors).toEqual([
      { field: 'regex', message: expect.stringMatching(/length from 20/) },
    ])
    expect((await put({ regex: '^a+$' })).body.errors).toEqual([
      { field: 'body', message: expect.stringMatching(/could be guessed/) },
    ])
    expect((await get()).body).toEqual(defaults)
  })

  it('applies each successful one of 20 concurrent changes, and reports a conflict for the others', async () => {
    const version = async () =>
      Number((await service.services.table.get(passwordPolicyKey))?.['version'] ?? 0)
    const before = await version()
    const answers = await Promise.all(
      // None of them sets what holds already, which writes nothing.
      Array.from({ length: 20 }, (_, at) => put({ ...defaults, min_length: 13 + at })),
    )
    const succeeded = answers.filter(({ status }) => status === 200)
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual(
      [],
    )
    expect(succeeded.length).toBeGreaterThan(0)
    expect((await version()) - before).toBe(succeeded.length)
    expect(succeeded.map(({ body }) => body)).toContainEqual((await get()).body)
  })

  it('is recorded when it changes, with actor and request', async () => {
    const records = async () =>
      (await readAuditItems(service.services.table)).filter(
        ({ event }) => event === 'password_policy.changed',
      )
    const before = (await records()).length
    const requestId = (await put(classes)).headers.get('x-request-id')
    const after = await records()
    expect(after).toHaveLength(before + 1)
    expect(after).toContainEqual(expect.objectContaining({ requestId, actor: expect.any(Number) }))
    await put({ regex: '(' })
    expect(await records()).toHaveLength(before + 1)
  })
})

describe('a password', () => {
  beforeEach(async () => {
    expect((await put({ ...classes, regex: '^[a-zA-Z0-9!? -]+$' })).status).toBe(200)
  })
  const good = 'vanish kettle 42 orbits!'
  type Kind = Readonly<{ code: string; limit?: number; rule?: string }>
  const errorsFor = (field: string, kinds: readonly (readonly [RegExp, Kind])[]) =>
    kinds.map(([sentence, kind]) => ({ field, message: expect.stringMatching(sentence), ...kind }))

  it('for another user has to meet the stored policy', async () => {
    const { user: other } = await addPerson(service)
    const set = (password: string) =>
      service.client('POST', `/api/2/users/${other.id}/password`, { bearer: user, body: { password } })
    const refused = await set('too_short1')
    expect(refused.body).toMatchObject({ status: 400, code: 'password_rejected' })
    expect(refused.body.errors).toEqual(
      errorsFor('password', [
        [/at least 14/, { code: 'min_length', limit: 14 }],
        [/digits at least 2/, { code: 'rule_not_met', limit: 2, rule: 'digits' }],
        [/marks at least once/, { code: 'rule_not_met', limit: 1, rule: 'marks' }],
        [/match the expression/, { code: 'expression_not_met' }],
        [/too easy/, { code: 'too_easy_to_guess' }],
      ]),
    )
    expect(refused.text).not.toContain('too_short1')
    expect((await set(`${other.username} 42!`)).body.errors).toEqual(
      errorsFor('password', [[/the username/, { code: 'contains_own_name' }]]),
    )
    expect((await set(good)).status).toBe(204)
    expect(await signIn(service, { user: other, password: good })).toMatch(/^lks_/)
  })

  it('at sign-in has to meet the stored policy', async () => {
    const person = await addPerson(service)
    const login = (new_password: string) => trySignIn(service, person, { new_password })
    const refused = await login('not a digit anywhere!')
    expect(refused.body).toMatchObject({ status: 400, code: 'password_rejected' })
    expect(refused.body.errors).toEqual(
      errorsFor('new_password', [[/digits at least 2/, { code: 'rule_not_met', limit: 2, rule: 'digits' }]]),
    )
    expect((await login(good)).status).toBe(200)
  })

  it('has to meet the limits of the system even if the policy is empty', async () => {
    await put({})
    const { user: other } = await addPerson(service)
    const set = async (password: string) =>
      (
        await service.client('POST', `/api/2/users/${other.id}/password`, {
          bearer: user,
          body: { password },
        })
      ).body
    expect((await set('seven77')).errors).toEqual(
      errorsFor('password', [[/at least 8/, { code: 'min_length', limit: 8 }]]),
    )
    expect((await set('x'.repeat(1025))).errors).toEqual(
      errorsFor('password', [[/at most 1024/, { code: 'max_length', limit: 1024 }]]),
    )
    expect((await set(`é\u0301${'\u0316\u0300'.repeat(15_000)}`)).errors).toEqual(
      errorsFor('password', [[/at most 1024/, { code: 'max_length', limit: 1024 }]]),
    )
    expect(await set('vq7#Kd2m')).toBeUndefined()
  })

  it('that is generated meets the policy', async () => {
    const { password } = (await service.client('POST', '/api/2/auth/generate-password', { bearer: user }))
      .body
    expect(password).toMatch(/^[a-zA-Z0-9!? -]{20,}$/)
    const { user: other } = await addPerson(service)
    const answer = await service.client('POST', `/api/2/users/${other.id}/password`, {
      bearer: user,
      body: { password },
    })
    expect(answer.status).toBe(204)
  })

  it('cannot be generated for a policy that no password meets, which is a conflict', async () => {
    const { table } = service.services
    const policy = { rules: [], min_length: null, min_entropy_bits: null, regex: '^a$', no_pwned: null }
    await table.put({ ...passwordPolicyKey, policy, version: 1000 })
    const answer = await service.client('POST', '/api/2/auth/generate-password', { bearer: user })
    expect(answer.body).toMatchObject({
      status: 409,
      code: 'conflict',
      detail: 'No password satisfies the current password policy. Ask an administrator to relax it.',
    })
    expect((await put(defaults)).status).toBe(200)
  })
})
