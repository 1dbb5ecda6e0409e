/** Why a passkey is not accepted. These are reasons of `login_failed`. */
export type PasskeyRefusalReason = 'passkey_invalid' | 'passkey_unknown' | 'user_verification_required'

/** A passkey is not accepted. Use cases turn this into an answer and an audit event. */
export class PasskeyRefused extends Error {
  readonly reason: PasskeyRefusalReason
  /** The owner of the passkey, if it is known. */
  readonly userId: number | null

  constructor(reason: PasskeyRefusalReason, userId: number | null = null) {
    super(`the passkey is refused: ${reason}`)
    this.name = 'PasskeyRefused'
    this.reason = reason
    this.userId = userId
  }
}
