import * as z from 'zod/mini'
import { exampleIds, exampleProductUrl, exampleTimes } from '../../accounts/example-values.models.ts'
import { nameRules } from '../../kernel/contract/descriptions/common-texts.ts'
import { dateTime, givenPermission, id, text, text255 } from '../../kernel/contract/fields.ts'
import { changes, type Field, field, listInitials, model, settable } from '../../kernel/contract/model.ts'
import type { Language } from '../../kernel/i18n/languages.ts'

/** With each token for an API, all of its permissions and scopes are read, so they stay small. */
const mostPermissions = 60
const mostScopes = 30
const apiText = text(120)
const maybeApiText = z.optional(apiText)

const exampleTexts = docs && { en: 'Read films', de: 'Filme lesen' }

/** A text in the languages of all pages: users read it when they agree to an app. */
export const APITexts = model(
  {
    en: field(apiText, docs && 'The text in English.'),
    fr: field(maybeApiText, docs && 'The text in French.'),
    de: field(maybeApiText, docs && 'The text in German.'),
    nb: field(maybeApiText, docs && 'The text in Norwegian.'),
    ja: field(maybeApiText, docs && 'The text in Japanese.'),
    es: field(maybeApiText, docs && 'The text in Spanish.'),
    it: field(maybeApiText, docs && 'The text in Italian.'),
    pt: field(maybeApiText, docs && 'The text in Portuguese.'),
    ar: field(maybeApiText, docs && 'The text in Arabic.'),
    he: field(maybeApiText, docs && 'The text in Hebrew.'),
    nl: field(maybeApiText, docs && 'The text in Dutch.'),
    pl: field(maybeApiText, docs && 'The text in Polish.'),
  } satisfies Record<Language, Field>,
  docs && {
    description:
      'A text for people, by language: 1 to 120 characters. English stands in for missing languages.',
    example: exampleTexts,
  },
)
export type APITexts = z.output<typeof APITexts>

export const APIPermission = model(
  {
    name: field(
      givenPermission,
      docs && {
        description:
          'The name of the permission, of the form `word:word` or `word:word:word`. `system:admin-access` is refused.',
        example: 'films:view',
      },
    ),
    texts: field(APITexts, docs && 'What the permission allows, for administrators who give it.'),
  },
  docs && {
    description: 'A permission that an API checks.',
    example: { name: 'films:view', texts: exampleTexts },
  },
)
export type APIPermission = z.output<typeof APIPermission>

const scopeName = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9][\w:./-]{0,99}$/, 'must be a scope such as films.read: letters, digits and ._:/-'),
  )

const exampleScope = docs && { name: 'films.read', texts: exampleTexts, permissions: ['films:view'] }

export const APIScope = model(
  {
    name: field(
      scopeName,
      docs && {
        description:
          'The name of the scope: 1 to 100 letters, digits and `._:/-`. Scopes of OpenID Connect, such as `openid`, are refused.',
        example: 'films.read',
      },
    ),
    texts: field(APITexts, docs && 'What the scope allows, for users and administrators.'),
    permissions: field(
      z.array(givenPermission).check(z.maxLength(mostPermissions)),
      docs &&
        'The permissions of the API that a token with the scope may state, if its user has them. Up to 60.',
    ),
  },
  docs && {
    description: 'A part of an API that clients ask for by the parameter `scope`.',
    example: exampleScope,
  },
)
export type APIScope = z.output<typeof APIScope>

export const protectedApiFields = {
  id: field(id, docs && 'The ID of the API.'),
  name: settable(text255, docs && `The name of the API. ${nameRules}`, { inEvents: 'value' }),
  audience: settable(
    text255,
    docs && {
      description:
        'The name of the API in tokens (`aud`), such as its URL: at most 255 printable ASCII characters. It cannot be changed, and no other API has it.',
      example: `${exampleProductUrl}/api`,
    },
    { inEvents: 'value' },
  ),
  permissions: settable(
    z.array(APIPermission).check(z.maxLength(mostPermissions)),
    docs && 'The permissions that the API checks: up to 60. Its tokens state no others. Default: empty.',
    { initial: [], inEvents: 'value' },
  ),
  scopes: settable(
    z.array(APIScope).check(z.maxLength(mostScopes)),
    docs && 'The parts of the API that clients can ask for: up to 30. Default: empty.',
    { initial: [], inEvents: 'value' },
  ),
  unregistered_clients: settable(
    z.boolean(),
    docs &&
      'Whether clients that no administrator registered, such as agents, may ask users for the scopes. Their hosts are in the agent policy. Default: false.',
    { initial: false, inEvents: 'value' },
  ),
  created_at: field(z.readonly(dateTime), docs && 'When the API was registered: ISO 8601, UTC.'),
}

/** The values of a new API. */
export const newProtectedApi = listInitials(protectedApiFields)

const exampleGiven = docs && {
  name: 'Films',
  audience: `${exampleProductUrl}/api`,
  permissions: [{ name: 'films:view', texts: exampleTexts }],
  scopes: [exampleScope],
  unregistered_clients: false,
}

export const ProtectedAPI = model(
  protectedApiFields,
  docs && {
    description: 'An API of a product, which accepts access tokens of OpenID Connect clients.',
    example: { id: exampleIds.client, ...exampleGiven, created_at: exampleTimes.created },
  },
)
export type ProtectedAPI = z.output<typeof ProtectedAPI>

export const ProtectedAPIUpdate = changes(
  protectedApiFields,
  docs && { description: 'A new API. Omitted fields get their defaults.', example: exampleGiven },
  ['name', 'audience'],
)
export type ProtectedAPIUpdate = z.output<typeof ProtectedAPIUpdate>

export const ProtectedAPIPartialUpdate = changes(
  protectedApiFields,
  docs && {
    description: 'Changes of an API. Omitted fields keep their values.',
    example: { name: 'Film library' },
  },
)
export type ProtectedAPIPartialUpdate = z.output<typeof ProtectedAPIPartialUpdate>
