import type { AuditedFields, InEvents } from '../../kernel/contract/field-changes.ts'
import type { FieldRights } from '../../kernel/contract/field-rights.ts'
import { userClientFieldNames } from '../../published-clients/stored-fields.ts'
import type { userChangeFields } from '../../published-clients/user-fields.ts'
import type { ServiceUserDetailPartialUpdate } from './users.models.ts'

/**
 * What a change of a field does besides. `takes_over`: by it, an administrator takes an account from its owner, so the owner's links that
 * undo changes end. `ends_reset_links`: they went to another address, or were for another state of the account. `gives_rights`: the user
 * gets rights, or somebody vouches for who they are.
 */
export type UserFieldEffect = 'takes_over' | 'ends_reset_links' | 'gives_rights'

interface UserFieldRights extends FieldRights {
  /** What audit events have of a change. Names, addresses and attributes are of the person. */
  readonly inEvents?: InEvents
  /** Whether a change is about how the account is shown alone, or about access to it. */
  readonly decides: 'appearance' | 'access'
  readonly effects: readonly UserFieldEffect[]
}

const managers = ['service'] as const
/** Users change how they are shown, but none of their rights. */
const people = ['service', 'person'] as const

/**
 * Who sets and who sees each field that requests set, and what a change does. The address, the password and attributes also have operations
 * of their own for people. Fields of published clients are attributes.
 */
export const userRights = {
  username: { by: managers, seenBy: people, decides: 'access', effects: [], inEvents: 'personal' },
  email: {
    by: managers,
    seenBy: people,
    decides: 'access',
    effects: ['takes_over', 'ends_reset_links', 'gives_rights'],
    inEvents: 'personal',
  },
  full_name: { by: people, seenBy: people, decides: 'appearance', effects: [], inEvents: 'personal' },
  language: { by: people, seenBy: people, decides: 'appearance', effects: [] },
  page_language: { by: people, seenBy: people, decides: 'appearance', effects: [] },
  default_page: { by: people, seenBy: people, decides: 'appearance', effects: [] },
  attributes: { by: managers, seenBy: managers, decides: 'appearance', effects: [], inEvents: 'personal' },
  permissions: {
    by: managers,
    seenBy: managers,
    decides: 'access',
    effects: ['gives_rights'],
    inEvents: 'value',
  },
  groups: { by: managers, seenBy: managers, decides: 'access', effects: ['gives_rights'], inEvents: 'value' },
  is_enabled: {
    by: managers,
    seenBy: managers,
    decides: 'access',
    effects: ['takes_over', 'ends_reset_links'],
    inEvents: 'value',
  },
  expiry: {
    by: managers,
    seenBy: managers,
    decides: 'access',
    effects: ['takes_over', 'ends_reset_links'],
    inEvents: 'value',
  },
  is_external: { by: managers, seenBy: managers, decides: 'access', effects: [], inEvents: 'value' },
  allow_changing_password: {
    by: managers,
    seenBy: people,
    decides: 'access',
    effects: [],
    inEvents: 'value',
  },
  password_change_required: {
    by: managers,
    seenBy: managers,
    decides: 'access',
    effects: [],
    inEvents: 'value',
  },
} as const satisfies Readonly<
  Record<Exclude<keyof ServiceUserDetailPartialUpdate, keyof typeof userChangeFields>, UserFieldRights>
>

/** The names that records have for the fields of this kind. */
export const listStoredNames = (has: (rights: UserFieldRights) => boolean): readonly string[] =>
  Object.entries<UserFieldRights>(userRights).flatMap(([name, rights]) =>
    has(rights) ? [name === 'expiry' ? 'expiresAt' : name] : [],
  )

/** The names that records have for the fields whose change does this. */
export const listFieldsThat = (effect: UserFieldEffect): readonly string[] =>
  listStoredNames(({ effects }) => effects.includes(effect))

/** What audit events have of the fields of users, also of those that published clients know as fields of their own. */
export const userAuditFields: AuditedFields = {
  ...userRights,
  ...Object.fromEntries(userClientFieldNames.map((name) => [name, userRights.attributes])),
}
