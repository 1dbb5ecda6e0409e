import { ServiceUserProfile, ServiceUserProfileUpdate } from '../../models/profile.ts'
import { ldapValue } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { exampleIds } from '../example-values.ts'
import { exampleUserFields, ownFieldTexts, userFieldTexts } from './user-fields.ts'

const { avatar, id, display_name, email_verified, has_password, allow_changing_password } = userFieldTexts
const { username, totp_enabled, unix_username, email, shaper_rate, shaper_ceiling } = userFieldTexts

export const profileTexts = [
  describeModel(ServiceUserProfile, {
    description:
      'The profile of the current user. It contains what users see of their own account, and nothing that only administrators see.',
    fields: {
      ...ownFieldTexts,
      avatar,
      id,
      username,
      display_name,
      effective_permissions:
        'All permissions of the current credential, sorted, without duplicates. An API token with scopes has only those of its scopes. A session of an access link, or one that can only set up a second factor, has none.',
      has_password,
      allow_changing_password,
      totp_enabled,
      unix_username,
      email,
      email_verified,
      pending_email:
        'The address that replaces `email` when the user confirms it, or null. Another change that ends all sessions withdraws it.',
      ldap: ldapValue,
      shaper_rate,
      shaper_ceiling,
      recovery_codes_left:
        'How many recovery codes of the second factor are unused: 0 to 10. Only present for users with one-time passwords who signed in themselves.',
      impersonated_by:
        'The administrator who acts as this user. Only present during an impersonation. Show it, so that the administrator does not forget it.',
      access_link:
        'The ID of the access link that opened the session. Only present in such sessions. Refuse them wherever a link must not be enough.',
      second_factor_required_from:
        'When the policy starts to require a second factor from this user: ISO 8601, UTC. The session ends then. Only present while the user has none.',
    },
    example: {
      avatar: null,
      default_page: exampleUserFields.default_page,
      full_name: exampleUserFields.full_name,
      language: exampleUserFields.language,
      fm_bookmarks: [],
      id: exampleIds.user,
      username: exampleUserFields.username,
      display_name: exampleUserFields.display_name,
      effective_permissions: exampleUserFields.effective_permissions,
      has_password: true,
      allow_changing_password: true,
      totp_enabled: false,
      unix_username: null,
      email: exampleUserFields.email,
      email_verified: true,
      pending_email: null,
      shaper_rate: null,
      shaper_ceiling: null,
    },
  }),
  describeModel(ServiceUserProfileUpdate, {
    description:
      'Changes of the own profile. Omitted fields keep their values. The address and the password have operations of their own.',
    fields: ownFieldTexts,
    example: { full_name: 'Ada Lovelace', language: 'en' },
  }),
]
