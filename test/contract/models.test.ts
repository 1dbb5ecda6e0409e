import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { models as listed } from '../../lib/features/models.ts'
import { listDeclarations } from '../support/floors.ts'
import { type Fact, modelFacts } from './model-facts.ts'

/** The part of JSON Schema that models use. */
interface Shown {
  type?: string | string[]
  format?: string
  anyOf?: Shown[]
  items?: Shown
  properties?: Record<string, Shown>
  required?: string[]
  additionalProperties?: boolean
  readOnly?: boolean
  default?: unknown
  enum?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/** A service adds claims to these under names of its own. */
const extensible = ['Userinfo', 'Introspection']

/** Identity providers, clients, browsers and scanners add their own fields to these. */
const open = [
  'AuthorizationRequest',
  'PushedAuthorizationRequest',
  'DeviceAuthorizationRequest',
  'DeviceCodeEntry',
  'ConsentAnswer',
  'DeviceAnswer',
  'LogoutConfirmation',
  'LogoutRequest',
  'TokenRequest',
  'OAuthTokenRequest',
  'UserinfoRequest',
  'SAMLAssertionForm',
  'OIDCAnswerQuery',
  'OIDCAnswerForm',
  'SignInAnswer',
  'AppleNotification',
  'UpstreamLogoutRequest',
  'SAMLLogoutQuery',
  'SecretScanningFinding',
  'PasskeyAssertion',
  'PasskeyAttestation',
  'NewPasskeyCredential',
  'UsedPasskeyCredential',
]

/** Fields whose integers are IDs: positive and below 2^31, although `models.json` does not say so. */
const idFields = [
  'access_link',
  'access_token',
  'id',
  'asset',
  'groups',
  'home',
  'is_easy_sharing_for_bundle',
  'is_easy_sharing_for_directory',
  'is_temporary_for_token',
  'ldap',
  'media_root_permissions',
  'members',
  'product',
  'root',
  'token',
  'user',
  'user_template',
]

const modules = await Promise.all(
  listDeclarations('models').map(
    (file): Promise<Record<string, unknown>> => import(new URL(`../../${file}`, import.meta.url).href),
  ),
)
const models = new Map(
  modules.flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, z.ZodMiniType] => /^[A-Z]/.test(entry[0])),
  ),
)

const show = (name: string): Shown => {
  const model = models.get(name)
  if (model === undefined) throw new Error(`no model ${name}`)
  const { $schema, ...shown } = z.toJSONSchema(model, { io: 'input' })
  return shown as Shown
}

const shownModels = new Map([...models.keys()].map((name) => [JSON.stringify(show(name)), name]))

/** Converts a declared field to a fact. */
const declared = (shown: Shown, required: boolean): Fact => {
  const options = (shown.anyOf ?? [shown]).flatMap(({ type, ...rest }): Shown[] =>
    Array.isArray(type) ? type.map((one) => ({ type: one, ...rest })) : [type ? { type, ...rest } : rest],
  )
  const bare = options.find(({ type }) => type !== 'null') ?? {}
  const nullable = bare.type === undefined || options.some(({ type }) => type === 'null')
  return {
    ...(bare.items ? typeAndLimits(bare.items, '[]') : typeAndLimits(bare, '')),
    ...(required && { required }),
    ...(nullable && { nullable }),
    ...((shown.readOnly || bare.readOnly) && { readOnly: true }),
  }
}

const typeAndLimits = ({ default: _, ...shown }: Shown, suffix: string): Fact => {
  if (shown.anyOf)
    return { type: `(${shown.anyOf.map((one) => typeAndLimits(one, '').type).join(' | ')})${suffix}` }
  const { type, format, enum: values, minLength, maxLength, minimum, maximum } = shown
  const name = shown.properties ? shownModels.get(JSON.stringify(shown)) : (format ?? type ?? 'any')
  const limits = Object.entries({ enum: values, minLength, maxLength, minimum, maximum })
  return {
    type: `${name}${suffix}`,
    ...Object.fromEntries(limits.filter(([, value]) => value !== undefined)),
  }
}

/** Returns the fact in the form in which this service declares it. */
const expected = (field: string, fact: Fact): Fact => {
  if (fact.type === 'LDAPServer') return { ...fact, type: 'any', nullable: true }
  if (!fact.type.startsWith('integer')) return fact
  const [least, most] = idFields.includes(field)
    ? [1, 2 ** 31 - 1]
    : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]
  return { ...fact, minimum: fact.minimum ?? least, maximum: Math.min(fact.maximum ?? most, most) }
}

describe('models', () => {
  it('are all listed by name', () => {
    expect(listed).toEqual(models)
  })

  it('contain every known model', () => {
    expect([...models.keys()]).toEqual(expect.arrayContaining(Object.keys(modelFacts)))
  })

  it.each(Object.entries(modelFacts))('%s has the known fields', (name, known) => {
    const { properties = {}, required = [] } = show(name)
    const fields = Object.entries(properties)
    expect(
      Object.fromEntries(fields.map(([field, shown]) => [field, declared(shown, required.includes(field))])),
    ).toEqual(
      Object.fromEntries(Object.entries(known).map(([field, fact]) => [field, expected(field, fact)])),
    )
  })

  it.each([...models.keys()])(
    '%s rejects unknown fields, unless an identity provider or a browser builds it, or a service adds some',
    (name) => {
      const isOpen = open.includes(name) ? undefined : false
      expect(show(name).additionalProperties).toEqual(extensible.includes(name) ? {} : isOpen)
    },
  )

  it.each([...models.keys()].filter((name) => /Update|Request/.test(name)))(
    '%s has no read-only fields',
    (name) => {
      expect(Object.values(show(name).properties ?? {}).filter(({ readOnly }) => readOnly)).toEqual([])
    },
  )
})
