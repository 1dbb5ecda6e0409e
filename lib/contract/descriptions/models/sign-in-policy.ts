import { SignInPolicy } from '../../models/sign-in-policy.ts'
import { describeModel } from '../describe.ts'

export const signInPolicyTexts = [
  describeModel(SignInPolicy, {
    description:
      'What the service requires of sign-ins. A request replaces the whole policy: an omitted field requires nothing. It does not apply to SAML sign-ins, API tokens, access links, and existing sessions.',
    fields: {
      second_factor_for_everybody: 'Whether all users need a second factor. Default: `false`.',
      second_factor_for_permissions:
        'Who holds any of these permissions, also through a group, needs a second factor. Administrators hold every permission. At most 50. Default: empty.',
      second_factor_for_groups:
        'Members of groups with these IDs need a second factor. At most 100. Default: empty.',
      second_factor_grace_days:
        'The days that users have to set up a second factor. They count from a change of who needs one, or from the creation of the user. Default: 0.',
      password_only_min_length:
        'The least number of characters in new passwords of users without a second factor. Null for no requirement beyond the password policy. New services have 15.',
      allow_email_codes:
        'Whether users can sign in with a code that is emailed to them instead of their password. Anyone who reads the mailbox can then sign in. Default: `false`.',
    },
    example: {
      second_factor_for_everybody: false,
      second_factor_for_permissions: ['system:admin-access', 'users:manage'],
      second_factor_for_groups: [],
      second_factor_grace_days: 14,
      password_only_min_length: 15,
      allow_email_codes: false,
    },
  }),
]
