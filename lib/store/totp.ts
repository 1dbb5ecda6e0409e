import type { Expressions } from './expressions.ts'
import { userKey } from './keys.ts'
import { wasMade } from './outcomes.ts'
import type { Table } from './table.ts'
import type { Step } from './transaction.ts'
import type { TotpState, UserRecord } from './user-record.ts'

/*
 * Using up codes. Each is one conditional write to the user's record, held to the very set-up that was read: should
 * the second factor be turned off or set up anew in the meantime, nothing is used and nothing learned. None of them
 * is an edit, so that a sign-in never gets in the way of one.
 */

/**
 * Uses up the code of a step, and every earlier one (RFC 6238 §5.2), together with the steps in `along`. Returns
 * the state as it is then; undefined when this or a later step was used already, by however close a call.
 */
export const useStep = async (
  table: Table,
  user: UserRecord,
  totp: TotpState,
  { step, driftSteps }: { readonly step: number; readonly driftSteps: number },
  along: readonly Step[] = [],
): Promise<TotpState | undefined> => {
  const used = { ...totp, lastStep: step, driftSteps }
  const done = await write(table, user, along, (x) => ({
    set: [
      `${x.path('totp', 'lastStep')} = ${x.value(step)}`,
      `${x.path('totp', 'driftSteps')} = ${x.value(driftSteps)}`,
    ],
    condition: `${isSame(x, totp)} AND ${x.path('totp', 'lastStep')} < ${x.value(step)}`,
  }))
  return done ? used : undefined
}

/** Uses up a recovery code by its hash; undefined when it isn't there (any more). */
export const useRecoveryCode = async (
  table: Table,
  user: UserRecord,
  totp: TotpState,
  hash: string,
  along: readonly Step[] = [],
): Promise<TotpState | undefined> => {
  const { [hash]: _, ...recoveryCodes } = totp.recoveryCodes
  const done = await write(table, user, along, (x) => ({
    remove: [x.path('totp', 'recoveryCodes', hash)],
    condition: `${isSame(x, totp)} AND attribute_exists(${x.path('totp', 'recoveryCodes', hash)})`,
  }))
  return done ? { ...totp, recoveryCodes } : undefined
}

/** Turns the second factor off. Returns false when that, or another set-up, has happened since it was read. */
export const removeTotp = (
  table: Table,
  user: UserRecord,
  totp: TotpState,
  along: readonly Step[],
): Promise<boolean> =>
  write(table, user, along, (x) => ({
    set: [`${x.path('totp')} = ${x.value(null)}`],
    condition: isSame(x, totp),
  }))

const isSame = (x: Expressions, { encryptedKey }: TotpState): string =>
  `${x.path('totp', 'encryptedKey')} = ${x.value(encryptedKey)}`

const write = (
  table: Table,
  { id }: UserRecord,
  along: readonly Step[],
  changes: Extract<Step, { update: unknown }>['changes'],
): Promise<boolean> =>
  wasMade(
    along.length === 0
      ? table.update(userKey(id), changes)
      : table.transact([{ update: userKey(id), changes }, ...along]),
  )
