import * as z from 'zod/mini'
import { describeModel, type FieldText } from '../../kernel/contract/describe.ts'
import {
  assignedId,
  nameRules,
  permissionForm,
  permissionRule,
} from '../../kernel/contract/descriptions/common-texts.ts'
import {
  flag,
  id,
  nullableDateTime,
  nullableTextUpTo255,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  text255,
  texts,
} from '../../kernel/contract/fields.ts'
import { languages, publishedLanguages } from '../../kernel/i18n/languages.ts'
import { userReferenceDescriptions, userReferenceFields } from '../../published-clients/user-fields.ts'
import { exampleTimes, exampleUserMini } from '../example-values.models.ts'

export const language = z.nullable(z.enum(publishedLanguages))
export const pageLanguage = z.nullable(z.enum(languages))

/**
 * Who vouched that an address is that of the user. `link`: somebody opened a link that was sent to it. `company`: a company connection whose
 * domain is proven. `provider`: a public provider that is the authority for the domain.
 */
export const verifiers = ['administrator', 'company', 'import', 'invitation', 'link', 'provider'] as const
export type Verifier = (typeof verifiers)[number]

/** Fields that a request sets, and that a record has exactly as they are shown. */
export const givenUserFields = {
  allow_changing_password: flag,
  default_page: text255,
  full_name: nullableTextUpTo255,
  is_external: flag,
  is_enabled: flag,
  password_change_required: flag,
}

/** Fields that a record has exactly as they are shown. */
export const storedUserFields = {
  ...givenUserFields,
  id,
  email: nullableTextUpTo255,
  permissions: texts,
  sync_id: readOnlyText,
  username: text255,
}

/** The fields of every full view of a user. */
export const userFields = {
  ...storedUserFields,
  display_name: readOnlyText,
  effective_permissions: readOnlyTexts,
  /** Whether the address was confirmed, or set by an administrator. An extension, so it is optional. */
  email_verified: z.optional(readOnlyFlag),
  expiry: nullableDateTime,
  group_permissions: readOnlyTexts,
  has_password: readOnlyFlag,
  language,
  /** An extension, so it is optional. */
  page_language: z.optional(pageLanguage),
  totp_enabled: readOnlyFlag,
  last_seen: z.optional(z.readonly(nullableDateTime)),
}

export const ServiceUserMini = z.strictObject({
  id,
  display_name: readOnlyText,
  email: nullableTextUpTo255,
  full_name: nullableTextUpTo255,
  is_external: flag,
  username: text255,
  ...userReferenceFields,
})
export type ServiceUserMini = z.output<typeof ServiceUserMini>

type Texts<Fields extends PropertyKey> = { readonly [Field in Fields]: FieldText }
type UserField = keyof typeof userFields

/** Fields that users may change in their own profile. */
export const ownFieldDescriptions = docs && {
  default_page:
    'The page that opens after sign-in. A URL of an allowed origin is returned as `redirect` by sign-ins, and ends SAML sign-ins that name no page. A path is only stored for clients. Default: `/`.',
  full_name: 'The name of the user for people, or null. It becomes `display_name`. Default: null.',
  language: `The preferred language of the user: an ISO 639-1 code, an empty text, or null for no choice. Null also stands for a language that only \`page_language\` knows, and a request with null keeps it. Default: null.`,
  page_language:
    'The same choice, with all languages of pages and emails: an ISO 639-1 code, or null for no choice. If a request changes both, this one counts. The console is in English for users of a language that it does not have. Default: null.',
}

/** Fields that a request can set. The texts name the defaults of a new user, and of a replaced one. */
export const settableUserDescriptions =
  docs &&
  ({
    ...ownFieldDescriptions,
    allow_changing_password:
      'Whether the user may choose and reset their own password. Default: `true`. Users from an identity provider have `false`.',
    email:
      'The email address, or null. An empty text counts as null. A verified address of an account belongs to it alone, without regard to case. An address that an administrator sets is verified. Any other caller causes a confirmation email. Default: null.',
    expiry:
      'When the account expires: ISO 8601, UTC. Null means never. An expired user cannot sign in, and all credentials stop working. Setting a past time also ends all sessions. Default: null.',
    is_enabled:
      'Whether the user can sign in and use any credential. Setting `false` takes effect at once and ends all sessions and tickets. Default: `true`.',
    is_external:
      'Whether the user is from outside of the organization. Guests of access links have `true`, and clearing it turns a guest into an ordinary user. The service does not use it otherwise. Default: `false`.',
    password_change_required:
      'Whether the user must choose a new password at the next sign-in. Until then, a sign-in fails with the reason `password_change_required`. Existing sessions continue. Default: `false`.',
    permissions: `The permissions of the user, apart from those of their groups. ${permissionForm} Changes take effect at once. ${permissionRule}`,
    username: `The name to sign in with. ${nameRules} A new name must not mix letters of different scripts.`,
  } satisfies Partial<Texts<UserField>>)

/** Fields that no request sets. Requests may contain them, and the service ignores them. */
const computedUserDescriptions: Texts<Exclude<UserField, keyof typeof settableUserDescriptions>> = docs && {
  id: `The ID of the user. ${assignedId}`,
  display_name:
    'The name to show: `full_name` if it is not empty, otherwise `username`. For guests of access links, the address that the link was sent to.',
  effective_permissions:
    'All permissions of the user: their own and those of their groups, sorted, without duplicates. `system:admin-access` stands for every permission. Use this list to decide what the user may do.',
  email_verified:
    '`true` if an administrator set the address or the user confirmed it. Do not trust an address with `false`. Guests of access links have `false`.',
  group_permissions: 'The permissions of all groups of the user, sorted, without duplicates.',
  has_password:
    'Whether the user has a password. Users without one sign in with a passkey, an emailed code, or an identity provider.',
  sync_id: 'A random UUID of the user. It is set at creation and never changes.',
  totp_enabled: 'Whether sign-in with the password also requires a one-time password (TOTP).',
  last_seen:
    'When a session of the user was last used: ISO 8601, UTC, with a precision of 5 minutes. Null if the user never signed in. API tokens do not count.',
}

/** The texts of every field of `userFields`. */
export const userFieldDescriptions: Texts<UserField> = docs && {
  ...settableUserDescriptions,
  ...computedUserDescriptions,
}

if (docs)
  describeModel(ServiceUserMini, () => ({
    description:
      'A user in short, where another object refers to them. Callers without `users:view` see a recipient of an access link as a placeholder such as `User 7`. A deleted user is shown as `Deleted user`.',
    fields: {
      id: userFieldDescriptions.id,
      display_name: userFieldDescriptions.display_name,
      email: userFieldDescriptions.email,
      full_name: userFieldDescriptions.full_name,
      is_external: userFieldDescriptions.is_external,
      username: userFieldDescriptions.username,
      ...userReferenceDescriptions,
    },
    example: exampleUserMini,
  }))

/** User 7, without the fields in which the views of a user differ. */
export const exampleUserFields = docs && {
  ...exampleUserMini,
  allow_changing_password: true,
  default_page: '/',
  effective_permissions: ['media:access', 'projects:view'],
  email_verified: true,
  expiry: null,
  group_permissions: ['media:access'],
  has_password: true,
  is_enabled: true,
  language: 'en' as const,
  page_language: 'en' as const,
  password_change_required: false,
  permissions: ['projects:view'],
  sync_id: '6f1a2c3e-58d4-4b7e-9c0a-2d1f3e4b5a69',
  totp_enabled: false,
  last_seen: exampleTimes.lastSeen,
}
