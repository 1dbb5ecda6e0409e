import type { Changes, Condition, Expressions } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import type { TotpState, UserRecord } from '../records/user-record.ts'

/*
 * Using up codes. Each is one conditional write to the user's record, held to the very set-up that was read: should
 * the second factor be turned off or set up anew in the meantime, nothing is used and nothing learned. None of them
 * is an edit, so that a sign-in never gets in the way of one.
 */

/** A code that can be used up. */
export interface CodeUse {
  /** Whether it still can, with the set-up that was read. */
  readonly isUnused: Condition
  /** The change to the user's record that uses it up; refuses when it can't be. */
  readonly change: (x: Expressions) => Changes
}

/** Using up the code of a step, and every earlier one (RFC 6238 §5.2): no close call lets it happen twice. */
export const useStep = (
  totp: TotpState,
  { step, driftSteps }: { readonly step: number; readonly driftSteps: number },
): CodeUse =>
  codeUse(
    (x) => `${isSame(x, totp)} AND ${x.path('totp', 'lastStep')} < ${x.value(step)}`,
    (x) => ({
      set: [
        `${x.path('totp', 'lastStep')} = ${x.value(step)}`,
        `${x.path('totp', 'driftSteps')} = ${x.value(driftSteps)}`,
      ],
    }),
  )

/** Using up a recovery code, by its hash. */
export const useRecoveryCode = (totp: TotpState, hash: string): CodeUse =>
  codeUse(
    (x) => `${isSame(x, totp)} AND attribute_exists(${x.path('totp', 'recoveryCodes', hash)})`,
    (x) => ({ remove: [x.path('totp', 'recoveryCodes', hash)] }),
  )

const codeUse = (isUnused: Condition, change: CodeUse['change']): CodeUse => ({
  isUnused,
  change: (x) => ({ ...change(x), condition: isUnused(x) }),
})

/** Uses a code up, together with the steps in `along`; false when it was used already, by however close a call. */
export const useCode = (
  table: Table,
  { id }: UserRecord,
  { change }: CodeUse,
  along: readonly Step[] = [],
): Promise<boolean> => wasCommitted(table.transact([{ update: userKey(id), changes: change }, ...along]))

/**
 * Turns the second factor off. Returns false when that, or another set-up, has happened since it was read; with
 * `isUnused`, also when the code was used up that this takes.
 */
export const removeTotp = (
  table: Table,
  { id }: UserRecord,
  totp: TotpState,
  along: readonly Step[],
  isUnused: Condition = (x) => isSame(x, totp),
): Promise<boolean> => {
  const changes = (x: Expressions): Changes => ({
    set: [`${x.path('totp')} = ${x.value(null)}`],
    condition: isUnused(x),
  })
  return wasCommitted(table.transact([{ update: userKey(id), changes }, ...along]))
}

const isSame = (x: Expressions, { encryptedKey }: TotpState): string =>
  `${x.path('totp', 'encryptedKey')} = ${x.value(encryptedKey)}`
