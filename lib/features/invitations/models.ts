import * as z from 'zod/mini'
import { exampleCredentials, exampleNewPassword, newPasskey } from '../../accounts/example-values.models.ts'
import { setupSession } from '../../kernel/contract/descriptions/common-texts.ts'
import {
  dateTime,
  displayText,
  flag,
  id,
  nonEmptyText,
  nullableTextUpTo255,
  text255,
} from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'
import { invitationLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { NewPasskeyCredential } from '../passkeys/models.ts'
import { PasswordPolicy } from '../passwords/models.ts'

const tokenDescription =
  docs &&
  `The value from the link in the email, with the prefix \`lki_\`. It works once, for ${describeDuration(invitationLifetimeMs)}. A newer invitation ends it.`

export const InvitationToken = model(
  {
    token: field(nonEmptyText, docs && tokenDescription),
  },
  docs && { description: 'The token of an invitation.', example: { token: exampleCredentials.invitation } },
)
export type InvitationToken = z.output<typeof InvitationToken>

const exampleProvider = docs && {
  id: 2,
  name: 'Example Company',
  accept_url: 'https://auth.example.com/api/2/auth/connections/2/invitation',
}

/** A company connection that an invitation can be accepted with. */
export const InvitationProvider = model(
  {
    id: field(id, docs && 'The ID of the connection.'),
    name: field(text255, docs && { description: 'Its display name.', example: 'Example Company' }),
    accept_url: field(
      nonEmptyText,
      docs && {
        description:
          'The URL of `start_invitation_saml` for this connection. Send the token of the invitation there from a page of this service.',
        example: exampleProvider.accept_url,
      },
    ),
  },
  docs && {
    description: 'A SAML provider or an OpenID Connect connection that an invited user can accept with.',
    example: exampleProvider,
  },
)
export type InvitationProvider = z.output<typeof InvitationProvider>

const expiresAtDescription = docs && 'When the link stops working: ISO 8601, UTC.'

/** What the page of an invitation shows. */
export const Invitation = model(
  {
    username: field(
      nonEmptyText,
      docs && { description: 'The username of the new account.', example: 'grace' },
    ),
    full_name: field(nullableTextUpTo255, docs && 'The full name of the invited user, or null.'),
    email: field(
      nonEmptyText,
      docs && { description: 'The address that was invited.', example: 'grace@example.com' },
    ),
    is_sign_up: field(flag, docs && 'Whether the user signed up by themselves.'),
    invited_by: field(
      z.nullable(nonEmptyText),
      docs && 'The display name of the inviter. Null if they were deleted, or if the user signed up.',
    ),
    expires_at: field(dateTime, docs && expiresAtDescription),
    allows_password: field(
      flag,
      docs && 'Whether the user may choose a password. False if their company requires its own sign-in.',
    ),
    password_policy: field(
      z.nullable(PasswordPolicy),
      docs && 'What the password must meet. Null if the user may choose none.',
    ),
    allows_passkey: field(
      flag,
      docs &&
        'Whether the user may create a passkey instead. False if their company requires its own sign-in.',
    ),
    providers: field(
      z.array(InvitationProvider),
      docs &&
        'The identity providers that the user can sign in with instead, of either kind: that of their company, which an administrator trusts for the domain of the address, and the public providers of the sign-in page.',
    ),
  },
  docs && {
    description: 'What the holder of an invitation sees before they accept it.',
    example: {
      username: 'grace',
      full_name: 'Grace Hopper',
      email: 'grace@example.com',
      is_sign_up: false,
      invited_by: 'Ada Lovelace',
      expires_at: '2026-02-07T12:00:00.000Z',
      allows_password: true,
      password_policy: { rules: [], min_length: 15, min_entropy_bits: null, regex: null, no_pwned: true },
      allows_passkey: true,
      providers: [exampleProvider],
    },
  },
)
export type Invitation = z.output<typeof Invitation>

export const AcceptInvitationRequest = model(
  {
    token: field(nonEmptyText, docs && tokenDescription),
    password: field(nonEmptyText, docs && 'The password. It must meet the password policy.'),
    second_factor_setup: field(z.optional(flag), docs && setupSession),
  },
  docs && {
    description: 'The first password of an invited user.',
    example: { token: exampleCredentials.invitation, password: exampleNewPassword },
  },
)
export type AcceptInvitationRequest = z.output<typeof AcceptInvitationRequest>

export const AcceptInvitationWithPasskeyRequest = model(
  {
    token: field(nonEmptyText, docs && `${tokenDescription} Send the same as for the options.`),
    name: field(
      z.optional(displayText(100)),
      docs && {
        description:
          'A name by which the user recognizes the passkey, 1 to 100 characters. Default: `Passkey`.',
        example: 'Laptop',
      },
    ),
    credential: field(
      NewPasskeyCredential,
      docs && 'The created passkey. It answers unused options of this invitation of the last 5 minutes.',
    ),
  },
  docs && {
    description: 'The first passkey of an invited user.',
    example: { token: exampleCredentials.invitation, name: 'Laptop', credential: newPasskey },
  },
)
export type AcceptInvitationWithPasskeyRequest = z.output<typeof AcceptInvitationWithPasskeyRequest>

/** Where the browser goes to sign in with a company account. */
export const InvitationRedirect = model(
  {
    url: field(
      nonEmptyText,
      docs && {
        description: 'The URL at the identity provider. Open it in the browser that sent the request.',
        example: 'https://idp.example.com/sso?SAMLRequest=example',
      },
    ),
  },
  docs && {
    description: 'Where a browser signs in at an identity provider.',
    example: { url: 'https://idp.example.com/sso?SAMLRequest=example' },
  },
)
export type InvitationRedirect = z.output<typeof InvitationRedirect>
