import { describe, expect, it } from 'vitest'
import type { ClientRecord } from '../../lib/features/oauth/clients.records.ts'
import { readHiddenFields } from '../support/decisions.ts'
import {
  answerDevice,
  getDeviceTokens,
  pollDevice,
  postDevice,
  sendDeviceForm,
  startDevice,
  unknownPage,
} from '../support/devices.ts'
import { addLink, redeem, statusesOf } from '../support/links.ts'
import { addRelyingParty, postToken, proveClient, type RelyingParty, refresh } from '../support/oidc.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const limits = ['lookUpFailures=1000/600', 'deviceStartsPerNetwork=1000/600']

/* Devices that wait for a user (RFC 8628), and what others can do with their codes. */

const service = await useService({ RATE_LIMITS: limits.join(',') })
const admin = await addSignedIn(service, { permissions: ['system:admin-access', 'media:access'] })

const addDeviceClient = (overrides: Partial<ClientRecord> = {}) =>
  addRelyingParty(service, { type: 'public', redirect_uris: [], device_authorization: true, ...overrides })

const party = await addDeviceClient()
const together = <Result>(count: number, send: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => send(at)))
const isWrong = ({ text }: { readonly text: string }) => text.includes('This code is wrong or has expired')

describe('a device code', () => {
  it('of another client gives nothing, and stays usable', async () => {
    const other = await addDeviceClient({ type: 'confidential' })
    const person = await addSignedIn(service)
    const { device_code, user_code } = await startDevice(service, party)
    expect((await pollDevice(service, other, device_code)).body.error).toBe('invalid_grant')
    await answerDevice(service, user_code, 'continue', person.bearer)
    expect((await pollDevice(service, other, device_code)).body.error).toBe('invalid_grant')
    expect((await pollDevice(service, party, device_code)).status).toBe(200)
  })

  it('gives tokens once, and its second use ends them', async () => {
    const person = await addSignedIn(service)
    const { device_code, user_code } = await startDevice(service, party)
    await answerDevice(service, user_code, 'continue', person.bearer)
    const { body } = await pollDevice(service, party, device_code)
    expect((await pollDevice(service, party, device_code)).body.error).toBe('invalid_grant')
    expect((await refresh(service, party, body.refresh_token)).body.error).toBe('invalid_grant')
    const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: body.access_token })
    expect(userinfo.status).toBe(401)
  })

  it('gives tokens to one of 20 parallel requests at most', async () => {
    const person = await addSignedIn(service)
    const { device_code, user_code } = await startDevice(service, party)
    await answerDevice(service, user_code, 'continue', person.bearer)
    const answers = await together(20, () => pollDevice(service, party, device_code))
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true)
    expect((await pollDevice(service, party, device_code)).body.error).toBe('invalid_grant')
  })

  it('cannot be made of the user code', async () => {
    const { device_code, user_code } = await startDevice(service, party)
    const [first = '', secret = ''] = device_code.split('.')
    const guesses = [
      ...[user_code, first, `${first}.`, secret, `${first}.${'A'.repeat(43)}`],
      ...[
        `${first.toLowerCase()}.${secret}`,
        `${device_code}x`,
        '__proto__',
        'constructor',
        'x'.repeat(5000),
      ],
    ]
    for (const guess of guesses)
      expect((await pollDevice(service, party, guess)).body.error).toBe('invalid_grant')
    expect((await pollDevice(service, party, device_code)).body.error).toBe('authorization_pending')
  })

  it('is answered once as waiting if a hundred requests come at once', async () => {
    const { device_code } = await startDevice(service, party)
    const answers = await together(100, () => pollDevice(service, party, device_code))
    const errors = answers.map(({ body }) => body.error)
    expect(errors.filter((error) => error === 'authorization_pending').length).toBe(1)
    expect(errors.filter((error) => error === 'slow_down').length).toBe(99)
  })
})

