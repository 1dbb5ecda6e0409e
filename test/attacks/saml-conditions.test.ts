import { describe, expect, it } from 'vitest'
import { bearerMethod, ns, statuses } from '../support/idp/names.ts'
import { replaced } from '../support/idp/xml.ts'
import { type AnswerFacts, formOf } from '../support/idp.ts'
import { sessionOf, startSignIn } from '../support/saml.ts'
import {
  expectAccepted,
  expectOneChangeAway,
  expectRefused,
  useTwoProviders,
} from '../support/saml-attack.ts'

/* A correctly signed response still has to match its issuer, audience, address, time, and request. */

const { service, provider, other } = await useTwoProviders()

/** Applies each change to a signed assertion and to an assertion inside a signed response. */
const oneChangeAway = async (name: string, attack: AnswerFacts, honest: AnswerFacts = {}): Promise<void> => {
  await expectRefused(service, provider, `${name}, signed response`, { ...attack, sign: 'both' })
  await expectOneChangeAway(service, provider, name, attack, honest)
}

describe('the issuer', () => {
  it('must be exactly the provider in the assertion and in the response', async () => {
    const wrong = [other.idp.entityId, provider.metadataUrl, provider.idp.entityId.toUpperCase(), '', ' ']
    for (const issuer of wrong) {
      await oneChangeAway(`assertion by ${issuer}`, { issuer })
      await oneChangeAway(`response by ${issuer}`, { response: { issuer } })
    }
    await oneChangeAway('no one', { issuer: null })
    const twice = (xml: string) =>
      replaced(xml, '<saml:Subject>', `<saml:Issuer>${provider.idp.entityId}</saml:Issuer><saml:Subject>`)
    await oneChangeAway('two', { issuer: 'https://evil.example', change: { assertion: twice } })
  })
})

describe('the audience', () => {
  it('must be the service’s entity ID for this provider', async () => {
    const wrong = [
      [other.metadataUrl],
      ['https://auth.example.com'],
      [`${provider.metadataUrl}/`],
      [provider.metadataUrl.replace('https', 'http')],
      [''],
      [],
    ]
    for (const audiences of wrong) await oneChangeAway(`audience ${audiences}`, { audiences })
    await oneChangeAway('no restriction', { audiences: null })
    await expectAccepted(service, provider, 'one of several', {
      audiences: ['https://elsewhere.example', provider.metadataUrl],
    })
  })

  it('must match in each of several restrictions', async () => {
    const more = (audience: string) => ({
      conditionsXml: `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`,
    })
    await oneChangeAway('another one besides', more(other.metadataUrl), more(provider.metadataUrl))
  })
})

describe('the address', () => {
  it('must be the assertion consumer service, as destination and as recipient', async () => {
    const wrong = [
      null,
      '',
      other.assertionUrl,
      provider.metadataUrl,
      `${provider.assertionUrl}/`,
      `${provider.assertionUrl}?x=1`,
      `${provider.assertionUrl}#x`,
      provider.assertionUrl.replace('https', 'http'),
      provider.assertionUrl.replace('auth.', 'AUTH.'),
      `https://evil.example/${provider.assertionUrl}`,
    ]
    for (const address of wrong) {
      await oneChangeAway(`recipient ${address}`, { recipient: address })
      await expectRefused(service, provider, `destination ${address}`, {
        sign: 'both',
        response: { destination: address },
      })
      await oneChangeAway(`destination ${address}`, { response: { destination: address } })
    }
  })
})

describe('the request', () => {
  it('must be the one that the browser was sent with, in the response and in the confirmation', async () => {
    const { target } = await startSignIn(service, provider)
    for (const inResponseTo of [null, '', '_made-up', target.requestId ?? '']) {
      await oneChangeAway(`confirmation of ${inResponseTo}`, { inResponseTo })
      await oneChangeAway(`response to ${inResponseTo}`, { response: { inResponseTo } })
      await oneChangeAway(`both ${inResponseTo}`, { inResponseTo, response: { inResponseTo } })
    }
  })
})

