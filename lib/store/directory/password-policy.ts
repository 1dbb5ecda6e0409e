import { isAbsent } from '../engine/expressions.ts'
import { passwordPolicyKey } from '../engine/keys.ts'
import type { Table } from '../engine/table.ts'
import type { Step } from '../engine/transaction.ts'
import { EditConflict } from '../engine/transaction-errors.ts'

/** What new passwords must be like, as stored; `null` for what isn't asked for. */
export interface PasswordPolicy {
  readonly rules: readonly PasswordRule[]
  /** Characters. */
  readonly minLength: number | null
  readonly minEntropyBits: number | null
  /** An RE2 expression that must match somewhere. */
  readonly regex: string | null
  /** Whether a password that is known from a breach is refused. */
  readonly noPwned: boolean | null
}

/** So many matches of the expression are asked for; the name is what messages call them. */
export interface PasswordRule {
  readonly groupName: string
  readonly groupRegex: string
  readonly minCount: number
}

/** The stored policy, and what it is replaced by; undefined as long as nobody set one. */
export interface StoredPolicy {
  readonly policy: PasswordPolicy
  /** Goes up by one with each edit; an edit of an older version is refused. */
  readonly version: number
}

export const findPasswordPolicy = async (table: Table): Promise<StoredPolicy | undefined> =>
  (await table.get(passwordPolicyKey)) as StoredPolicy | undefined

/**
 * Puts a policy in the place of the one that was read, together with the steps in `along`.
 *
 * @throws EditConflict when another one was put there since.
 */
export const replacePasswordPolicy = async (
  table: Table,
  read: StoredPolicy | undefined,
  policy: PasswordPolicy,
  along: readonly Step[],
): Promise<void> => {
  const put: Step = {
    put: { ...passwordPolicyKey, policy, version: (read?.version ?? 0) + 1 },
    condition: read ? (x) => `${x.path('version')} = ${x.value(read.version)}` : isAbsent,
    orElse: () => new EditConflict(),
  }
  await table.transact([put, ...along])
}