describe('an approved device gets no tokens after', () => {
  const bearer = () => admin.bearer
  const ends: Record<string, (person: SignedInPerson, party: RelyingParty) => Promise<unknown>> = {
    'the user was disabled': ({ user }) =>
      service.client('PATCH', `/api/2/users/${user.id}`, { bearer: bearer(), body: { is_enabled: false } }),
    'the session ended': (person) => service.client('POST', '/api/2/auth/logout', { bearer: person.bearer }),
    'the user ended the access': (person, { client }) =>
      service.client('DELETE', `/api/2/users/me/apps/${client.id}`, { bearer: person.bearer }),
    'the client was deleted': (_, { client }) =>
      service.client('DELETE', `/api/2/oidc-clients/${client.id}`, { bearer: bearer() }),
    'the client lost the switch': (_, { client }) =>
      service.client('PATCH', `/api/2/oidc-clients/${client.id}`, {
        bearer: bearer(),
        body: { device_authorization: false, redirect_uris: ['https://app.example/cb'] },
      }),
  }
  it.each(Object.keys(ends))('%s', async (name) => {
    const [person, own] = [await addSignedIn(service), await addDeviceClient()]
    const { device_code, user_code } = await startDevice(service, own)
    await answerDevice(service, user_code, 'continue', person.bearer)
    await ends[name]?.(person, own)
    const answer = await pollDevice(service, own, device_code)
    expect([400, 401]).toContain(answer.status)
    expect(answer.body.access_token).toBeUndefined()
  })

  it.each(['the client was deleted', 'the client lost the switch'])(
    '%s before the user approves it',
    async (name) => {
      const [person, own] = [await addSignedIn(service), await addDeviceClient()]
      const { device_code, user_code } = await startDevice(service, own)
      await ends[name]?.(person, own)
      expect(isWrong(await answerDevice(service, user_code, 'continue', person.bearer))).toBe(true)
      expect((await pollDevice(service, own, device_code)).body.access_token).toBeUndefined()
    },
  )

  it('a scope was taken from the client', async () => {
    const [person, own] = [await addSignedIn(service), await addDeviceClient()]
    const { device_code, user_code } = await startDevice(service, own, {
      scope: 'openid email offline_access',
    })
    await answerDevice(service, user_code, 'continue', person.bearer)
    const body = { scopes: ['openid'] }
    await service.client('PATCH', `/api/2/oidc-clients/${own.client.id}`, { bearer: admin.bearer, body })
    const answer = await pollDevice(service, own, device_code)
    expect([answer.body.scope, answer.body.refresh_token]).toEqual(['openid', undefined])
  })
})

