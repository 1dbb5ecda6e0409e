import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checks } from '../../lib/features/connections/saml/assertion/checks.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addSignedIn } from '../support/people.ts'
import {
  addProvider,
  countSessions,
  itemsIn,
  patchProvider,
  signInByConnection,
  startSignIn,
} from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const diagnose = (body: object, bearer = provider.admin, id = provider.id) =>
  service.client('POST', `/api/2/auth/saml/${id}/diagnose`, { bearer, body })

/** Diagnoses a response to a pending sign-in. */
const diagnosed = async (facts: AnswerFacts = {}) => {
  const { browser, target } = await startSignIn(service, provider)
  const { form } = await provider.idp.answer(target, facts)
  const body = { saml_response: form.SAMLResponse, relay_state: form.RelayState }
  return { browser, form, body, answer: await diagnose(body) }
}

describe('the diagnosis of an acceptable response', () => {
  it('reports every check and the user whom the response would sign in', async () => {
    const nameId = `known-${randomUUID()}`
    const { session } = await signInByConnection(service, provider, { nameId })
    const me = (await service.client('GET', '/api/2/users/me', { bearer: session })).body
    const { answer } = await diagnosed({
      nameId,
      sessionIndex: 's1',
      attributes: { mail: 'x@example.com', displayName: 'X', groups: ['a', 'b'] },
    })
    expect(answer.status).toBe(200)
    expect(answer.body.accepted).toBe(true)
    expect(answer.body.steps.map(({ name }: { name: string }) => name)).toEqual([
      ...checks.map(({ name }) => name),
      'replay',
      'account',
    ])
    expect(answer.body.steps[0]).toEqual({
      name: 'encoding',
      clause: 'Bindings 3.5.4',
      outcome: 'held',
      finding: 'The response is Base64-encoded text.',
      remedy: null,
    })
    expect(answer.body.steps.at(-1).finding).toBe(`The response signs in the user ${me.username}.`)
    expect(answer.body.subject).toEqual({
      name_id: nameId,
      name_id_format: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      session_index: 's1',
      username: null,
      email: 'x@example.com',
      full_name: 'X',
      groups: ['a', 'b'],
      user: me.id,
      authn_contexts: ['urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'],
      attributes: [
        { name: 'mail', values: ['x@example.com'], is_cut: false },
        { name: 'displayName', values: ['X'], is_cut: false },
        { name: 'groups', values: ['a', 'b'], is_cut: false },
      ],
    })
  })

  it('signs no one in and uses nothing up: the response is still accepted afterwards', async () => {
    const before = { sessions: await countSessions(service), items: (await itemsIn(service, '')).length }
    const { browser, form } = await diagnosed({ nameId: `later-${randomUUID()}` })
    // Only the pending sign-in exists, and nothing else was stored.
    expect((await itemsIn(service, '')).length).toBe(before.items + 1)
    expect(await countSessions(service)).toBe(before.sessions)
    expect((await browser.post(provider.assertionUrl, form)).status).toBe(303)
  })

  it('reports a response that was used before', async () => {
    const { browser, form, body } = await diagnosed()
    await browser.post(provider.assertionUrl, form)
    const answer = await diagnose(body)
    expect(answer.body).toMatchObject({ accepted: false })
    expect(answer.body.steps.find(({ name }: { name: string }) => name === 'replay').outcome).toBe('failed')
  })

  it('reports users who cannot sign in', async () => {
    await patchProvider(service, provider, { auto_create_users: false })
    const { answer } = await diagnosed({ nameId: `unknown-${randomUUID()}` })
    await patchProvider(service, provider, { auto_create_users: true })
    expect(answer.body.accepted).toBe(false)
    expect(answer.body.steps.at(-1)).toMatchObject({ name: 'account', outcome: 'failed' })
  })

  it('works without RelayState and then skips the checks against a pending sign-in', async () => {
    const { form } = await diagnosed({ inResponseTo: '_x', response: { inResponseTo: '_x' } })
    const answer = await diagnose({ saml_response: form.SAMLResponse })
    expect(answer.body.accepted).toBe(true)
  })
})

describe('the pending sign-in of a response', () => {
  const forceAuthn = async (relayState: string | undefined) => {
    const { target } = await startSignIn(service, provider, '?force_authn=true')
    const { form } = await provider.idp.answer(target, { times: { authenticated: -3600 } })
    const answer = await diagnose({
      saml_response: form.SAMLResponse,
      ...(relayState === undefined ? {} : { relay_state: relayState }),
    })
    return answer.body.steps.find(({ name }: { name: string }) => name === 'force_authn').outcome
  }

  it('is found by its request ID, as in a real sign-in', async () => {
    for (const lost of [undefined, '']) expect([lost, await forceAuthn(lost)]).toEqual([lost, 'failed'])
  })
})

describe('the diagnosis of an unacceptable response', () => {
  it('reports all problems, each with advice', async () => {
    const { answer } = await diagnosed({
      audiences: ['https://elsewhere.example.com'],
      recipient: 'https://elsewhere.example.com/acs',
      times: { notOnOrAfter: -3600 },
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ accepted: false, subject: null })
    const failed = answer.body.steps.filter(({ outcome }: { outcome: string }) => outcome === 'failed')
    expect(failed.map(({ name }: { name: string }) => name)).toEqual([
      'recipient',
      'conditions_time',
      'audience',
    ])
    expect(failed[2].remedy).toContain(provider.metadataUrl)
    expect(failed[0].remedy).toContain(provider.assertionUrl)
    expect(failed[1].finding).toBe('The response expired 60 minutes ago.')
  })

  it('names no user before the response is proven to be genuine', async () => {
    const { answer } = await diagnosed({ sign: 'none' })
    expect(answer.body.subject).toBeNull()
    const outcomes = new Map(
      answer.body.steps.map(({ name, outcome }: { name: string; outcome: string }) => [name, outcome]),
    )
    expect([outcomes.get('signed'), outcomes.get('audience')]).toEqual(['failed', 'skipped'])
  })

  it('reports a changed certificate', async () => {
    const { answer } = await diagnosed({ signing: { signer: (await makeIdp()).signer } })
    const failed = answer.body.steps.find(({ outcome }: { outcome: string }) => outcome === 'failed')
    expect(failed).toMatchObject({
      name: 'assertion_signature',
      remedy: expect.stringContaining('refresh its metadata'),
    })
  })

  it.each(['x', '<xml>', 'PHg+', '='.repeat(100), '\u0000'])(
    'handles any form of input: %j',
    async (text) => {
      const answer = await diagnose({ saml_response: text })
      expect(answer.status).toBe(200)
      expect(answer.body.accepted).toBe(false)
    },
  )
})

describe('the caller of a diagnosis', () => {
  it('must be an administrator', async () => {
    const { bearer } = await addSignedIn(service, { permissions: ['users:manage'] })
    expect((await diagnose({ saml_response: 'x' }, bearer)).status).toBe(403)
    const answer = await service.client('POST', `/api/2/auth/saml/${provider.id}/diagnose`, {
      body: { saml_response: 'x' },
    })
    expect(answer.status).toBe(401)
  })

  it('gets a clear answer for missing fields and unknown providers', async () => {
    expect((await diagnose({})).status).toBe(400)
    expect((await diagnose({ saml_response: 'x', user: 1 })).status).toBe(400)
    expect((await diagnose({ saml_response: 'x' }, provider.admin, 2_147_483_647)).status).toBe(404)
    expect((await diagnose({ saml_response: 'x'.repeat(257 * 1024) })).status).toBe(413)
  })
})
