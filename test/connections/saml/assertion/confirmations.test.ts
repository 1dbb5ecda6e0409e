import { describe, expect, it } from 'vitest'
import { validateResponse } from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { bearerMethod } from '../../../support/idp/names.ts'
import { attributes, timeIn } from '../../../support/idp/xml.ts'
import { makeBench } from '../../../support/saml-bench.ts'

/* An assertion may have several confirmations, for several services and requests. One valid confirmation is enough. */

const bench = await makeBench()

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
  ['without a recipient', { recipient: null }],
  ['for another request', { inResponseTo: '_other' }],
  ['for no request', { inResponseTo: null }],
  ['that has expired', { notOnOrAfter: -90 }],
  ['without an end', { notOnOrAfter: null }],
  ['that is not valid yet', { notBefore: 90 }],
  ['without data', { hasData: false }],
  ['by a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }],
  ['of the sender', { method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches', hasData: false }],
]

describe('an assertion with a valid confirmation', () => {
  it.each(bad)('is accepted with another confirmation %s, in either order', async (_, other) => {
    expect(await result(other)).toHaveProperty('refusal')
    expect(await result({}, other)).toHaveProperty('assertion.id')
    expect(await result(other, {})).toHaveProperty('assertion.id')
  })

  it('is accepted with any number of invalid confirmations', async () => {
    expect(await result(...bad.map(([, other]) => other), {}, {})).toHaveProperty('assertion.id')
  })
})

describe('an assertion with only invalid confirmations', () => {
  it('is rejected with the reason of the best confirmation', async () => {
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

  it('is rejected even if each check passes for one of them', async () => {
    const parts = bad.filter(([, { method }]) => method === undefined).map(([, other]) => other)
    for (const one of parts)
      for (const other of parts) expect(await result(one, other)).toHaveProperty('refusal')
  })
})

it('NotBefore of a bearer confirmation is checked, although SAML does not allow it', async () => {
  expect(await result({ notBefore: -5 })).toHaveProperty('assertion.id')
  expect(await result({ notBefore: 30 })).toHaveProperty('assertion.id')
  expect(await result({ notBefore: 90 })).toHaveProperty('refusal.reason', 'confirmed_time')
})

it('an assertion can be replayed until its last confirmation expires, so usableUntil is the latest end', async () => {
  for (const order of [
    [{ notOnOrAfter: 60 }, { notOnOrAfter: 3600, inResponseTo: '_later' }],
    [{ notOnOrAfter: 3600, inResponseTo: '_later' }, { notOnOrAfter: 60 }],
  ]) {
    const received = await result(...order)
    const usableUntil = 'assertion' in received ? received.assertion.usableUntil : 0
    expect(usableUntil - Date.now()).toBeGreaterThan(3_500_000)
  }
})
