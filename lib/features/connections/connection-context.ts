import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { requireFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import type { ScimMatch, ScimUserRecord } from '../provisioning/users.records.ts'
import { type Connection, type ConnectionName, findConnection } from './records.ts'

/** The context of a request that concerns one connection. */
export interface ConnectionContext<Record extends Connection = Connection> {
  readonly services: Services
  readonly provider: Record
  readonly context: RequestContext
  /** Whether a proof of work was given when the sign-in started. */
  readonly isPaid?: boolean | undefined
  /** What the directory of the connection knows about the identity that signs in. Undefined without a directory. */
  readonly directory?: DirectoryMatch | undefined
  /** That the person wants a new account, with the version of the terms that they accepted for it. */
  readonly wantsAccount?: { readonly termsVersion: string | null }
}

/** What the directory knows about an identity. */
export interface DirectoryMatch {
  /** Whether the directory may send people now. If not, it decides about nobody new, and those whom it ended stay ended. */
  readonly isOn: boolean
  readonly createsUnknown: boolean
  /** The active person. Undefined if the directory did not send one. */
  readonly person: ScimUserRecord | undefined
  /** Whether the account and the identity lead to the person already. */
  readonly isBound: boolean
  /** The hash of the name at the identity provider. */
  readonly identity: string
  /** The value that was compared, and who wrote about it before. Undefined if the answer has none. */
  readonly compared: { readonly value: string; readonly seen: ScimMatch } | undefined
}

/** The only use of an answer of an identity provider. Nothing may be written for it without one of these. */
export interface AnswerUse {
  /**
   * Uses the answer now. Needed before writes outside of the transaction that the sign-in ends with. It can be called
   * again.
   *
   * @throws AppError `login_failed` if the answer was used before
   */
  readonly reserve: () => Promise<void>
  /** Builds the steps that use the answer in the last transaction, unless `reserve` did. */
  readonly buildSteps: () => readonly Step[]
}

/** The context of a request with an answer that passed all checks. */
export interface AnswerContext extends ConnectionContext {
  readonly use: AnswerUse
}

/** How audit events name a connection. */
export const getConnectionTarget = ({ id, kind }: ConnectionName): string => `${kind}:${id}`

/** @throws AppError `not_found` when there is no connection with this ID */
export const requireConnection = async (table: Table, id: number): Promise<Connection> =>
  requireFound(await findConnection(table, id), 'connection')
