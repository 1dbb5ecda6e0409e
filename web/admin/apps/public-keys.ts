import type { OIDCClient } from '../../../lib/client/generated/models.ts'

type ClientKey = OIDCClient['public_keys'][number]

/** Why a text is no public key: `private` is a secret that must not leave the app. */
export type KeyProblem = 'invalid' | 'private'

const parts = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'] as const
const privateParts = ['d', 'p', 'q', 'k']

/** Reads public keys from a JWK, a JWKS (RFC 7517) or PEM. Parts that are not needed are left out. */
export const readPublicKeys = async (text: string): Promise<readonly ClientKey[] | KeyProblem> => {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return 'private'
  const found = text.includes('-----BEGIN') ? await readPem(text) : readJson(text)
  if (found.length === 0) return 'invalid'
  if (found.some((key) => privateParts.some((part) => Object.hasOwn(key, part)))) return 'private'
  return found.map(
    (key) =>
      Object.fromEntries(
        parts.flatMap((part) => (key[part] === undefined ? [] : [[part, key[part]]])),
      ) as unknown as ClientKey,
  )
}

type JsonKey = Readonly<Record<string, unknown>>

const readJson = (text: string): readonly JsonKey[] => {
  try {
    const parsed: unknown = JSON.parse(text)
    const list: unknown = isObject(parsed) && Array.isArray(parsed['keys']) ? parsed['keys'] : [parsed]
    return Array.isArray(list) && list.every(isObject) ? list : []
  } catch {
    return []
  }
}

const isObject = (value: unknown): value is JsonKey => typeof value === 'object' && value !== null

const algorithms = [
  { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  { name: 'ECDSA', namedCurve: 'P-256' },
  { name: 'Ed25519' },
]

/** PEM does not say which algorithm its key is for, so each is tried. */
const readPem = async (text: string): Promise<readonly JsonKey[]> => {
  const [, base64 = ''] = /-----BEGIN PUBLIC KEY-----([\s\S]+?)-----END PUBLIC KEY-----/.exec(text) ?? []
  for (const algorithm of algorithms)
    try {
      const bytes = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) =>
        character.charCodeAt(0),
      )
      const key = await crypto.subtle.importKey('spki', bytes, algorithm, true, ['verify'])
      const { alg: _, ...jwk } = await crypto.subtle.exportKey('jwk', key)
      return [{ ...jwk }]
    } catch {
      // It is a key for another algorithm, or none.
    }
  return []
}