describe('the status', () => {
  it('must be success at the top level, not somewhere else', async () => {
    for (const status of [statuses.requester, statuses.responder, statuses.authnFailed, 'Success', '', null])
      await oneChangeAway(`status ${status}`, { response: { status } })
    await oneChangeAway('success inside of a failure', {
      response: { status: statuses.responder, subStatus: statuses.success },
    })
    const after = (xml: string) => {
      const success = `<samlp:Status><samlp:StatusCode Value="${statuses.success}"/></samlp:Status>`
      return replaced(xml, '</samlp:Response>', `${success}</samlp:Response>`)
    }
    await oneChangeAway('success after a failure', {
      response: { status: statuses.requester },
      change: { response: after },
    })
  })
})

describe('the version', () => {
  it('must be 2.0 in both', async () => {
    for (const version of ['1.1', '2', '2.1', '', null]) {
      await oneChangeAway(`assertion ${version}`, { version })
      await oneChangeAway(`response ${version}`, { response: { version } })
    }
    const older = (xml: string) => xml.replaceAll(ns.assertion, 'urn:oasis:names:tc:SAML:1.0:assertion')
    await oneChangeAway('SAML 1', { change: { assertion: older } })
  })
})

describe('the message', () => {
  it('must be a Response, not another element with a status and an assertion', async () => {
    const renamed = (name: string, namespace: string) => (xml: string) =>
      replaced(
        xml,
        `<samlp:Response xmlns:samlp="${ns.protocol}"`,
        `<${name} xmlns:samlp="${namespace}"`,
      ).replace(/<\/samlp:Response>$/, `</${name}>`)
    for (const name of ['samlp:ArtifactResponse', 'samlp:LogoutResponse', 'samlp:response', 'saml:Response'])
      await expectOneChangeAway(service, provider, name, {
        change: { signedResponse: renamed(name, ns.protocol) },
      })
    for (const namespace of [ns.assertion, 'urn:oasis:names:tc:SAML:1.0:protocol', 'urn:x'])
      await expectOneChangeAway(service, provider, namespace, {
        change: { signedResponse: renamed('samlp:Response', namespace) },
      })
  })
})

describe('the confirmation', () => {
  it('must be a complete bearer confirmation', async () => {
    for (const confirmationMethod of [
      'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key',
      'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches',
      '',
    ])
      await oneChangeAway(confirmationMethod, { confirmationMethod })
    await oneChangeAway('none', { confirmationXml: '' })
    await oneChangeAway('without data', {
      confirmationXml: `<saml:SubjectConfirmation Method="${bearerMethod}"/>`,
    })
    await oneChangeAway('without an end', { times: { confirmationNotOnOrAfter: null } })
  })

  it('is not assembled from parts of several', async () => {
    const part = (data: string) =>
      `<saml:SubjectConfirmation Method="${bearerMethod}"><saml:SubjectConfirmationData ${data}/></saml:SubjectConfirmation>`
    const { browser, target } = await startSignIn(service, provider)
    const end = new Date(Date.now() + 60_000).toISOString()
    const request = `InResponseTo="${target.requestId}"`
    const recipient = `Recipient="${target.acsUrl}"`
    const halves = part(`${request} NotOnOrAfter="${end}"`) + part(`${recipient} NotOnOrAfter="${end}"`)
    const refused = await provider.idp.answer(target, { confirmationXml: halves })
    expect((await browser.post(target.acsUrl, refused.form)).status).toBeGreaterThanOrEqual(400)
    const whole = part(`${request} NotOnOrAfter="${end}" ${recipient}`)
    const fresh = await startSignIn(service, provider)
    const honest = await provider.idp.answer(fresh.target, {
      confirmationXml: whole.replace(target.requestId ?? '', fresh.target.requestId ?? ''),
    })
    expect(sessionOf(await fresh.browser.post(target.acsUrl, honest.form))).toBeDefined()
  })

  it('may be one of several, and a second one does not allow a replay', async () => {
    const flows = [await startSignIn(service, provider), await startSignIn(service, provider)] as const
    const [first, second] = flows
    const confirmationXml = flows
      .map(({ target }, at) => {
        const end = new Date(Date.now() + (at + 1) * 60_000).toISOString()
        const data = `Recipient="${target.acsUrl}" InResponseTo="${target.requestId}" NotOnOrAfter="${end}"`
        return `<saml:SubjectConfirmation Method="${bearerMethod}"><saml:SubjectConfirmationData ${data}/></saml:SubjectConfirmation>`
      })
      .join('')
    const { xml, form } = await provider.idp.answer(first.target, { confirmationXml })
    const toSecond = replaced(
      xml,
      `InResponseTo="${first.target.requestId}"`,
      `InResponseTo="${second.target.requestId}"`,
    )
    expect(sessionOf(await first.browser.post(first.target.acsUrl, form))).toBeDefined()
    const again = await second.browser.post(second.target.acsUrl, formOf(toSecond, second.target.relayState))
    expect(again.status).toBeGreaterThanOrEqual(400)
    expect(sessionOf(again)).toBeUndefined()
    expect(again.text).toContain('already ended')
  })
})

