import { randomUUID } from 'node:crypto'
import { hash } from 'bcryptjs'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { addPerson, signIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ ALLOWED_ORIGINS: 'https://media.example.com' })

const login = (body: unknown, headers: Record<string, string> = {}) =>
  service.client('POST', '/api/2/auth/login', { body, headers })

describe('a sign-in with the right password', () => {
  it('opens a session that works as a bearer credential, and returns the user', async () => {
    const person = await addPerson(service, { full_name: 'Ada Lovelace', email: 'ada@example.com' })
    const answer = await login({ username: person.user.username, password: person.password })
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({
      id: person.user.id,
      display_name: 'Ada Lovelace',
      email: 'ada@example.com',
      has_password: true,
      totp_enabled: false,
    })
    expect(answer.body.session_key).toMatch(/^lks_[0-9A-Za-z]{45}$/)
    expect(answer.body).not.toHaveProperty('redirect')
    const me = await service.client('GET', '/api/2/users/me', { bearer: answer.body.session_key })
    expect(me.body.id).toBe(person.user.id)
  })

  it('sets the session as an HttpOnly, SameSite=Lax cookie', async () => {
    const person = await addPerson(service)
    const answer = await login({ username: person.user.username, password: person.password })
    expect(answer.cookies).toEqual([
      `latchkey=${answer.body.session_key}; HttpOnly; SameSite=Lax; Path=/; Max-Age=1209600`,
      // It names the session, and opens nothing.
      `latchkey-marked-session=${person.user.id}.${hashCredential(answer.body.session_key)}; Path=/; HttpOnly; Max-Age=1209600`,
    ])
    const me = await service.client('GET', '/api/2/users/me', {
      headers: { cookie: `theme=dark; latchkey=${answer.body.session_key}` },
    })
    expect(me.body.id).toBe(person.user.id)
  })

  it('opens a new session each time', async () => {
    const person = await addPerson(service)
    const [first, second] = [await signIn(service, person), await signIn(service, person)]
    expect(first).not.toBe(second)
    for (const bearer of [first, second])
      expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
  })

  it('sets no cookie on a cross-site request', async () => {
    const person = await addPerson(service)
    const body = { username: person.user.username, password: person.password }
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const answer = await login(body, headers)
      expect(answer.status).toBe(200)
      expect(answer.cookies).toEqual([])
    }
  })

  it.each([
    ['a different case', (name: string) => name.toUpperCase()],
    ['full-width letters', (name: string) => name.replace('user', 'ｕｓｅｒ')],
    ['surrounding white space', (name: string) => ` ${name} `],
  ])('finds a username with %s', async (_, respell) => {
    const person = await addPerson(service)
    const answer = await login({ username: respell(person.user.username), password: person.password })
    expect(answer.status).toBe(200)
  })

  it('accepts a password with composed or decomposed letters', async () => {
    const person = await addPerson(service, {}, 'Zażółć gęślą jaźń, naïve café'.normalize('NFC'))
    for (const form of ['NFC', 'NFD'] as const) {
      const answer = await login({
        username: person.user.username,
        password: person.password.normalize(form),
      })
      expect(answer.status).toBe(200)
    }
  })

  it('compares every byte of a password, including those after the 72nd and after NUL', async () => {
    const long = `${'é'.repeat(36)}x`
    const person = await addPerson(service, {}, long)
    expect((await login({ username: person.user.username, password: long })).status).toBe(200)
    expect((await login({ username: person.user.username, password: `${'é'.repeat(36)}y` })).status).toBe(401)
    const nul = await addPerson(service, {}, 'before\0after the NUL')
    expect((await login({ username: nul.user.username, password: 'before\0something else' })).status).toBe(
      401,
    )
  })

  it('returns the user’s default page only if it is on an allowed origin', async () => {
    const pages = {
      'https://media.example.com/library?tab=1': 'https://media.example.com/library?tab=1',
      'https://media.example.com.evil.example/': undefined,
      'https://media.example.com@evil.example/': undefined,
      'http://media.example.com/': undefined,
      'blob:https://media.example.com/0': undefined,
      'javascript:alert(1)//https://media.example.com': undefined,
      '//media.example.com/': undefined,
      '/': undefined,
    }
    for (const [defaultPage, redirect] of Object.entries(pages)) {
      const person = await addPerson(service, { default_page: defaultPage })
      const answer = await login({ username: person.user.username, password: person.password })
      expect({ defaultPage, redirect: answer.body.redirect }).toEqual({ defaultPage, redirect })
    }
  })
})