describe('a user code', () => {
  it('is counted before it is compared, also for a hundred in parallel', async () => {
    const [guesser, other] = [await addSignedIn(service), await addSignedIn(service)]
    const { user_code } = await startDevice(service, party)
    const guess = (at: number) =>
      sendDeviceForm(
        service,
        at % 2 ? '/device' : '/device/answer',
        {
          ...{ user_code: `BCDFG${'HJKLMNPQRSTVWXZ'[at % 15]}HJ`, answer: 'continue', shown: unknownPage },
        },
        guesser,
      )
    const statuses = statusesOf(await together(100, guess))
    expect(statuses).toEqual({ 200: 10, 429: 90 })
    const late = await sendDeviceForm(service, '/device', { user_code }, guesser)
    expect(late.status).toBe(429)
    expect(late.text).not.toContain(party.client.name)
    expect((await answerDevice(service, user_code, 'continue', other.bearer)).status).toBe(200)
  })

  it('is not counted if it is right', async () => {
    const person = await addSignedIn(service)
    const { user_code } = await startDevice(service, party)
    for (let at = 0; at < 12; at++)
      expect((await sendDeviceForm(service, '/device', { user_code }, person)).status).toBe(200)
  })

  it('is decided once by parallel answers', async () => {
    const people = await together(10, () => addSignedIn(service))
    const { device_code, user_code } = await startDevice(service, party)
    const answers = await Promise.all(
      people.map(({ bearer }, at) =>
        answerDevice(service, user_code, at % 2 ? 'continue' : 'cancel', bearer),
      ),
    )
    expect(answers.filter((answer) => answer.status === 200 && !isWrong(answer)).length).toBe(1)
    const { status, body } = await pollDevice(service, party, device_code)
    expect(status === 200 || body.error === 'access_denied').toBe(true)
  })

  it('is not approved by a page of another site', async () => {
    const person = await addSignedIn(service)
    const { device_code, user_code } = await startDevice(service, party)
    for (const site of ['cross-site', 'same-site']) {
      const page = await sendDeviceForm(service, '/device', { user_code }, person)
      const fields = { answer: 'continue', ...readHiddenFields(page) }
      const answer = await sendDeviceForm(service, '/device/answer', fields, { ...person, site })
      expect(answer.status).toBe(403)
    }
    expect((await pollDevice(service, party, device_code)).body.error).toBe('authorization_pending')
  })

  it('is not approved by its address, nor without an answer', async () => {
    const person = await addSignedIn(service)
    const { device_code, user_code } = await startDevice(service, party)
    const cookie = `latchkey=${person.bearer}`
    const page = await sendDeviceForm(service, '/device', { user_code }, person)
    const { shown = '' } = readHiddenFields(page)
    for (const query of [`user_code=${user_code}`, `user_code=${user_code}&answer=continue`])
      await service.client('GET', `/device?${query}`, { headers: { cookie } })
    for (const answer of ['', 'yes', '__proto__'])
      expect(
        (await sendDeviceForm(service, '/device/answer', { user_code, answer, shown }, person)).status,
      ).toBe(400)
    expect((await pollDevice(service, party, device_code)).body.error).toBe('authorization_pending')
  })

  it('is not accepted from a guest, an API token, or no one', async () => {
    const { user_code } = await startDevice(service, party)
    const { value } = await addLink(service, admin.bearer)
    const guest = (await redeem(service, value)).body.session_key
    const tokens = await service.client('POST', '/api/2/auth/api-tokens', {
      ...{ bearer: admin.bearer, body: { name: 'a job' } },
    })
    for (const bearer of [guest, tokens.body.token, 'nothing', undefined])
      expect((await answerDevice(service, user_code, 'continue', bearer)).status).toBe(303)
  })

  it('leads to a new sign-in after the user ended the access', async () => {
    const [person, own] = [await addSignedIn(service), await addDeviceClient()]
    await getDeviceTokens(service, own, person.bearer)
    await service.client('DELETE', `/api/2/users/me/apps/${own.client.id}`, { bearer: person.bearer })
    const { device_code, user_code } = await startDevice(service, own)
    const answers = [
      await sendDeviceForm(service, '/device', { user_code }, person),
      await answerDevice(service, user_code, 'continue', person.bearer),
    ]
    for (const { status, headers } of answers) {
      expect(status).toBe(303)
      expect(new URL(headers.get('location') ?? '').searchParams.get('prompt')).toBe('login')
    }
    expect((await pollDevice(service, own, device_code)).body.error).toBe('authorization_pending')
  })
})

describe('fields', () => {
  const names = ['__proto__', 'constructor', 'toString']
  it('that are repeated are refused', async () => {
    const id = `client_id=${party.client.clientId}`
    expect((await postDevice(service, `${id}&${id}`)).status).toBe(400)
    expect((await postDevice(service, `${id}&scope=openid&scope=email`)).status).toBe(400)
    expect((await sendDeviceForm(service, '/device', 'user_code=a&user_code=b', admin)).status).toBe(400)
    expect((await service.client('GET', '/device?user_code=a&user_code=b')).status).toBe(400)
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const twice = `${new URLSearchParams({ grant_type, ...proveClient(party) })}&device_code=a&device_code=b`
    expect((await postToken(service, twice)).status).toBe(400)
  })

  it.each([...names, 'x'.repeat(20_000), '\0', '%', '🐙'])('are texts: %j', async (text) => {
    expect((await postDevice(service, { client_id: text })).status).toBe(401)
    for (const fields of [{ scope: text }, { resource: text }] as Record<string, string>[])
      expect((await postDevice(service, { ...proveClient(party), ...fields })).status).toBe(400)
    const page = await sendDeviceForm(service, '/device', { user_code: text }, admin)
    expect([page.status, isWrong(page)]).toEqual([200, true])
  })

  it('that are too large are refused', async () => {
    const scope = 'x'.repeat(70_000)
    expect((await postDevice(service, { ...proveClient(party), scope })).status).toBe(413)
    expect((await sendDeviceForm(service, '/device', { user_code: scope }, admin)).status).toBe(413)
  })
})