describe('the statement', () => {
  it('about how the user authenticated must be present', async () => {
    await oneChangeAway('none', { hasAuthnStatement: false })
    await oneChangeAway('without a time', { times: { authenticated: null } })
  })
})

describe('conditions', () => {
  it('are rejected if they are unknown', async () => {
    const unknown = '<saml:Condition xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="x:y"/>'
    await oneChangeAway('unknown', { conditionsXml: unknown }, { conditionsXml: '<saml:OneTimeUse/>' })
    await oneChangeAway('unknown', { conditionsXml: '<x:Strict xmlns:x="urn:x"/>' })
  })

  it('must be present', async () => {
    const without = (xml: string) => replaced(xml, /<saml:Conditions[\s\S]*<\/saml:Conditions>/, '')
    await oneChangeAway('none', { change: { assertion: without } })
  })
})

describe('times', () => {
  /** Offsets in seconds from now. One minute of clock difference is allowed. */
  const cases: readonly (readonly [string, AnswerFacts, AnswerFacts])[] = [
    ['conditions ahead', { times: { notBefore: 90 } }, { times: { notBefore: 30 } }],
    ['conditions over', { times: { notOnOrAfter: -90 } }, { times: { notOnOrAfter: -30 } }],
    [
      'confirmation over',
      { times: { confirmationNotOnOrAfter: -90 } },
      { times: { confirmationNotOnOrAfter: -30 } },
    ],
    ['session over', { times: { sessionNotOnOrAfter: -90 } }, { times: { sessionNotOnOrAfter: 3600 } }],
    ['assertion ahead', { times: { issued: 90 } }, { times: { issued: 30 } }],
    ['assertion old', { times: { issued: -690 } }, { times: { issued: -590 } }],
    ['response ahead', { response: { issued: 90 } }, { response: { issued: 30 } }],
    ['response old', { response: { issued: -690 } }, { response: { issued: -590 } }],
  ]

  it.each(cases)('%s are rejected, with a tolerance of one minute', async (name, attack, honest) => {
    await oneChangeAway(name, attack, honest)
  })

  it('that start in the future are rejected in a bearer confirmation, which may have no such time', async () => {
    await oneChangeAway('ahead', { times: { confirmationNotBefore: 90 } })
  })

  it('that are not valid are rejected', async () => {
    for (const written of [
      '',
      'now',
      '2999-02-31T00:00:00Z',
      '2999-01-01',
      '2999-01-01T00:00:00',
      '9e15',
      'Infinity',
    ])
      for (const name of ['NotOnOrAfter', 'NotBefore', 'IssueInstant', 'AuthnInstant', 'SessionNotOnOrAfter'])
        await expectRefused(service, provider, `${name} ${written}`, {
          change: {
            assertion: (xml) => replaced(xml, new RegExp(`\\b${name}="[^"]*"`), `${name}="${written}"`),
          },
        })
    await expectAccepted(service, provider, 'as it is')
  })

  it('that are optional may be left out', async () => {
    await expectAccepted(service, provider, 'no session end', { times: { sessionNotOnOrAfter: null } })
    await expectAccepted(service, provider, 'no beginning', { times: { notBefore: null } })
  })
})

it('force_authn requires a fresh authentication at the provider', async () => {
  const begin = () => startSignIn(service, provider, '?force_authn=true')
  const old = await begin()
  const stale = await provider.idp.answer(old.target, { times: { authenticated: -3600 } })
  expect((await old.browser.post(old.target.acsUrl, stale.form)).status).toBeGreaterThanOrEqual(400)
  const fresh = await begin()
  const anew = await provider.idp.answer(fresh.target, { times: { authenticated: 1 } })
  expect(sessionOf(await fresh.browser.post(fresh.target.acsUrl, anew.form))).toBeDefined()
  await expectAccepted(service, provider, 'not asked to', { times: { authenticated: -3600 } })
})
