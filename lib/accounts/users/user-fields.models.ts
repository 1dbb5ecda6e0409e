import * as z from 'zod/mini'
import {
  assignedId,
  nameRules,
  permissionForm,
  permissionRule,
} from '../../kernel/contract/descriptions/common-texts.ts'
import type { FieldRights } from '../../kernel/contract/field-rights.ts'
import {
  flag,
  givenDateTime,
  givenPermissions,
  id,
  ids,
  nullableDateTime,
  nullableDisplayText255,
  nullableTextUpTo255,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
  startPage,
  text255,
  texts,
} from '../../kernel/contract/fields.ts'
import {
  compose,
  field,
  model,
  type SharedField,
  settable,
  sharedFields,
  toFields,
} from '../../kernel/contract/model.ts'
import { project } from '../../kernel/contract/projection.ts'
import { languages, publishedLanguages } from '../../kernel/i18n/languages.ts'
import { userReferenceDescriptions, userReferenceFields } from '../../published-clients/user-fields.ts'
import { exampleTimes, exampleUserMini } from '../example-values.models.ts'
import { AttributeOfUser, attributeChanges, attributeChangesDescription } from './attributes.models.ts'

export const language = z.nullable(z.enum(publishedLanguages))
export const pageLanguage = z.nullable(z.enum(languages))

/**
 * Who vouched that an address is that of the user. `link`: somebody opened a link that was sent to it. `company`: a company connection whose
 * domain is proven. `provider`: a public provider that is the authority for the domain.
 */
export const verifiers = ['administrator', 'company', 'import', 'invitation', 'link', 'provider'] as const
export type Verifier = (typeof verifiers)[number]

/**
 * What a change of a field does besides. `takes_over`: by it, an administrator takes an account from its owner, so the owner's links that
 * undo changes end. `ends_reset_links`: they went to another address, or were for another state of the account. `gives_rights`: the user
 * gets rights, or somebody vouches for who they are.
 */
export type UserFieldEffect = 'takes_over' | 'ends_reset_links' | 'gives_rights'

export interface UserFieldChange {
  /** Whether a change is about how the account is shown alone, or about access to it. */
  readonly decides: 'appearance' | 'access'
  readonly effects: readonly UserFieldEffect[]
}

type SettableUserField = SharedField & FieldRights & UserFieldChange

/** A field that does not say who sets and who sees it, and what a change does, does not compile. */
const declareFields = <const All extends Readonly<Record<string, unknown>>>(
  fields: All & {
    readonly [Name in keyof All]: All[Name] extends SettableUserField ? unknown : SettableUserField
  },
): All => fields

const managers = ['service'] as const
/** Users change how they are shown, but none of their rights. */
const people = ['service', 'person'] as const

const setByManagers = { by: managers, seenBy: managers } as const
const seenByPeople = { by: managers, seenBy: people } as const
const setByPeople = { by: people, seenBy: people } as const

/**
 * The fields that a request can set, with who sets and who sees them, and what a change does. The texts name the defaults of a new user, and
 * of a replaced one. The address, the password and attributes also have operations of their own for people. Fields of published clients
 * are attributes.
 */
