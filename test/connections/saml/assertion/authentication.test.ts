import { expect, it } from 'vitest'
import { validateResponse } from '../../../../lib/features/connections/saml/assertion/validate-response.ts'
import { attributes, timeIn } from '../../../support/idp/xml.ts'
import { makeBench } from '../../../support/saml-bench.ts'

/* An assertion may have several authentication statements. */

const bench = await makeBench()

interface Statement {
  /** Seconds from now. */
  readonly authenticated?: number
  readonly end?: number
  readonly index?: string
}

const statement = ({ authenticated = -5, end, index }: Statement): string => {
  const head = attributes({
    AuthnInstant: timeIn(authenticated),
    SessionNotOnOrAfter: end === undefined ? null : timeIn(end),
    SessionIndex: index,
  })
  return `<saml:AuthnStatement${head}><saml:AuthnContext><saml:AuthnContextClassRef>urn:x</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
}
const posted = (...given: readonly Statement[]) => {
  const all = given.map(statement).join('')
  const assertion = (xml: string) => xml.replace('</saml:Assertion>', `${all}</saml:Assertion>`)
  return bench.posted({ hasAuthnStatement: false, change: { assertion } })
}
const result = async (...given: readonly Statement[]) =>
  validateResponse(await posted(...given), bench.expected())

it('several authentication statements are accepted, and the earliest session end counts', async () => {
  for (const order of [
    [{ end: 7200 }, { end: 600 }, {}],
    [{}, { end: 600 }, { end: 7200 }],
  ]) {
    const received = await result(...order)
    const end = 'assertion' in received ? (received.assertion.sessionEndsAt ?? 0) : 0
    expect(Math.round((end - Date.now()) / 60_000)).toBe(10)
  }
  expect(await result({}, {})).toHaveProperty('assertion.sessionEndsAt', null)
})

it('one authentication statement with an expired session is enough to reject the assertion', async () => {
  expect(await result({ end: 7200 }, { end: -90 })).toHaveProperty('refusal.reason', 'session_end')
  expect(await result({ end: -90 }, {})).toHaveProperty('refusal.reason', 'session_end')
})

it('the session index is the first that any authentication statement contains', async () => {
  expect(await result({}, { index: 'one' }, { index: 'two' })).toHaveProperty(
    'assertion.subject.sessionIndex',
    'one',
  )
  expect(await result({ index: ' one ' })).toHaveProperty('assertion.subject.sessionIndex', 'one')
  expect(await result({ index: ' ' }, {})).toHaveProperty('assertion.subject.sessionIndex', null)
})

it('one recent authentication statement is enough for ForceAuthn', async () => {
  const request = { id: '_request', forceAuthn: true, sentAt: Date.now() }
  const validateForced = async (...given: readonly Statement[]) =>
    validateResponse(await posted(...given), bench.expected({ request }))
  expect(await validateForced({ authenticated: -3600 }, { authenticated: 0 })).toHaveProperty('assertion.id')
  expect(await validateForced({ authenticated: 0 }, { authenticated: -3600 })).toHaveProperty('assertion.id')
  expect(await validateForced({ authenticated: -3600 }, { authenticated: -7200 })).toHaveProperty(
    'refusal.reason',
    'force_authn',
  )
})
