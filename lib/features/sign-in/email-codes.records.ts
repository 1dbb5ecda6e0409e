import { emailCodeKey } from '../../kernel/table/keys/keys.ts'
import { createCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, type OrElse, type Step } from '../../kernel/table/transaction.ts'

/** Builds the step that stores a request for a code. */
export const buildCodeRequestStep = (record: EmailCodeRecord): Step => ({
  put: {
    ...emailCodeKey(record.hash),
    ...emailCodeCodec.encode(record),
    expires_at: Math.ceil(record.expiresAt / 1000),
  },
})

/** Builds the step by which the mailer stores a code. Fails with `orElse` when the request has expired. */
export const buildSetCodeStep = (hash: string, code: EmailCode, nowMs: number, orElse: OrElse): Step => ({
  update: emailCodeKey(hash),
  changes: (x) => ({
    set: [`${x.path('code')} = ${x.value(code)}`],
    condition: `${x.path('expiresAt')} > ${x.value(nowMs)}`,
  }),
  orElse,
})

/**
 * Counts a guess and returns the request. Returns undefined if there is none for the purpose, if it has expired, or if it had
 * `maximum` guesses. Concurrent guesses are all counted.
 */
export const countCodeGuess = async (
  table: Table,
  hash: string,
  {
    purpose,
    maximum,
    nowMs,
  }: { readonly purpose: EmailCodePurpose; readonly maximum: number; readonly nowMs: number },
): Promise<EmailCodeRecord | undefined> => {
  try {
    const item = await table.update(emailCodeKey(hash), (x) => ({
      set: [`${x.path('attempts')} = ${x.path('attempts')} + ${x.value(1)}`],
      condition: `${x.path('purpose')} = ${x.value(purpose)} AND ${x.path('attempts')} < ${x.value(maximum)} AND ${x.path('expiresAt')} > ${x.value(nowMs)}`,
    }))
    return emailCodeCodec.decode(item)
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined
    throw error
  }
}

/** Builds the step that uses a code. Of several concurrent requests with it, one succeeds. */
export const buildUseCodeStep = (hash: string, { codeHash }: EmailCode, orElse: OrElse): Step => ({
  delete: emailCodeKey(hash),
  condition: (x) => `${x.path('code', 'codeHash')} = ${x.value(codeHash)}`,
  orElse,
})

/**
 * What a code is for: signing in, or joining an organization with an invitation as it was sent. A code works for its purpose and for no
 * other.
 */
export type EmailCodePurpose = 'sign_in' | `organization_invitation ${number} ${string}`

/** A request for an emailed code. One to sign in is stored for unknown accounts too, without a code. */
export interface EmailCodeRecord {
  readonly hash: string
  readonly purpose: EmailCodePurpose
  /** Guesses so far, right ones included. */
  readonly attempts: number
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** Set by the mailer, when the account may get a code. */
  readonly code?: EmailCode
}

export interface EmailCode {
  readonly codeHash: string
  readonly userId: number
  /** The code ends with a change of the password or of the address. */
  readonly credentialEpoch: number
  readonly normalizedEmail: string
}

export const emailCodeCodec = createCodec<EmailCodeRecord>('email code', {
  hash: 'string',
  purpose: 'string',
  attempts: 'number',
  expiresAt: 'number',
})
