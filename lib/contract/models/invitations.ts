import * as z from 'zod/mini'
import { displayText } from './display-text.ts'
import { dateTime, flag, nonEmptyText, nullableTextUpTo255 } from './fields.ts'
import { NewPasskeyCredential } from './passkeys.ts'
import { SessionProvider } from './sessions.ts'

export const InvitationToken = z.strictObject({ token: nonEmptyText })
export type InvitationToken = z.output<typeof InvitationToken>

/** What the page of an invitation shows. */
export const Invitation = z.strictObject({
  username: nonEmptyText,
  full_name: nullableTextUpTo255,
  email: nonEmptyText,
  /** The display name of the inviter. Null if they were deleted. */
  invited_by: z.nullable(nonEmptyText),
  expires_at: dateTime,
  allows_password: flag,
  allows_passkey: flag,
  /** The identity providers with whose accounts the invitation can be accepted. */
  providers: z.array(SessionProvider),
})
export type Invitation = z.output<typeof Invitation>

export const AcceptInvitationRequest = z.strictObject({
  token: nonEmptyText,
  password: nonEmptyText,
  /** Asks for a session that can only set up a second factor, if the policy requires one at once. */
  second_factor_setup: z.optional(flag),
})
export type AcceptInvitationRequest = z.output<typeof AcceptInvitationRequest>

export const AcceptInvitationWithPasskeyRequest = z.strictObject({
  token: nonEmptyText,
  name: z.optional(displayText(100)),
  credential: NewPasskeyCredential,
})
export type AcceptInvitationWithPasskeyRequest = z.output<typeof AcceptInvitationWithPasskeyRequest>

/** Where the browser goes to sign in with a company account. */
export const InvitationRedirect = z.strictObject({ url: nonEmptyText })
export type InvitationRedirect = z.output<typeof InvitationRedirect>
