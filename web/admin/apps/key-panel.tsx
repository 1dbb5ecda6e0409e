import { useState } from 'preact/hooks'
import type { OIDCClientPartialUpdate } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { TextAreaField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { type BodyForm, FieldPanel } from '../kit/body-fields.tsx'
import { problemOf } from '../kit/failure-alert.tsx'

type ClientKey = NonNullable<OIDCClientPartialUpdate['public_keys']>[number]

/** Why a text is no public key: `private` is a secret that must not leave the app. */
type KeyProblem = 'invalid' | 'private'

const parts = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'] as const
const privateParts = ['d', 'p', 'q', 'k']

/** Reads public keys from a JWK, a JWKS (RFC 7517) or PEM. Parts that are not needed are left out. */
const readPublicKeys = async (text: string): Promise<readonly ClientKey[] | KeyProblem> => {
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

const t = messagesOf('apps')

interface KeyPanelProps {
  readonly form: BodyForm<Pick<OIDCClientPartialUpdate, 'public_keys'>>
}

/** The keys by which an app proves who it is. */
export const KeyPanel = ({ form }: KeyPanelProps) => {
  const { public_keys: value = [] } = form.value
  const onChange = (keys: readonly ClientKey[]): void => form.set({ public_keys: keys })
  const refused = problemOf(form.failure, 'public_keys')
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<KeyProblem | undefined>()
  const add = async (): Promise<void> => {
    const found = await readPublicKeys(text)
    setProblem(typeof found === 'string' ? found : undefined)
    if (typeof found === 'string') return
    setText('')
    onChange([...value, ...found])
  }
  const problems = { invalid: t('keyInvalid'), private: t('keyPrivate') }
  return (
    <FieldPanel form={form} name="public_keys" heading={t('keys')} intro={t('keysHint')}>
      {value.length > 0 && (
        <ul class="items">
          {value.map((key, at) => (
            <li key={JSON.stringify(key)}>
              <span>{describeKey(key)}</span>
              <Button look="secondary" onClick={() => onChange(value.filter((_, index) => index !== at))}>
                {t('removeKey', { name: describeKey(key) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {refused && <p class="field-problem">{refused}</p>}
      <TextAreaField
        label={t('newKey')}
        hint={t('newKeyHint')}
        problem={problem && problems[problem]}
        rows={4}
        value={text}
        onChangeValue={setText}
      />
      <div class="row">
        <Button look="secondary" onClick={() => void add()}>
          {t('addKey')}
        </Button>
      </div>
    </FieldPanel>
  )
}

/** The kind of a key, and its name or how it begins. */
const describeKey = ({ kty, crv, kid, n, x }: ClientKey): string =>
  `${crv ?? kty} ${kid ?? `${(n ?? x ?? '').slice(0, 8)}…`}`