describe('a rejected sign-in', () => {
  const comparable = ({ status, headers, body }: Awaited<ReturnType<typeof login>>) => ({
    status,
    headers: [...headers].filter(([name]) => !['apigw-requestid', 'date', 'x-request-id'].includes(name)),
    body: { ...body, request_id: undefined },
  })

  it('gets the same response for unknown users, wrong passwords, disabled users, and users without a password', async () => {
    const [known, disabled, passwordless] = [
      await addPerson(service),
      await addPerson(service, { is_enabled: false }),
      await addPerson(service, { passwordHash: null }),
    ]
    const password = 'not the password'
    const refused = [
      await login({ username: `unknown-${randomUUID()}`, password }),
      await login({ username: known.user.username, password }),
      await login({ username: disabled.user.username, password }),
      await login({ username: passwordless.user.username, password }),
      await login({ username: known.user.username, password, new_password: 'a brand new password' }),
      await login({ username: '\u{fdfa}'.repeat(255), password }),
      await login({ username: ' ', password }),
    ].map(comparable)
    expect(refused[0]).toMatchObject({
      status: 401,
      body: { code: 'login_failed', reason: 'invalid_credentials' },
    })
    for (const answer of refused) expect(answer).toEqual(refused[0])
  })

  it('reveals a disabled or expired account only to those who know its password', async () => {
    for (const fields of [{ is_enabled: false }, { expiresAt: Date.now() - 1000 }]) {
      const person = await addPerson(service, fields)
      const answer = await login({ username: person.user.username, password: person.password })
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ code: 'login_incomplete', reason: 'account_disabled' })
      expect(answer.cookies).toEqual([])
    }
  })
})

describe('a new password at sign-in', () => {
  it('is required when a change is due, and then opens a session', async () => {
    const person = await addPerson(service, { password_change_required: true })
    const { username } = person.user
    const incomplete = await login({ username, password: person.password })
    expect(incomplete.status).toBe(403)
    expect(incomplete.body).toMatchObject({
      code: 'login_incomplete',
      reason: 'password_change_required',
      password_policy: { min_length: 12, no_pwned: true },
    })

    const next = 'a better password than before'
    const changed = await login({ username, password: person.password, new_password: next })
    expect(changed.status).toBe(200)
    expect(changed.body.user.password_change_required).toBe(false)
    expect((await login({ username, password: person.password })).status).toBe(401)
    expect((await login({ username, password: next })).status).toBe(200)
  })

  it('can be sent at any sign-in, and ends earlier sessions and tickets', async () => {
    const person = await addPerson(service)
    const before = await signIn(service, person)
    const ticket = (await service.client('POST', '/api/2/auth/ticket', { bearer: before })).body.ticket
    const answer = await login({
      username: person.user.username,
      password: person.password,
      new_password: 'another fine password',
    })
    expect(answer.status).toBe(200)
    expect((await service.client('GET', '/api/2/users/me', { bearer: before })).status).toBe(401)
    expect((await service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })).status).toBe(404)
    const bearer = answer.body.session_key
    expect((await service.client('GET', '/api/2/users/me', { bearer })).status).toBe(200)
  })

  it('is rejected without side effects if it is too short, too long, unchanged, or the username', async () => {
    const person = await addPerson(service)
    const { username } = person.user
    for (const [newPassword, count] of [
      ['short', 1],
      ['x'.repeat(1025), 1],
      [person.password, 1],
      [username, 1],
      ['é'.repeat(11).normalize('NFD'), 1],
    ] as const) {
      const answer = await login({ username, password: person.password, new_password: newPassword })
      expect(answer.status).toBe(400)
      expect(answer.body.code).toBe('password_rejected')
      expect(answer.body.errors).toHaveLength(count)
      expect(answer.text).not.toContain(newPassword)
    }
    expect((await login({ username, password: person.password })).status).toBe(200)
  })

  it('is rejected if the user may not change their password, unless a change is required', async () => {
    const fixed = await addPerson(service, { allow_changing_password: false })
    const body = {
      username: fixed.user.username,
      password: fixed.password,
      new_password: 'my own new password',
    }
    expect((await login(body)).status).toBe(403)
    const required = await addPerson(service, {
      allow_changing_password: false,
      password_change_required: true,
    })
    const requiredBody = {
      username: required.user.username,
      password: required.password,
      new_password: 'my own new password',
    }
    expect((await login(requiredBody)).status).toBe(200)
  })

  it('is set by exactly one of 8 concurrent requests', async () => {
    const person = await addPerson(service)
    const { username } = person.user
    const passwords = Array.from({ length: 8 }, (_, at) => `the new password number ${at}`)
    const answers = await Promise.all(
      passwords.map((next) => login({ username, password: person.password, new_password: next })),
    )
    const winners = passwords.filter((_, at) => answers[at]?.status === 200)
    expect(winners).toHaveLength(1)
    for (const { status } of answers) expect([200, 401, 409]).toContain(status)
    expect((await login({ username, password: winners[0] })).status).toBe(200)
  })
})

