import { isPresent } from '../engine/expressions.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import { passkeyChallengeKey } from '../keys/keys.ts'
import { type PasskeyChallengeRecord, passkeyChallengeCodec } from './passkey-challenge-record.ts'

export const storePasskeyChallenge = (table: Table, challenge: PasskeyChallengeRecord): Promise<void> =>
  table.put({
    ...passkeyChallengeKey(challenge.hash),
    ...challenge,
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
