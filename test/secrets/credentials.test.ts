import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computeCrc32, mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { type CredentialKind, credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'

const kinds = Object.keys(credentialPrefixes) as CredentialKind[]

describe('a minted credential', () => {
  it('parses to its kind, its user, and its SHA-256', () => {
    for (const kind of kinds) {
      for (const subject of [0, 1, 61, 62, 2 ** 31 - 1]) {
        const { value, ...minted } = mintCredential(kind, subject)
        expect(parseCredential(value)).toEqual(minted)
        expect(minted.subject).toBe(subject)
        expect(minted.hash).toBe(createHash('sha256').update(value).digest('base64url'))
        expect(value).toMatch(new RegExp(`^${credentialPrefixes[kind]}_[0-9A-Za-z]{45}$`))
      }
    }
  })

  it('is unique and uses every digit at each random position', () => {
    const values = Array.from({ length: 20_000 }, () => mintCredential('session', 1).value)
    expect(new Set(values).size).toBe(values.length)
    // The first of the 33 digits has only the remaining bits of 192. All others must be evenly distributed.
    for (const position of [12, 20, 30, 42])
      expect(new Set(values.map((value) => value[position])).size).toBe(62)
  })
})

describe('a credential that this service did not create', () => {
  it('is rejected by its checksum if one character changed', () => {
    const { value } = mintCredential('session', 77)
    for (let at = 0; at < value.length; at++) {
      const changed = value.slice(0, at) + (value[at] === '7' ? '8' : '7') + value.slice(at + 1)
      expect(parseCredential(changed)).toBeUndefined()
    }
  })

  it('is rejected if the prefix of another kind was put in front', () => {
    for (const kind of kinds)
      for (const other of kinds.filter((name) => name !== kind)) {
        const { value } = mintCredential(kind, 1)
        expect(
          parseCredential(value.replace(credentialPrefixes[kind], credentialPrefixes[other])),
        ).toBeUndefined()
      }
  })

  it('is never parsed from random text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^lk[sptraf]_[0-9A-Za-z]{45}$/)), (text) => {
        expect(parseCredential(text)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  it('is rejected if its user ID is out of range', () => {
    expect(parseCredential(mintCredential('session', 2 ** 31).value)).toBeUndefined()
  })
})

it('computes the same CRC-32 as Node', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]*$/), (text) => {
      expect(computeCrc32(text)).toBe(crc32(text))
    }),
  )
})
