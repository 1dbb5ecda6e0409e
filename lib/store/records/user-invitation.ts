import type { RightsLimit } from './rights-limit.ts'

/** An invitation to sign in for the first time. A user has at most one, so it is part of their record. */
export interface UserInvitation {
  /** Random. A newer invitation has another one, so the email of an older one is not sent any more. */
  readonly id: string
  /** The hash of the credential in the link. Missing until the mailer has created it. */
  readonly hash?: string
  /** The ID of the inviter. */
  readonly invitedBy: number
  /** What the inviter held. The invitation opens no account with other permissions. Missing for an administrator. */
  readonly rights?: Pick<RightsLimit, 'permissions' | 'isApiToken'>
  /** The address that it is sent to. An invitation to another address does not work. */
  readonly normalizedEmail: string
  /** The epoch of the user who was invited. A new epoch ends the invitation, as it ends all sessions. */
  readonly credentialEpoch: number
  /** Epoch milliseconds. */
  readonly sentAt: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Epoch milliseconds. Missing until the user has accepted it. */
  readonly acceptedAt?: number
}
