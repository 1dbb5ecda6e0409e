import type { TotpState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Changes, Condition, Expressions } from '../../kernel/table/expressions.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { type Step, wasCommitted } from '../../kernel/table/transaction.ts'

/*
 * Each use of a code is one conditional write to the user's record. It requires the same authenticator that was read. If
 * the second factor was disabled or set up again since, the code is not used. No use of a code is an edit, so a
 * sign-in never conflicts with one.
 */

/** A code that can be used. */
export interface CodeUse {
  /** Whether the code is still unused and the authenticator unchanged. */
  readonly isUnused: Condition
  /** The update of the user's record that uses the code. It fails unless `isUnused` holds. */
  readonly change: (x: Expressions) => Changes
}

/**
 * Uses the code of a time step and of all earlier ones, so that no code works twice (RFC 6238 section 5.2). A step after
 * the latest possible one was stored while a clock was wrong.
 */
export const useStep = (
  totp: TotpState,
  {
    step,
    driftSteps,
    latestStep,
  }: { readonly step: number; readonly driftSteps: number; readonly latestStep: number },
): CodeUse =>
  createCodeUse(
    (x) => {
      const last = x.path('totp', 'lastStep')
      return `${isSame(x, totp)} AND (${last} < ${x.value(step)} OR ${last} > ${x.value(latestStep)})`
    },
    (x) => ({
      set: [
        `${x.path('totp', 'lastStep')} = ${x.value(step)}`,
        `${x.path('totp', 'driftSteps')} = ${x.value(driftSteps)}`,
      ],
    }),
  )

/** Uses the recovery code with this hash. */
export const useRecoveryCode = (totp: TotpState, hash: string): CodeUse =>
  createCodeUse(
    (x) => `${isSame(x, totp)} AND attribute_exists(${x.path('totp', 'recoveryCodes', hash)})`,
    (x) => ({ remove: [x.path('totp', 'recoveryCodes', hash)] }),
  )

const createCodeUse = (isUnused: Condition, change: CodeUse['change']): CodeUse => ({
  isUnused,
  change: (x) => ({ ...change(x), condition: isUnused(x) }),
})

/** Uses a code. Returns false if it was used already, even concurrently. */
export const useCode = (
  table: Table,
  { id }: UserRecord,
  { change }: CodeUse,
  extraSteps: readonly Step[] = [],
): Promise<boolean> => wasCommitted(table.transact([{ update: userKey(id), changes: change }, ...extraSteps]))

/**
 * Disables the second factor. Returns false if it was disabled or set up again, or the user was edited, since they were read: the
 * second factor may be what another way to sign in needs. With `use`, also returns false if that code was used already.
 */
export const removeTotp = (
  table: Table,
  { id, version }: UserRecord,
  { totp, use }: { readonly totp: TotpState; readonly use?: CodeUse | undefined },
  extraSteps: readonly Step[],
): Promise<boolean> => {
  const isUnchanged = use?.isUnused ?? ((x) => isSame(x, totp))
  const changes = (x: Expressions): Changes => ({
    set: [`${x.path('totp')} = ${x.value(null)}`, `${x.path('version')} = ${x.value(version + 1)}`],
    condition: `${isUnchanged(x)} AND ${x.path('version')} = ${x.value(version)}`,
  })
  return wasCommitted(table.transact([{ update: userKey(id), changes }, ...extraSteps]))
}

/**
 * Replaces all recovery codes. Returns false if the second factor was disabled or set up again, or a recovery code was
 * used or replaced, since the user was read.
 */
export const replaceRecoveryCodes = (
  table: Table,
  { id, credentialEpoch }: UserRecord,
  {
    totp,
    stored,
    nowMs,
  }: {
    readonly totp: TotpState
    readonly stored: TotpState['recoveryCodes']
    readonly nowMs: number
  },
  extraSteps: readonly Step[],
): Promise<boolean> => {
  const changes = (x: Expressions): Changes => ({
    set: [
      `${x.path('totp', 'recoveryCodes')} = ${x.value(stored)}`,
      `${x.path('totp', 'codesRenewedAt')} = ${x.value(nowMs)}`,
    ],
    condition: [
      isSame(x, totp),
      `${x.path('totp', 'recoveryCodes')} = ${x.value(totp.recoveryCodes)}`,
      // A session that was ended concurrently must not get new codes.
      `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
    ].join(' AND '),
  })
  return wasCommitted(table.transact([{ update: userKey(id), changes }, ...extraSteps]))
}

const isSame = (x: Expressions, { encryptedKey }: TotpState): string =>
  `${x.path('totp', 'encryptedKey')} = ${x.value(encryptedKey)}`
