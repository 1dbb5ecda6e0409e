import { invitationLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import {
  AcceptInvitationRequest,
  AcceptInvitationWithPasskeyRequest,
  Invitation,
  InvitationRedirect,
  InvitationToken,
} from '../../models/invitations.ts'
import { UserInvitationState } from '../../models/user-invitation.ts'
import { setupSession } from '../common-texts.ts'
import { describeModel } from '../describe.ts'
import { newPasskey } from '../example-passkeys.ts'
import { exampleCredentials, exampleNewPassword } from '../example-values.ts'

const token = `The value from the link in the email, with the prefix \`lki_\`. It works once, for ${describeDuration(invitationLifetimeMs)}. A newer invitation ends it.`
const expiresAt = 'When the link stops working: ISO 8601, UTC.'
const exampleProvider = { id: 2, name: 'Example Company' }

export const invitationsTexts = [
  describeModel(UserInvitationState, {
    description: 'The invitation of a user, for those who manage users. It never contains the link.',
    fields: {
      state:
        '`pending`: the link works. `accepted`: the user signed in with it. `expired`: it was not used in time. Ignore values that you do not know.',
      sent_at: 'When the invitation was sent: ISO 8601, UTC.',
      expires_at: expiresAt,
      invited_by: { description: 'The ID of the inviter, who may have been deleted since.', example: 1 },
    },
    example: {
      state: 'pending',
      sent_at: '2026-01-31T12:00:00.000Z',
      expires_at: '2026-02-07T12:00:00.000Z',
      invited_by: 1,
    },
  }),
  describeModel(InvitationToken, {
    description: 'The token of an invitation.',
    fields: { token },
    example: { token: exampleCredentials.invitation },
  }),
  describeModel(Invitation, {
    description: 'What the holder of an invitation sees before they accept it.',
    fields: {
      username: { description: 'The username of the new account.', example: 'grace' },
      full_name: 'The full name of the invited user, or null.',
      email: { description: 'The address that was invited.', example: 'grace@example.com' },
      invited_by: 'The display name of the inviter. Null if they were deleted.',
      expires_at: expiresAt,
      allows_password: 'Whether the user may choose a password.',
      allows_passkey: 'Whether the user may create a passkey instead.',
      providers:
        'The identity providers that the user can sign in with instead. An administrator trusts them for the domain of the address.',
    },
    example: {
      username: 'grace',
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      invited_by: 'Ada Lovelace',
      expires_at: '2026-02-07T12:00:00.000Z',
      allows_password: true,
      allows_passkey: true,
      providers: [exampleProvider],
    },
  }),
  describeModel(AcceptInvitationRequest, {
    description: 'The first password of an invited user.',
    fields: {
      token,
      password: 'The password. It must meet the password policy.',
      second_factor_setup: setupSession,
    },
    example: { token: exampleCredentials.invitation, password: exampleNewPassword },
  }),
  describeModel(AcceptInvitationWithPasskeyRequest, {
    description: 'The first passkey of an invited user.',
    fields: {
      token: `${token} Send the same as for the options.`,
      name: {
        description:
          'A name by which the user recognizes the passkey, 1 to 100 characters. Default: `Passkey`.',
        example: 'Laptop',
      },
      credential: 'The created passkey. It answers unused options of this invitation of the last 5 minutes.',
    },
    example: { token: exampleCredentials.invitation, name: 'Laptop', credential: newPasskey },
  }),
  describeModel(InvitationRedirect, {
    description: 'Where a browser signs in for an invitation.',
    fields: {
      url: {
        description: 'The URL at the identity provider. Open it in the browser that sent the request.',
        example: 'https://idp.example.com/sso?SAMLRequest=example',
      },
    },
    example: { url: 'https://idp.example.com/sso?SAMLRequest=example' },
  }),
]
