import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
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
import { invitationLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { exampleCredentials, exampleNewPassword, newPasskey } from '../example-values.models.ts'
import { NewPasskeyCredential } from '../passkeys/models.ts'
import { PasswordPolicy } from '../passwords/models.ts'

export const InvitationToken = z.strictObject({ token: nonEmptyText })
export type InvitationToken = z.output<typeof InvitationToken>

const tokenDescription = `The value from the link in the email, with the prefix \`lki_\`. It works once, for ${describeDuration(invitationLifetimeMs)}. A newer invitation ends it.`

describeModel(InvitationToken, () => ({
  description: 'The token of an invitation.',
  fields: { token: tokenDescription },
  example: { token: exampleCredentials.invitation },
}))

/** A company connection that an invitation can be accepted with. */
export const InvitationProvider = z.strictObject({ id, name: text255, accept_url: nonEmptyText })
export type InvitationProvider = z.output<typeof InvitationProvider>

const exampleProvider = {
  ...{ id: 2, name: 'Example Company' },
  accept_url: 'https://auth.example.com/api/2/auth/saml/2/invitation',
}

describeModel(InvitationProvider, () => ({
  description: 'A SAML provider or an OpenID Connect connection that an invited user can accept with.',
  fields: {
    id: 'The ID of the connection.',
    name: { description: 'Its display name.', example: 'Example Company' },
    accept_url: {
      description:
        'The URL of `start_invitation_saml` for this connection. Send the token of the invitation there from a page of this service.',
      example: exampleProvider.accept_url,
    },
  },
  example: exampleProvider,
}))

/** What the page of an invitation shows. */
export const Invitation = z.strictObject({
  username: nonEmptyText,
  full_name: nullableTextUpTo255,
  email: nonEmptyText,
  is_sign_up: flag,
  invited_by: z.nullable(nonEmptyText),
  expires_at: dateTime,
  allows_password: flag,
  password_policy: z.nullable(PasswordPolicy),
  allows_passkey: flag,
  providers: z.array(InvitationProvider),
})
export type Invitation = z.output<typeof Invitation>

const expiresAtDescription = 'When the link stops working: ISO 8601, UTC.'

describeModel(Invitation, () => ({
  description: 'What the holder of an invitation sees before they accept it.',
  fields: {
    username: { description: 'The username of the new account.', example: 'grace' },
    full_name: 'The full name of the invited user, or null.',
    email: { description: 'The address that was invited.', example: 'grace@example.com' },
    is_sign_up: 'Whether the user signed up by themselves.',
    invited_by: 'The display name of the inviter. Null if they were deleted, or if the user signed up.',
    expires_at: expiresAtDescription,
    allows_password:
      'Whether the user may choose a password. False if their company requires its own sign-in.',
    password_policy: 'What the password must meet. Null if the user may choose none.',
    allows_passkey:
      'Whether the user may create a passkey instead. False if their company requires its own sign-in.',
    providers:
      'The identity providers that the user can sign in with instead, of either kind. An administrator trusts them for the domain of the address.',
  },
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
}))

export const AcceptInvitationRequest = z.strictObject({
  token: nonEmptyText,
  password: nonEmptyText,
  second_factor_setup: z.optional(flag),
})
export type AcceptInvitationRequest = z.output<typeof AcceptInvitationRequest>

describeModel(AcceptInvitationRequest, () => ({
  description: 'The first password of an invited user.',
  fields: {
    token: tokenDescription,
    password: 'The password. It must meet the password policy.',
    second_factor_setup: setupSession,
  },
  example: { token: exampleCredentials.invitation, password: exampleNewPassword },
}))

export const AcceptInvitationWithPasskeyRequest = z.strictObject({
  token: nonEmptyText,
  name: z.optional(displayText(100)),
  credential: NewPasskeyCredential,
})
export type AcceptInvitationWithPasskeyRequest = z.output<typeof AcceptInvitationWithPasskeyRequest>

describeModel(AcceptInvitationWithPasskeyRequest, () => ({
  description: 'The first passkey of an invited user.',
  fields: {
    token: `${tokenDescription} Send the same as for the options.`,
    name: {
      description:
        'A name by which the user recognizes the passkey, 1 to 100 characters. Default: `Passkey`.',
      example: 'Laptop',
    },
    credential: 'The created passkey. It answers unused options of this invitation of the last 5 minutes.',
  },
  example: { token: exampleCredentials.invitation, name: 'Laptop', credential: newPasskey },
}))

/** Where the browser goes to sign in with a company account. */
export const InvitationRedirect = z.strictObject({ url: nonEmptyText })
export type InvitationRedirect = z.output<typeof InvitationRedirect>

describeModel(InvitationRedirect, () => ({
  description: 'Where a browser signs in at an identity provider.',
  fields: {
    url: {
      description: 'The URL at the identity provider. Open it in the browser that sent the request.',
      example: 'https://idp.example.com/sso?SAMLRequest=example',
    },
  },
  example: { url: 'https://idp.example.com/sso?SAMLRequest=example' },
}))
