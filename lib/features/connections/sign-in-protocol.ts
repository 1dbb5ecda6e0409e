import type { Services } from '../../services.ts'
import type { AnswerUse, ConnectionContext } from './connection-context.ts'
import type { SignInDiagnosis } from './diagnosis.models.ts'
import type { SignInFlow } from './flows.records.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'
import type { Connection, ConnectionKind } from './records.ts'
import type { SignInOptions } from './start-sign-in.ts'

/**
 * What a protocol does in a sign-in. The parts around it are the same for all of them, in `start.part.ts` and
 * `receive-answer.part.ts`. They find the sign-in, check that the same browser started it, and use it up.
 */
export interface SignInProtocol<Record extends Connection = Connection, Answer = unknown> {
  readonly stored: ConnectionKind<Record>
  /** Stores a sign-in with `storeStart`, and returns the URL for the browser. */
  start(
    services: Services,
    connection: Record,
    browserSecret: string,
    options: SignInOptions,
  ): Promise<string>
  /** Reads which sign-in an answer claims to belong to. It is only used to find the sign-in that the answer is checked against. */
  nameFlow(answer: Answer): string | undefined
  /** The sentence for a person whose answer belongs to no sign-in. */
  explainUnsolicited(answer: Answer): string
  /** Sends a browser to start a sign-in, because its answer belongs to none. Undefined to refuse the answer. */
  restart?(
    services: Services,
    connection: Record,
    answer: Answer,
    cookies: readonly string[],
  ): Restart | undefined
  /**
   * Checks an answer to a sign-in that was used up, and returns whom it names.
   *
   * @throws AppError `login_failed` with the reason if anything about the answer is not valid
   */
  check(signIn: ConnectionContext<Record>, received: Received<Answer>): Promise<CheckedIdentity>
  /** Checks the answer to a test sign-in step by step. No one is signed in. */
  diagnose(services: Services, connection: Record, received: Received<Answer>): Promise<SignInDiagnosis>
}

/** An answer of an identity provider, and the sign-in that it belongs to. */
export interface Received<Answer> {
  readonly answer: Answer
  readonly flow: SignInFlow
  /** The value of the cookie by which the browser proved that it started the sign-in. */
  readonly browserSecret: string
}

/** Whom an answer names that passed all checks. */
export interface CheckedIdentity {
  readonly identity: ProvenIdentity
  /** What else has to be used up. Missing if the sign-in is all. */
  readonly use?: AnswerUse
  /** The read of who has the name, if it began before. */
  readonly owner?: Promise<number | undefined> | undefined
}

export interface Restart {
  readonly status: 303
  readonly headers: { readonly location: string }
  readonly cookies: readonly string[]
}
