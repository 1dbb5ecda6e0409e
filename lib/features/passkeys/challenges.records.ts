import { isPresent } from '../../kernel/table/expressions.ts'
import { passkeyChallengeKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'

export const storePasskeyChallenge = (table: Table, challenge: PasskeyChallengeRecord): Promise<void> =>
  table.put({
    ...passkeyChallengeKey(challenge.hash),
    ...passkeyChallengeCodec.encode(challenge),
    expires_at: Math.ceil(challenge.expiresAt / 1000),
  })

/** Finds a challenge that was not used. It may have expired. */
export const findPasskeyChallenge = (
  table: Table,
  hash: string,
): Promise<PasskeyChallengeRecord | undefined> =>
  findRecord(table, passkeyChallengeCodec, passkeyChallengeKey(hash))

/** Uses a challenge. Of any number of transactions with this step, one is written. */
export const buildUseChallengeStep = ({ hash }: PasskeyChallengeRecord, orElse: OrElse): Step => ({
  delete: passkeyChallengeKey(hash),
  condition: isPresent,
  orElse,
})

/** What the answer to a challenge is for. An answer never counts for another purpose. */
export type ChallengePurpose =
  | 'register'
  | 'upgrade'
  | 'sign_in'
  | 'second_factor'
  | 'reauthenticate'
  | 'invitation'

/** A random value that a passkey signs once. */
export interface PasskeyChallengeRecord {
  /** The SHA-256 of the challenge, in base64url. */
  readonly hash: string
  readonly purpose: ChallengePurpose
  /** The user who must answer. Null for a sign-in, where only the answer names the user. */
  readonly userId: number | null
  /** The hash of the credential that asked for the challenge and must send the answer. Null for a sign-in. */
  readonly holder: string | null
  /** For a new passkey: the user handle that the browser was given. */
  readonly userHandle?: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const passkeyChallengeCodec = createCodec<PasskeyChallengeRecord>('passkey challenge', {
  hash: 'string',
  purpose: 'string',
  expiresAt: 'number',
})
