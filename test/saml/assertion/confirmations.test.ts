import { beforeAll, describe, expect, it } from 'vitest'
import { validateResponse } from '../../../lib/saml/assertion/validate-response.ts'
import { bearerMethod } from '../../support/idp/names.ts'
import { attributes, timeIn } from '../../support/idp/xml.ts'
import { type Bench, makeBench } from '../../support/saml-steps.ts'

/* An assertion may be confirmed in several ways, for several services and requests: one that is right is enough. */

let bench: Bench
beforeAll(async () => {
  bench = await makeBench()
})

interface Confirmation {
  readonly method?: string
  readonly recipient?: string | null
  readonly inResponseTo?: string | null
  /** Seconds from now. */
  readonly notBefore?: number
  readonly notOnOrAfter?: number | null
  readonly hasData?: boolean
}

const confirmation = (given: Confirmation = {}): string => {
  const { method = bearerMethod, recipient = bench.target.acsUrl, inResponseTo = '_request' } = given
  const { notOnOrAfter = 300, notBefore, hasData = true } = given
  const data = attributes({
    Recipient: recipient,
    InResponseTo: inResponseTo,
    NotBefore: notBefore === undefined ? null : timeIn(notBefore),
    NotOnOrAfter: notOnOrAfter === null ? null : timeIn(notOnOrAfter),
  })
  const content = hasData ? `<saml:SubjectConfirmationData${data}/>` : ''
  return `<saml:SubjectConfirmation Method="${method}">${content}</saml:SubjectConfirmation>`
}
const result = async (...given: readonly Confirmation[]) => {
  const confirmationXml = given.map(confirmation).join('')
  return validateResponse(await bench.posted({ confirmationXml }), bench.expected())
}

const bad: readonly (readonly [string, Confirmation])[] = [
  ['for another service', { recipient: 'https://other.example.com/acs' }],
  ['for nobody', { recipient: null }],
  ['for another request', { inResponseTo: '_other' }],
  ['for no request', { inResponseTo: null }],
  ['that is over', { notOnOrAfter: -90 }],
  ['without an end', { notOnOrAfter: null }],
  ['that is yet to come', { notBefore: 90 }],
  ['without data', { hasData: false }],
  ['by a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }],
  ['of the sender', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches', hasData: false }],
]

describe('beside one that is right', () => {
  it.each(bad)('one %s takes nothing away, in either order', async (_, other) => {
    expect(await result(other)).toHaveProperty('refusal')
    expect(await result({}, other)).toHaveProperty('assertion.id')
    expect(await result(other, {})).toHaveProperty('assertion.id')
  })

  it('any number takes nothing away', async () => {
    expect(await result(...bad.map(([, other]) => other), {}, {})).toHaveProperty('assertion.id')
  })
})

describe('among several that are wrong', () => {
  it('what is wrong with the next best is told', async () => {
    const [over, forOther, elsewhere] = [
      { notOnOrAfter: -90 },
      { inResponseTo: '_other' },
      { recipient: 'https://other.example.com/acs' },
    ]
    expect(await result(elsewhere, over, forOther)).toHaveProperty('refusal.reason', 'confirmed_time')
    expect(await result(elsewhere, forOther)).toHaveProperty('refusal.reason', 'confirmed_request')
    expect(await result({ hasData: false }, elsewhere)).toHaveProperty('refusal.reason', 'recipient')
    expect(await result({ hasData: false }, { hasData: false })).toHaveProperty(
      'refusal.reason',
      'confirmation',
    )
  })

  it('none is made up of the parts of others', async () => {
    const parts = bad.filter(([, { method }]) => method === undefined).map(([, other]) => other)
    for (const one of parts)
      for (const other of parts) expect(await result(one, other)).toHaveProperty('refusal')
  })
})

it('a beginning is held against the clock, though a bearer’s has none', async () => {
  expect(await result({ notBefore: -5 })).toHaveProperty('assertion.id')
  expect(await result({ notBefore: 30 })).toHaveProperty('assertion.id')
  expect(await result({ notBefore: 90 })).toHaveProperty('refusal.reason', 'confirmed_time')
})

it('the assertion is remembered for as long as any of them lasts, or another one would bring it a second time', async () => {
  for (const order of [
    [{ notOnOrAfter: 60 }, { notOnOrAfter: 3600, inResponseTo: '_later' }],
    [{ notOnOrAfter: 3600, inResponseTo: '_later' }, { notOnOrAfter: 60 }],
  ]) {
    const received = await result(...order)
    const usableUntil = 'assertion' in received ? received.assertion.usableUntil : 0
    expect(usableUntil - Date.now()).toBeGreaterThan(3_500_000)
  }
})
