import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCertificates } from '../../../lib/features/connections/saml/certificates.ts'
import {
  RedirectError,
  readMessage,
  readSignedQuery,
  requireSignature,
} from '../../../lib/features/connections/saml/redirect/receive.ts'
import { makeCertificate, type TestCertificate } from '../../support/certificates.ts'
import { logoutRequestXml } from '../../support/idp/logout.ts'
import { signatureMethods } from '../../support/idp/names.ts'
import { queryOf, type RedirectFacts, redirectParameters } from '../../support/idp/redirect.ts'
import { signOctets } from '../../support/idp/sign.ts'

const rsa = await makeCertificate()
const elliptic = await makeCertificate({ curve: 'P-256' })

const xml = logoutRequestXml('https://idp.example.com', 'https://sp.example.com/slo', { id: '_1' })
const signedQuery = (facts: RedirectFacts = {}) =>
  queryOf(redirectParameters('SAMLRequest', xml, rsa, { relayState: 'state', ...facts }))

const certificates = (...all: readonly TestCertificate[]) =>
  all.flatMap(({ pem }) => readCertificates(pem).certificates)

/** Returns the parameter that caused a rejection. Undefined if the query is accepted. */
const refusedFor = (query: string, ...by: readonly TestCertificate[]): string | undefined => {
  try {
    const read = readSignedQuery(query)
    requireSignature(read, certificates(...by))
    readMessage(read)
    return undefined
  } catch (error) {
    if (error instanceof RedirectError) return error.parameter
    throw error
  }
}

describe('a signed query', () => {
  it('is accepted if one of the certificates verifies its signature', () => {
    expect(refusedFor(signedQuery(), rsa)).toBeUndefined()
    expect(refusedFor(signedQuery(), elliptic, rsa)).toBeUndefined()
    expect(refusedFor(signedQuery(), elliptic)).toBe('Signature')
    expect(refusedFor(signedQuery())).toBe('Signature')
  })

  it('returns the decoded parameters and the signed octets as they were written', () => {
    const read = readSignedQuery(`x=1&${signedQuery({ relayState: 'a b&c' })}&y`)
    expect(read).toMatchObject({
      kind: 'SAMLRequest',
      relayState: 'a b&c',
      algorithm: signatureMethods['rsa-sha256'],
    })
    expect(signedQuery({ relayState: 'a b&c' }).startsWith(`${read.signedOctets}&Signature=`)).toBe(true)
  })

  it('is rejected if it could be read in two ways', () => {
    const all = signedQuery()
    for (const name of ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature']) {
      const [pair = ''] = new RegExp(`${name}=[^&]*`).exec(all) ?? []
      expect(refusedFor(`${all}&${pair}`, rsa), name).toBe(name)
      expect(refusedFor(`${pair}&${all}`, rsa), name).toBe(name)
      expect(refusedFor(all.replace(pair, `${name}=`), rsa), name).toBe(name)
      expect(refusedFor(all.replace(pair, name), rsa), name).toBe(name)
      const spelling = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`
      expect(refusedFor(all.replace(`${name}=`, `${spelling}=`), rsa), name).toBe(name)
      expect(refusedFor(`${all}&${spelling}=x`, rsa), name).toBe(name)
    }
    expect(refusedFor(`${all}&SAMLResponse=x`, rsa)).toBe('SAMLResponse')
    expect(refusedFor('', rsa)).toBe('SAMLRequest')
    expect(refusedFor('%=%', rsa)).toBe('query')
  })

  it('is verified only with the algorithm that it names and a matching key', () => {
    const by = (method: keyof typeof signatureMethods, name = method) => {
      const query = `${signedQuery().split('&SigAlg')[0]}&SigAlg=${encodeURIComponent(signatureMethods[name])}`
      const { keyPem } = method.startsWith('ecdsa') ? elliptic : rsa
      return `${query}&Signature=${encodeURIComponent(signOctets(method, query, { keyPem }))}`
    }
    expect(refusedFor(by('rsa-sha512'), rsa, elliptic)).toBeUndefined()
    expect(refusedFor(by('ecdsa-sha512'), rsa, elliptic)).toBeUndefined()
    expect(refusedFor(by('ecdsa-sha256', 'rsa-sha256'), rsa, elliptic)).toBe('Signature')
    expect(refusedFor(by('rsa-sha256', 'ecdsa-sha256'), rsa, elliptic)).toBe('Signature')
    expect(refusedFor(by('rsa-sha256', 'rsa-sha512'), rsa, elliptic)).toBe('Signature')
    expect(refusedFor(by('rsa-sha1'), rsa, elliptic)).toBe('SigAlg')
    for (const name of ['__proto__', 'constructor', 'none', 'rsa-sha256'])
      expect(refusedFor(signedQuery().replace(/SigAlg=[^&]*/, `SigAlg=${name}`), rsa)).toBe('SigAlg')
  })

  it('is rejected or means the same after a change at any position', () => {
    const honest = signedQuery()
    const { message, relayState } = readSignedQuery(honest)
    fc.assert(
      fc.property(fc.nat(honest.length - 1), fc.string({ unit: 'binary', maxLength: 3 }), (at, text) => {
        const changed = honest.slice(0, at) + text + honest.slice(at + 1)
        if (refusedFor(changed, rsa) !== undefined) return
        expect(readSignedQuery(changed)).toMatchObject({ message, relayState })
      }),
      { numRuns: 2000 },
    )
  })

  it('is rejected without other errors for arbitrary input', () => {
    const names = fc.constantFrom(
      'SAMLRequest',
      'SAMLResponse',
      'RelayState',
      'SigAlg',
      'Signature',
      'x',
      '%',
    )
    const pairs = fc.array(fc.tuple(names, fc.string({ unit: 'binary' })), { maxLength: 6 })
    fc.assert(
      fc.property(pairs, (all) => {
        expect(refusedFor(all.map(([name, value]) => `${name}=${value}`).join('&'), rsa)).toBeDefined()
      }),
      { numRuns: 3000 },
    )
  })
})

describe('a message', () => {
  const read = (bytes: Buffer) => {
    const message = bytes.toString('base64')
    const query = {
      kind: 'SAMLRequest',
      relayState: undefined,
      algorithm: '',
      signature: '',
      signedOctets: '',
    }
    return () => readMessage({ ...query, kind: 'SAMLRequest', message })
  }

  it('is inflated only up to the size limit', () => {
    expect(read(deflateRawSync('<a b="c"/>'))().attributes.get('b')).toBe('c')
    const noise = Array.from({ length: 20_000 }, (_, at) => (at * 7919).toString(36)).join('')
    expect(read(deflateRawSync(`<a>${noise}</a>`))).toThrow('is too long')
    expect(read(deflateRawSync(`<a>${'x'.repeat(100_000)}</a>`))).toThrow('too long after it is inflated')
    expect(read(deflateRawSync(`<a>${'x'.repeat(60_000)}</a>`))().text).toHaveLength(60_000)
  })

  it('is rejected without other errors for arbitrary input', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.boolean(), (bytes, isDeflated) => {
        const sent = isDeflated ? deflateRawSync(bytes) : Buffer.from(bytes)
        expect(read(sent)).toThrow(RedirectError)
      }),
      { numRuns: 2000 },
    )
  })
})