describe('an imported hash', () => {
  it.each(['2a', '2b', '2y'])('with $%s$ signs in and is replaced', async (minor) => {
    const password = 'an imported password'
    const imported = (await hash(password, 4)).replace(/^\$2b/, `$${minor}`)
    const person = await addPerson(service, { passwordHash: imported }, password)
    expect((await login({ username: person.user.username, password: 'another password' })).status).toBe(401)
    expect((await login({ username: person.user.username, password })).status).toBe(200)
    const stored = await findUser(service.services.table, person.user.id)
    expect(stored?.passwordHash).toMatch(/^bcrypt_sha384\$\$2b\$04\$/)
    expect((await login({ username: person.user.username, password })).status).toBe(200)
  })

  it('with a higher cost than new hashes signs in and stays', async () => {
    const password = 'an imported password'
    const imported = await hash(password, 5)
    const person = await addPerson(service, { passwordHash: imported }, password)
    expect((await login({ username: person.user.username, password })).status).toBe(200)
    expect((await findUser(service.services.table, person.user.id))?.passwordHash).toBe(imported)
  })

  it('that is invalid never signs in', async () => {
    for (const passwordHash of ['', 'plain', '$2b$12$short', '$2b$99$'.padEnd(60, '.')]) {
      const person = await addPerson(service, { passwordHash }, passwordHash)
      const answer = await login({ username: person.user.username, password: passwordHash || ' ' })
      expect(answer.status).toBe(401)
    }
  })
})

it('keeps passwords, credentials, and hashes out of the log', async () => {
  const person = await addPerson(service)
  const bearer = await signIn(service, person)
  await service.client('GET', '/api/2/users/me', { bearer })
  await login({ username: person.user.username, password: 'wrong but still secret' })
  const text = service.log.join('\n')
  expect(text).toContain('"operation":"login"')
  for (const secret of [person.password, bearer, 'wrong but still secret', '$2b$', 'lks_'])
    expect(text).not.toContain(secret)
})

it('counts each refused sign-in in a metric', async () => {
  const person = await addPerson(service)
  const countMetrics = () => service.log.filter((line) => line.includes('"LoginFailed":1')).length
  const before = countMetrics()
  await login({ username: person.user.username, password: 'wrong' })
  await login({ username: 'not-a-user', password: 'wrong' })
  expect(countMetrics() - before).toBe(2)
  await signIn(service, person)
  expect(countMetrics() - before).toBe(2)
})
