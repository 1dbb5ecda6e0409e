import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Certificate, readCertificates } from '../../../lib/features/connections/saml/certificates.ts'
import { readIdentityProvider } from '../../../lib/features/connections/saml/metadata/identity-provider.ts'
import { MetadataError } from '../../../lib/features/connections/saml/metadata/metadata-error.ts'
import { makeCertificate } from '../../support/certificates.ts'
import { corpusSize } from '../../support/corpus-size.ts'
import { cpuMsOf, referenceMs } from '../../support/cpu-time.ts'
import { type FixtureName, fixture, signMetadata } from '../../support/saml-metadata.ts'

const names: readonly FixtureName[] = [
  'adfs',
  'aggregate',
  'entra',
  'google',
  'keycloak',
  'okta',
  'onelogin',
  'post-only',
  'shibboleth',
  'simplesamlphp',
]

const signing = await makeCertificate()
const certificates = { signing, signing2: await makeCertificate({ curve: 'P-256' }), other: signing }
const plain = names.map((name) => fixture(name, certificates))
const documents: readonly string[] = [...plain, signMetadata(fixture('keycloak', certificates), signing)]
const trusted: readonly Certificate[] = readCertificates(signing.pem).certificates

/** Content that can break XML parsers, or that different parsers read differently. */
const pieces = [
  ...[
    '<',
    '>',
    '</',
    '/>',
    '"',
    "'",
    '&',
    '&amp;',
    '&#0;',
    '&#x41;',
    '&x;',
    '=',
    ' ',
    '\n',
    '\u0000',
    '\ufeff',
    ':',
  ],
  ...[
    '<!DOCTYPE a [<!ENTITY x "y">]>',
    '<?xml version="1.0"?>',
    '<?php ?>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
  ],
  ...['xmlns="urn:x"', 'xmlns:md="urn:x"', 'ID="_1"', 'entityID=""', 'use="signing"', 'use="encryption"'],
  ...[
    '<md:EntityDescriptor>',
    '</md:EntityDescriptor>',
    '<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">',
  ],
  ...[
    '\u{1f600}',
    'é',
    '\ud800',
    '9'.repeat(400),
    'a'.repeat(5000),
    '2020-01-01T00:00:00Z',
    'javascript:alert(1)',
  ],
]

type Mutation =
  | { readonly kind: 'cut' | 'repeat' | 'drop'; readonly at: number; readonly length: number }
  | { readonly kind: 'put'; readonly at: number; readonly text: string }
  | { readonly kind: 'move'; readonly at: number; readonly length: number; readonly to: number }

const place = fc.double({ min: 0, max: 1, noNaN: true })
const length = fc.integer({ min: 1, max: 400 })
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut' as const, 'repeat' as const, 'drop' as const), at: place, length }),
  fc.record({
    kind: fc.constant('put' as const),
    at: place,
    text: fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 8 })),
  }),
  fc.record({ kind: fc.constant('move' as const), at: place, length, to: place }),
)

const mutated = (document: string, change: Mutation): string => {
  const at = Math.floor(change.at * document.length)
  const [head, tail] = [document.slice(0, at), document.slice(at)]
  if (change.kind === 'put') return head + change.text + tail
  const [part, rest] = [tail.slice(0, change.length), tail.slice(change.length)]
  if (change.kind === 'cut') return head
  if (change.kind === 'repeat') return head + part.repeat(3) + rest
  const without = head + rest
  if (change.kind !== 'move') return without
  const to = Math.floor(change.to * without.length)
  return without.slice(0, to) + part + without.slice(to)
}

const options = { nowMs: Date.now(), allowsLoopback: false, entityId: undefined }

const limitMs = 50 * (await referenceMs())

/** Reads bytes. They must be accepted or rejected with a message, within the limit. */
const isAccepted = async (bytes: Uint8Array): Promise<boolean> => {
  let outcome: unknown
  const ms = await cpuMsOf(async () => {
    outcome = await readIdentityProvider(bytes, {
      ...options,
      findTrustedCertificates: () => trusted,
    }).catch((error: unknown) => error)
  })
  if (ms > limitMs) throw new Error(`it took ${ms} ms`)
  if (!(outcome instanceof Error)) return true
  if (!(outcome instanceof MetadataError)) throw outcome
  expect(outcome.message).toMatch(/^leads to /)
  return false
}

const documentCount = corpusSize(2000)
/** Of them have changed bytes. The others have changed texts. */
const byteChanges = documentCount / 10

it(`the metadata reader quickly accepts or clearly rejects each of ${documentCount} mutated documents`, async () => {
  let accepted = 0
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: documents.length - 1 }),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (which, changes) => {
        const text = changes.reduce(mutated, documents[which] ?? '')
        if (await isAccepted(Buffer.from(text))) accepted += 1
      },
    ),
    { numRuns: documentCount - byteChanges },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.nat({ max: documents.length - 1 }),
      fc.array(fc.tuple(place, fc.nat({ max: 255 })), { minLength: 1, maxLength: 6 }),
      async (which, changes) => {
        const bytes = Buffer.from(documents[which] ?? '')
        for (const [at, value] of changes) bytes[Math.floor(at * bytes.length)] = value
        if (await isAccepted(bytes)) accepted += 1
      },
    ),
    { numRuns: byteChanges },
  )
  // Both outcomes must occur, or the test would prove nothing.
  expect(accepted).toBeGreaterThan(documentCount / 20)
  expect(accepted).toBeLessThan(0.9 * documentCount)
}, 120_000)
