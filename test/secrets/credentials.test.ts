import { createHash } from 'node:crypto'
import { crc32 as nodeCrc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32 } from '../../lib/secrets/crc32.ts'
import {
  type CredentialKind,
  credentialPrefixes,
  mintCredential,
  parseCredential,
} from '../../lib/secrets/credentials.ts'

const kinds = Object.keys(credentialPrefixes) as CredentialKind[]

describe('a minted credential', () => {
  it('is read back as its kind and user, and stored as its SHA-256', () => {
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

  it('never comes twice, and every place of its random part takes every digit', () => {
    const values = Array.from({ length: 20_000 }, () => mintCredential('session', 1).value)
    expect(new Set(values).size).toBe(values.length)
    // The first of the 33 digits holds what is left of 192 bits; all others must be even.
    for (const place of [12, 20, 30, 42]) expect(new Set(values.map((value) => value[place])).size).toBe(62)
  })
})

describe('a credential that was not minted here', () => {
  it('is told apart by its checksum whatever single character was changed', () => {
    const { value } = mintCredential('session', 77)
    for (let at = 0; at < value.length; at++) {
      const changed = value.slice(0, at) + (value[at] === '7' ? '8' : '7') + value.slice(at + 1)
      expect(parseCredential(changed)).toBeUndefined()
    }
  })

  it('doesn’t become another kind by another prefix', () => {
    for (const kind of kinds)
      for (const other of kinds.filter((name) => name !== kind)) {
        const { value } = mintCredential(kind, 1)
        expect(
          parseCredential(value.replace(credentialPrefixes[kind], credentialPrefixes[other])),
        ).toBeUndefined()
      }
  })

  it('is never read from made-up text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^lk[sptra]_[0-9A-Za-z]{45}$/)), (text) => {
        expect(parseCredential(text)).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  it('is refused with a subject that no user has', () => {
    expect(parseCredential(mintCredential('session', 2 ** 31).value)).toBeUndefined()
  })
})

it('bears the checksum that everybody else calls CRC-32', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[ -~]*$/), (text) => {
      expect(crc32(text)).toBe(nodeCrc32(text))
    }),
  )
})
