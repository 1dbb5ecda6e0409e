import * as z from 'zod/mini'
import { exampleCredentials, exampleIds, exampleTimes } from '../../../accounts/example-values.models.ts'
import { keptByDirectories } from '../../../accounts/users/kept-by-directory.models.ts'
import {
  exampleUserFields,
  ServiceUserMini,
  settableUserFields,
  userFields,
} from '../../../accounts/users/user-fields.models.ts'
import {
  emailAddress,
  flag,
  integer,
  nonEmptyText,
  readOnlyDateTime,
  readOnlyFlag,
  readOnlyText,
  readOnlyTexts,
} from '../../../kernel/contract/fields.ts'
import {
  changes,
  compose,
  field,
  model,
  selectSeenBy,
  selectSettableBy,
  toFields,
} from '../../../kernel/contract/model.ts'
import { emailConfirmationLifetimeMs } from '../../../kernel/limits/limits.ts'
import { describeDuration } from '../../../kernel/util/time.ts'
import {
  exampleProfileFields,
  profileChangeDescriptions,
  profileChangeFields,
  profileDescriptions,
  profileFields,
} from '../../../published-clients/user-fields.ts'
import { proof } from '../../network-limits/models.ts'
import { CurrentOrganization } from '../../organizations/models.ts'

const readOnlyMaybeText = z.optional(z.readonly(z.nullable(nonEmptyText)))

/** Fields that users set in their own account. */
const ownFields = compose(() => selectSettableBy(settableUserFields, 'person'))

const profileModelFields = compose(() => {
  const {
    id,
    username,
    display_name,
    allow_changing_password,
    email,
    email_verified,
    has_password,
    totp_enabled,
  } = selectSeenBy(userFields, 'person')
  return {
    ...ownFields,
    id,
    username: field(z.readonly(nonEmptyText), username.text),
    display_name,
    effective_permissions: field(
      readOnlyTexts,
      docs &&
        'All permissions of the current credential, sorted, without duplicates. An API token with scopes has only those of its scopes. A session of an access link, or one that can only set up a second factor, has none.',
    ),
    has_password: field(
      readOnlyFlag,
      docs && `${has_password.text} False in sessions that only the sign-in of an organization opened.`,
    ),
    allow_changing_password: field(readOnlyFlag, allow_changing_password.text),
    totp_enabled: field(
      readOnlyFlag,
      docs && `${totp_enabled.text} False in sessions that only the sign-in of an organization opened.`,
    ),
    email: field(readOnlyMaybeText, email.text),
    email_verified,
    pending_email: field(
      readOnlyMaybeText,
      docs &&
        'The address that replaces `email` when the user confirms it, or null. Another change that ends all sessions withdraws it. Null in sessions that only the sign-in of an organization opened.',
    ),
    recovery_codes_left: field(
      z.optional(z.readonly(integer)),
      docs &&
        'How many recovery codes of the second factor are unused: 0 to 10. Only present for users with one-time passwords who signed in themselves.',
    ),
    impersonated_by: field(
      z.optional(ServiceUserMini),
      docs &&
        'The administrator who acts as this user. Only present during an impersonation. Show it, so that the administrator does not forget it.',
    ),
    access_link: field(
      z.optional(z.readonly(id.schema)),
      docs &&
        'The ID of the access link that opened the session. Only present in such sessions. Refuse them wherever a link must not be enough.',
    ),
    second_factor_required_from: field(
      z.optional(readOnlyDateTime),
      docs &&
        'When the policy starts to require a second factor from this user: ISO 8601, UTC. The session ends then. Only present while the user has none.',
    ),
    resting_permissions: field(
      z.optional(readOnlyTexts),
      docs &&
        'Permissions of the user that have no effect in this session, sorted. The user got them later, and the sign-in asks a second factor for them, or a newer sign-in. Only present if there are any. Offer to confirm the identity with a second factor, or to sign in again.',
    ),
    authenticated_at: field(
      z.optional(readOnlyDateTime),
      docs &&
        'When the user of the session last proved who they are: ISO 8601, UTC. Only present in sessions. Compare it before a dangerous action.',
    ),
    acr: field(
      z.optional(readOnlyText),
      docs &&
        'The class of the sign-in: `urn:latchkey:acr:single-factor`, or `urn:latchkey:acr:multi-factor` after a second factor or a passkey. Only present in sessions.',
    ),
    kept_by_directories: keptByDirectories,
    organization: field(
      z.optional(CurrentOrganization),
      docs &&
        'The organization that the header `Latchkey-Organization` names, and what the user may do there. Only present with the header.',
    ),
    ...toFields(profileFields, docs && profileDescriptions),
  }
})

