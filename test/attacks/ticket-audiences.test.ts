import { describe, expect, it } from 'vitest'
import { hashCredential } from '../../lib/kernel/secrets/credentials.ts'
import { ticketKey } from '../../lib/kernel/table/keys/keys.ts'
import { flipBit } from '../support/flip-bit.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A product that gets a ticket must not be able to pass it on to another product as its own. */

const shop = 'https://shop.example.com'
const archive = 'https://archive.example.com'
const longestOrigin = `https://${'a'.repeat(243)}.com`
const service = await useService()
const person = await addSignedIn(service)

const requestTicket = (body: unknown) =>
  service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer, body })
const create = async (body: object = {}): Promise<string> => {
  const answer = await requestTicket(body)
  expect(answer.status).toBe(200)
  return answer.body.ticket
}
const check = (ticket: string, fields: object = {}) =>
  service.client('POST', '/api/2/auth/ticket/check', { body: { ticket, ...fields } })
const statusOf = async (ticket: string, fields: object = {}) => (await check(ticket, fields)).status

describe('a ticket for an audience', () => {
  it('is refused without the audience and for any other, with the response of an unknown ticket', async () => {
    const ticket = await create({ audience: shop })
    const unknown = await check(flipBit(ticket))
    const others = [
      {},
      { audience: archive },
      { audience: 'http://shop.example.com' },
      { audience: `${shop}:8443` },
      { audience: 'https://shop.example.com.attacker.example' },
      { audience: 'https://sub.shop.example.com' },
    ]
    for (const fields of others) {
      const { status, body } = await check(ticket, fields)
      expect({ status, body: { ...body, request_id: '' } }).toEqual({
        status: unknown.status,
        body: { ...unknown.body, request_id: '' },
      })
    }
    expect(unknown.status).toBe(404)
    // A wrong audience must not use up the ticket: another product could end it with a guess.
    expect(await statusOf(ticket, { audience: shop })).toBe(200)
    expect(await statusOf(ticket, { audience: shop })).toBe(404)
  })

  it('is accepted once while others try it in parallel with other audiences', async () => {
    const ticket = await create({ audience: shop })
    const audiences = Array.from({ length: 60 }, (_, at) => [shop, archive, undefined][at % 3])
    const answers = await Promise.all(
      audiences.map(async (audience) => ({ audience, status: await statusOf(ticket, { audience }) })),
    )
    const accepted = answers.filter(({ status }) => status === 200)
    expect(accepted).toEqual([{ audience: shop, status: 200 }])
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(59)
  })

  it.each([
    ['https://Shop.Example.com', shop],
    ['https://shop.example.com:443', shop],
    ['https://shop.example.com/', shop],
    ['https://müller.example', 'https://xn--mller-kva.example'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    [longestOrigin, longestOrigin],
  ])('named %s is the same as %s', async (named, origin) => {
    expect(await statusOf(await create({ audience: named }), { audience: origin })).toBe(200)
    expect(await statusOf(await create({ audience: origin }), { audience: named })).toBe(200)
  })
})

it('refuses a ticket without an audience in a check that names one, and does not use it up', async () => {
  const ticket = await create()
  expect(await statusOf(ticket, { audience: shop })).toBe(404)
  expect(await statusOf(ticket)).toBe(200)
})

describe('an audience', () => {
  it.each([
    '',
    'shop.example.com',
    'null',
    '*',
    'https://',
    `${shop}/path`,
    `${shop}?`,
    `${shop}#`,
    'https://user@shop.example.com',
    `${shop} `,
    `${shop}\t`,
    `${shop},${archive}`,
    'ftp://shop.example.com',
    `blob:${shop}`,
    'https:\\\\shop.example.com',
    `${longestOrigin}a`,
    null,
    7,
    [shop],
    { origin: shop },
  ])('of %j is rejected at creation and at the check', async (audience) => {
    const created = await requestTicket({ audience })
    expect(created).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    const ticket = await create()
    expect((await check(ticket, { audience })).status).toBe(400)
    expect(await statusOf(ticket)).toBe(200)
  })

  it('that is named twice is rejected', async () => {
    const raw = JSON.stringify({ audience: shop }).replace('}', `,"audience":"${archive}"}`)
    const answer = await service.client('POST', '/api/2/auth/ticket', {
      bearer: person.bearer,
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status).toBe(400)
  })
})

it.each([
  ['no body', {}],
  ['an empty body with a content type', { headers: { 'content-type': 'application/json' } }],
  ['an empty object', { body: {} }],
  ['null', { body: null }],
])('creates a ticket for any server from %s, as published clients send it', async (_, options) => {
  const answer = await service.client('POST', '/api/2/auth/ticket', { bearer: person.bearer, ...options })
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['ticket'])
  const checked = await check(answer.body.ticket)
  expect(checked.status).toBe(200)
  expect(checked.body).not.toHaveProperty('context')
})

it('stores a ticket with a long audience in one write unit, which is 1 KB', async () => {
  const ticket = await create({ audience: longestOrigin })
  const stored = await service.services.table.get(ticketKey(hashCredential(ticket)))
  expect(stored?.['userId']).toBe(person.user.id)
  expect(JSON.stringify(stored).length).toBeLessThan(800)
})
