import { describe, expect, it } from 'vitest'
import { replaced } from '../support/idp/xml.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { addProvider, sessionOf, startSignIn } from '../support/saml.ts'
import { expectOneChangeAway, expectRefused } from '../support/saml-attack.ts'
import { useService } from '../support/use-service.ts'

/* Responses that only one of the two verifiers accepts. Their signatures are by the provider, as if it had been misused. */

const service = await useService({ PUBLIC_URL: 'https://auth.example.com' })
const provider = await addProvider(service, await makeIdp())

const inAssertion = (part: string | RegExp, by: string): AnswerFacts => ({
  change: { assertion: (xml) => replaced(xml, part, by) },
})

/** What a reader sees who does not look at namespaces. */
const ambiguous: readonly (readonly [string, AnswerFacts])[] = [
  [
    'a second set of conditions',
    inAssertion('</saml:Conditions>', '</saml:Conditions><x:Conditions xmlns:x="urn:x"/>'),
  ],
  [
    'a set of conditions before the right one',
    inAssertion('<saml:Conditions', '<x:Conditions xmlns:x="urn:x"/><saml:Conditions'),
  ],
  [
    'a restriction to another audience',
    inAssertion(
      '<saml:Conditions',
      '<x:Conditions xmlns:x="urn:x"><x:AudienceRestriction><x:Audience>x</x:Audience></x:AudienceRestriction></x:Conditions><saml:Conditions',
    ),
  ],
]

describe('a response that two verifiers read differently', () => {
  it.each(ambiguous)('by %s signs no one in, in any signed form', async (name, facts) => {
    for (const sign of ['assertion', 'response', 'both'] as const)
      await expectOneChangeAway(service, provider, name, { ...facts, sign }, { sign })
    const encrypt = { certificate: provider.own.pem }
    await expectRefused(service, provider, name, { ...facts, encrypt })
  })

  it('is explained to an administrator, and to no one else', async () => {
    const [[, facts = {}] = []] = ambiguous
    const { browser, target } = await startSignIn(service, provider)
    const { form } = await provider.idp.answer(target, facts)
    const body = { saml_response: form.SAMLResponse, relay_state: form.RelayState }
    const path = `/api/2/auth/saml/${provider.id}/diagnose`
    const { steps, accepted } = (await service.client('POST', path, { bearer: provider.admin, body })).body
    expect(accepted).toBe(false)
    expect(steps.filter(({ outcome }: { outcome: string }) => outcome !== 'held')).toEqual([
      {
        name: 'second_verifier',
        clause: 'Core 5.4',
        outcome: 'failed',
        finding: expect.stringContaining('A second, independent check'),
        remedy: expect.stringContaining('rsa-sha256'),
      },
    ])
    expect((await service.client('POST', path, { body })).status).toBe(401)
    const refused = await browser.postByScript(provider.assertionUrl, form)
    expect([refused.status, sessionOf(refused)]).toEqual([401, undefined])
    expect(refused.text).toContain('A second, independent check')
  })
})