/** What users see of their own account. */
export const ServiceUserProfile = model(
  profileModelFields,
  docs && {
    description:
      'The profile of the current user. It contains what users see of their own account, and nothing that only administrators see.',
    example: {
      default_page: exampleUserFields.default_page,
      full_name: exampleUserFields.full_name,
      language: exampleUserFields.language,
      page_language: exampleUserFields.page_language,
      id: exampleIds.user,
      username: exampleUserFields.username,
      display_name: exampleUserFields.display_name,
      effective_permissions: exampleUserFields.effective_permissions,
      has_password: true,
      allow_changing_password: true,
      totp_enabled: false,
      email: exampleUserFields.email,
      email_verified: true,
      pending_email: null,
      authenticated_at: exampleTimes.signedIn,
      acr: 'urn:latchkey:acr:single-factor',
      ...exampleProfileFields,
    },
  },
)
export type ServiceUserProfile = z.output<typeof ServiceUserProfile>

const changeFields = compose(() => ({
  ...ownFields,
  ...toFields(profileChangeFields, docs && profileChangeDescriptions),
}))

/** What users can change in their own account. */
export const ServiceUserProfileUpdate = changes(
  changeFields,
  docs && {
    description:
      'Changes of the own profile. Omitted fields keep their values. The address and the password have operations of their own.',
    example: { full_name: 'Ada Lovelace', language: 'en' as const },
  },
)
export type ServiceUserProfileUpdate = z.output<typeof ServiceUserProfileUpdate>

/** The same fields, because all of them are optional in both requests. */
export const ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate
export type ServiceUserProfilePartialUpdate = ServiceUserProfileUpdate

export const ConfirmEmailRequest = model(
  {
    token: field(
      nonEmptyText,
      docs &&
        `The value from the link in the email, with the prefix \`lkc_\`. It works once, for ${describeDuration(emailConfirmationLifetimeMs)}. A newer email ends it.`,
    ),
  },
  docs && {
    description: 'The confirmation that an email address belongs to a user.',
    example: { token: exampleCredentials.emailConfirmation },
  },
)
export type ConfirmEmailRequest = z.output<typeof ConfirmEmailRequest>

export const EmailConfirmation = model(
  {
    email: field(z.string(), docs && 'The address that the link confirms.'),
    account: field(
      z.string(),
      docs &&
        'The username of the account for which the address was entered. If it is an address itself, only its first character and its domain. Show it in quotation marks: a stranger may have chosen it.',
    ),
    needs: field(
      z.enum(['nothing', 'sign_in', 'other_account', 'end_impersonation']),
      docs &&
        'What is missing before the link counts. `nothing`: it counts now. `sign_in`: nobody is signed in. `other_account`: somebody else is. `end_impersonation`: an administrator impersonates somebody.',
    ),
    signed_in_as: field(
      z.nullable(z.string()),
      docs && 'The username of the person who is signed in. Null if nobody is.',
    ),
  },
  docs && {
    description: 'What a link that confirms an email address is for.',
    example: { email: 'ada.king@example.com', account: 'ada', needs: 'sign_in', signed_in_as: null },
  },
)

export const SendEmailConfirmationRequest = model(
  { proof },
  docs && { description: 'The request for another email. It can be empty.', example: {} },
)

export const ChangeOwnEmailRequest = model(
  {
    email: field(
      emailAddress.check(z.maxLength(255)),
      docs &&
        'The new address, such as `name@example.com`. It gets an email with a link. The present address withdraws a change that waits.',
    ),
    proof,
  },
  docs && {
    description:
      'A new email address for the own account. The old one stays in use until the new one is confirmed.',
    example: { email: 'ada.king@example.com' },
  },
)
export type ChangeOwnEmailRequest = z.output<typeof ChangeOwnEmailRequest>

export const Onboarding = model(
  { is_hidden: field(flag, docs && 'Whether the console no longer shows the first steps.') },
  docs && {
    description: 'What the console shows an administrator of the first steps.',
    example: { is_hidden: true },
  },
)