export const settableUserFields = compose(() =>
  declareFields({
    allow_changing_password: {
      ...settable(
        flag,
        docs &&
          'Whether the user may choose and reset their own password. Default: `true`. Users from an identity provider have `false`.',
        { ...seenByPeople, inEvents: 'value' },
      ),
      decides: 'access',
      effects: [],
    },
    default_page: {
      ...settable(
        text255,
        docs &&
          'The page that opens after sign-in. A URL of an allowed origin is returned as `redirect` by sign-ins, and ends SAML sign-ins that name no page. A path is only stored for clients. Default: `/`.',
        { given: startPage, ...setByPeople },
      ),
      decides: 'appearance',
      effects: [],
    },
    email: {
      ...settable(
        nullableTextUpTo255,
        docs &&
          'The email address, or null. An empty text counts as null. A verified address of an account belongs to it alone, without regard to case. An address that an administrator sets is verified. Any other caller causes a confirmation email. Default: null.',
        { ...seenByPeople, inEvents: 'personal' },
      ),
      decides: 'access',
      effects: ['takes_over', 'ends_reset_links', 'gives_rights'],
    },
    expiry: {
      ...settable(
        nullableDateTime,
        docs &&
          'When the account expires: ISO 8601, UTC. Null means never. An expired user cannot sign in, and all credentials stop working. Setting a past time also ends all sessions. Default: null.',
        { given: z.nullable(givenDateTime), ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: ['takes_over', 'ends_reset_links'],
    },
    full_name: {
      ...settable(
        nullableTextUpTo255,
        docs && 'The name of the user for people, or null. It becomes `display_name`. Default: null.',
        { given: nullableDisplayText255, ...setByPeople, inEvents: 'personal' },
      ),
      decides: 'appearance',
      effects: [],
    },
    is_external: {
      ...settable(
        flag,
        docs &&
          'Whether the user is from outside of the organization. Guests of access links have `true`, and clearing it turns a guest into an ordinary user. The service does not use it otherwise. Default: `false`.',
        { ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: [],
    },
    is_enabled: {
      ...settable(
        flag,
        docs &&
          'Whether the user can sign in and use any credential. Setting `false` takes effect at once and ends all sessions and tickets. Default: `true`.',
        { ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: ['takes_over', 'ends_reset_links'],
    },
    language: {
      ...settable(
        language,
        docs &&
          `The preferred language of the user: an ISO 639-1 code, an empty text, or null for no choice. Null also stands for a language that only \`page_language\` knows, and a request with null keeps it. Default: null.`,
        setByPeople,
      ),
      decides: 'appearance',
      effects: [],
    },
    /** An extension, so it is optional. */
    page_language: {
      ...settable(
        z.optional(pageLanguage),
        docs &&
          'The same choice, with all languages of pages and emails: an ISO 639-1 code, or null for no choice. If a request changes both, this one counts. The console is in English for users of a language that it does not have. Default: null.',
        setByPeople,
      ),
      decides: 'appearance',
      effects: [],
    },
    password_change_required: {
      ...settable(
        flag,
        docs &&
          'Whether the user must choose a new password at the next sign-in. Until then, a sign-in fails with the reason `password_change_required`. Existing sessions continue. Default: `false`.',
        { ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: [],
    },
    attributes: {
      ...settable(z.optional(z.array(AttributeOfUser)), docs && attributeChangesDescription, {
        given: attributeChanges,
        ...setByManagers,
        inEvents: 'personal',
      }),
      decides: 'appearance',
      effects: [],
    },
    permissions: {
      ...settable(
        texts,
        docs &&
          `The permissions of the user, apart from those of their groups. ${permissionForm} Changes take effect at once. ${permissionRule}`,
        { given: givenPermissions, ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: ['gives_rights'],
    },
    username: {
      ...settable(
        text255,
        docs &&
          `The name to sign in with. ${nameRules} A new name must not mix letters of different scripts.`,
        { ...seenByPeople, inEvents: 'personal' },
      ),
      decides: 'access',
      effects: [],
    },
    groups: {
      ...settable(
        ids,
        docs &&
          'The IDs of the groups of the user, at most 200. The user has the permissions of each group. Joining or leaving a group takes effect at once.',
        { ...setByManagers, inEvents: 'value' },
      ),
      decides: 'access',
      effects: ['gives_rights'],
    },
  }),
)

/** Fields that a request sets, and that a record has exactly as they are shown. */
export const givenUserFields = compose(() =>
  project(
    [
      ...(['allow_changing_password', 'default_page', 'full_name'] as const),
      ...(['is_external', 'is_enabled', 'password_change_required'] as const),
    ],
    settableUserFields,
  ),
)

/** Fields that a record has exactly as they are shown. Requests may contain the others, too, and the service ignores them. */
export const storedUserFields = compose(() => {
  const { email, permissions, username } = settableUserFields
  return sharedFields({
    ...givenUserFields,
    id: field(id, docs && `The ID of the user. ${assignedId}`, { seenBy: people }),
    email,
    permissions,
    sync_id: field(
      readOnlyText,
      docs && 'A random UUID of the user. It is set at creation and never changes.',
      { seenBy: managers },
    ),
    username,
  })
})

/** The fields of every full view of a user. */
export const userFields = compose(() => {
  const { expiry, language, page_language } = settableUserFields
  return sharedFields({
    ...storedUserFields,
    display_name: field(
      readOnlyText,
      docs &&
        'The name to show: `full_name` if it is not empty, otherwise `username`. For guests of access links, the address that the link was sent to.',
      { seenBy: people },
    ),
    effective_permissions: field(
      readOnlyTexts,
      docs &&
        'All permissions of the user: their own and those of their groups, sorted, without duplicates. `system:admin-access` stands for every permission. Use this list to decide what the user may do.',
      { seenBy: people },
    ),
    /** Whether the address was confirmed, or set by an administrator. An extension, so it is optional. */
    email_verified: field(
      z.optional(readOnlyFlag),
      docs &&
        '`true` if an administrator set the address or the user confirmed it. Do not trust an address with `false`. Guests of access links have `false`.',
      { seenBy: people },
    ),
    expiry,
    group_permissions: field(
      readOnlyTexts,
      docs && 'The permissions of all groups of the user, sorted, without duplicates.',
      { seenBy: managers },
    ),
    has_password: field(
      readOnlyFlag,
      docs &&
        'Whether the user has a password. Users without one sign in with a passkey, an emailed code, or an identity provider.',
      { seenBy: people },
    ),
    language,
    page_language,
    totp_enabled: field(
      readOnlyFlag,
      docs && 'Whether sign-in with the password also requires a one-time password (TOTP).',
      { seenBy: people },
    ),
    last_seen: field(
      z.optional(z.readonly(nullableDateTime)),
      docs &&
        'When a session of the user was last used: ISO 8601, UTC, with a precision of 5 minutes. Null if the user never signed in. API tokens do not count.',
      { seenBy: managers },
    ),
  })
})

/** Many functions contain this model, so it does not make them contain the fields of users. */
export const ServiceUserMini = model(
  {
    id: field(id, docs && userFields.id.text),
    display_name: field(readOnlyText, docs && userFields.display_name.text),
    email: field(nullableTextUpTo255, docs && userFields.email.text),
    full_name: field(nullableTextUpTo255, docs && userFields.full_name.text),
    is_external: field(flag, docs && userFields.is_external.text),
    username: field(text255, docs && userFields.username.text),
    ...toFields(userReferenceFields, docs && userReferenceDescriptions),
  },
  docs && {
    description:
      'A user in short, where another object refers to them. Callers without `users:view` see a recipient of an access link as a placeholder such as `User 7`. A deleted user is shown as `Deleted user`.',
    example: exampleUserMini,
  },
)
export type ServiceUserMini = z.output<typeof ServiceUserMini>

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
