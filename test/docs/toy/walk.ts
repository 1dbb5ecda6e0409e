import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { TestBrowser } from '../support/browser.ts'
import { addSignedIn } from '../support/people.ts'
import { sessionOf } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* The whole way of a person through a toy connection, and of those who attack it. */

const service = await useService()
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const path = '/api/2/auth/toy-connections'
const key = 'a key that both sides know'
const created = await service.client('POST', path, {
  ...{ bearer, body: { name: 'Toy', sign_in_url: 'https://toy.example.com/', shared_key: key } },
})

const create = () =>
  service.client('POST', path, {
    bearer,
    body: { name: 'Toy', sign_in_url: 'https://toy.example.com/', shared_key: key, auto_create_users: true },
  })

const signAs = (state: string, name: string, secret = key): string =>
  new URLSearchParams({
    ...{ state, name },
    mac: createHmac('sha256', secret).update(`${state} ${name}`).digest('base64url'),
  }).toString()

const start = async (id: number, browser = new TestBrowser(service)) => {
  const started = await browser.get(`${path}/${id}/start`)
  expect(started.status, started.text).toBe(303)
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  return { browser, state }
}

it('rejects a connection without all fields', () => expect(created.status).toBe(400))

it('signs a person in once, in the browser that started the sign-in', async () => {
  const { status, body, text } = await create()
  expect(status, text).toBe(201)
  expect(text).not.toContain(key)
  const { browser, state } = await start(body.id)
  const answer = `${path}/${body.id}/callback?${signAs(state, 'toy-ada')}`
  expect((await new TestBrowser(service).get(answer, 'cross-site')).status).toBe(401)
  expect((await (await start(body.id)).browser.get(answer, 'cross-site')).status).toBe(401)
  const signedIn = await browser.get(answer, 'cross-site')
  expect(signedIn.status, signedIn.text).toBe(303)
  const session = sessionOf(signedIn)
  const me = await service.client('GET', '/api/2/users/me', { bearer: session ?? '' })
  expect(me.body).toMatchObject({ username: 'toy-ada' })
  expect((await browser.get(signedIn.headers.get('location') ?? '')).status).toBe(303)
  expect((await browser.get(answer, 'cross-site')).status).toBe(401)

  const list = await service.client('GET', path, { bearer })
  expect(list.body).toContainEqual(body)
  const removed = await service.client('DELETE', `${path}/${body.id}`, { bearer })
  expect(removed.status, removed.text).toBe(204)
  expect((await service.client('GET', '/api/2/users/me', { bearer: session ?? '' })).status).toBe(401)
  expect((await new TestBrowser(service).get(`${path}/${body.id}/start`)).status).toBe(404)
  expect((await service.client('GET', path, { bearer })).body).not.toContainEqual(body)
})

it('uses a sign-in up with an answer that is not signed', async () => {
  const { body } = await create()
  const { browser, state } = await start(body.id)
  const forged = await browser.get(`${path}/${body.id}/callback?${signAs(state, 'toy-eve', 'guess')}`)
  expect(forged.status).toBe(401)
  const signed = await browser.get(`${path}/${body.id}/callback?${signAs(state, 'toy-eve')}`)
  expect(signed.status).toBe(401)
})
