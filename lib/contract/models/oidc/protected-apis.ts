import * as z from 'zod/mini'
import type { consoleLanguages } from '../../../i18n/languages.ts'
import { describeModel } from '../../describe.ts'
import { nameRules } from '../../descriptions/common-texts.ts'
import { exampleIds, exampleProductUrl, exampleTimes } from '../../descriptions/example-values.ts'
import { dateTime, givenPermission, id, text, text255 } from '../fields.ts'

/** With each token for an API, all of its permissions and scopes are read, so they stay small. */
const mostPermissions = 60
const mostScopes = 30
const apiText = text(120)

/** A text in the languages of the console. */
export const APITexts = z.strictObject({
  en: apiText,
  fr: z.optional(apiText),
  de: z.optional(apiText),
  nb: z.optional(apiText),
  ja: z.optional(apiText),
  es: z.optional(apiText),
} satisfies Record<(typeof consoleLanguages)[number], z.ZodMiniType>)
export type APITexts = z.output<typeof APITexts>

const exampleTexts = { en: 'Read films', de: 'Filme lesen' }

describeModel(APITexts, () => ({
  description:
    'A text for people, by language: 1 to 120 characters. English stands in for missing languages.',
  fields: {
    en: 'The text in English.',
    fr: 'The text in French.',
    de: 'The text in German.',
    nb: 'The text in Norwegian.',
    ja: 'The text in Japanese.',
    es: 'The text in Spanish.',
  },
  example: exampleTexts,
}))

export const APIPermission = z.strictObject({ name: givenPermission, texts: APITexts })
export type APIPermission = z.output<typeof APIPermission>

describeModel(APIPermission, () => ({
  description: 'A permission that an API checks.',
  fields: {
    name: {
      description:
        'The name of the permission, of the form `word:word` or `word:word:word`. `system:admin-access` is refused.',
      example: 'films:view',
    },
    texts: 'What the permission allows, for administrators who give it.',
  },
  example: { name: 'films:view', texts: exampleTexts },
}))

const scopeName = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9][\w:./-]{0,99}$/, 'must be a scope such as films.read: letters, digits and ._:/-'),
  )

export const APIScope = z.strictObject({
  name: scopeName,
  texts: APITexts,
  permissions: z.array(givenPermission).check(z.maxLength(mostPermissions)),
})
export type APIScope = z.output<typeof APIScope>

const exampleScope = { name: 'films.read', texts: exampleTexts, permissions: ['films:view'] }

describeModel(APIScope, () => ({
  description: 'A part of an API that clients ask for by the parameter `scope`.',
  fields: {
    name: {
      description:
        'The name of the scope: 1 to 100 letters, digits and `._:/-`. Scopes of OpenID Connect, such as `openid`, are refused.',
      example: 'films.read',
    },
    texts: 'What the scope allows, for users and administrators.',
    permissions:
      'The permissions of the API that a token with the scope may state, if its user has them. Up to 60.',
  },
  example: exampleScope,
}))

const permissions = z.array(APIPermission).check(z.maxLength(mostPermissions))
const scopes = z.array(APIScope).check(z.maxLength(mostScopes))

const describeFields = () => ({
  name: `The name of the API. ${nameRules}`,
  permissions: 'The permissions that the API checks: up to 60. Its tokens state no others. Default: empty.',
  scopes: 'The parts of the API that clients can ask for: up to 30. Default: empty.',
  unregistered_clients:
    'Whether clients that no administrator registered, such as agents, may ask users for the scopes. Their hosts are in the setting `clientDocumentHosts`. Default: false.',
})

const describeAudience = () => ({
  description:
    'The name of the API in tokens (`aud`), such as its URL: at most 255 printable ASCII characters. It cannot be changed, and no other API has it.',
  example: `${exampleProductUrl}/api`,
})

export const ProtectedAPI = z.strictObject({
  id,
  name: text255,
  audience: text255,
  permissions,
  scopes,
  unregistered_clients: z.boolean(),
  created_at: z.readonly(dateTime),
})
export type ProtectedAPI = z.output<typeof ProtectedAPI>

const giveExample = () => ({
  name: 'Films',
  audience: `${exampleProductUrl}/api`,
  permissions: [{ name: 'films:view', texts: exampleTexts }],
  scopes: [exampleScope],
  unregistered_clients: false,
})

describeModel(ProtectedAPI, () => ({
  description: 'An API of a product, which accepts access tokens of OpenID Connect clients.',
  fields: {
    ...describeFields(),
    id: 'The ID of the API.',
    audience: describeAudience(),
    created_at: 'When the API was registered: ISO 8601, UTC.',
  },
  example: { id: exampleIds.oidcClient, ...giveExample(), created_at: exampleTimes.created },
}))

export const ProtectedAPIUpdate = z.strictObject({
  name: text255,
  audience: text255,
  permissions: z.optional(permissions),
  scopes: z.optional(scopes),
  unregistered_clients: z.optional(z.boolean()),
})
export type ProtectedAPIUpdate = z.output<typeof ProtectedAPIUpdate>

describeModel(ProtectedAPIUpdate, () => ({
  description: 'A new API. Omitted fields get their defaults.',
  fields: { ...describeFields(), audience: describeAudience() },
  example: giveExample(),
}))

export const ProtectedAPIPartialUpdate = z.strictObject({
  name: z.optional(text255),
  audience: z.optional(text255),
  permissions: z.optional(permissions),
  scopes: z.optional(scopes),
  unregistered_clients: z.optional(z.boolean()),
})
export type ProtectedAPIPartialUpdate = z.output<typeof ProtectedAPIPartialUpdate>

describeModel(ProtectedAPIPartialUpdate, () => ({
  description: 'Changes of an API. Omitted fields keep their values.',
  fields: { ...describeFields(), audience: describeAudience() },
  example: { name: 'Film library' },
}))
