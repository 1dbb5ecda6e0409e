import { samlClockSkewMs } from '../../../kernel/limits/saml-limits.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import { createSamlError } from '../errors.ts'
import type { Assertion } from './assertion/read-assertion.ts'
import { buildAssertionStep, reserveAssertion } from './flows.records.ts'
import type { ConnectionContext, SamlContext } from './saml-context.ts'

/** The only use of an assertion. Nothing may be written for it without one of these. */
export interface AssertionUse {
  /**
   * Uses the assertion now. Needed before writes outside of the transaction that the sign-in ends with. It can be called
   * again.
   *
   * @throws AppError `login_failed` if the assertion was used before
   */
  readonly reserve: () => Promise<void>
  /** Builds the steps that use the assertion in the last transaction, unless `reserve` did. */
  readonly buildSteps: () => readonly Step[]
}

/** The context of a request with an assertion that both verifiers accepted. */
export interface SamlAssertionContext extends ConnectionContext {
  readonly use: AssertionUse
}

/** Creates the only use of an assertion. It uses the table only when its functions are called. */
export const createAssertionUse = (
  { services: { table, now }, provider }: SamlContext,
  { id, usableUntil }: Assertion,
): AssertionUse => {
  const untilMs = usableUntil + samlClockSkewMs
  const createReplayError = () =>
    createSamlError('login_failed', provider, 'replay', 'The response was already used. Sign in again.')
  let isReserved = false
  return {
    reserve: async () => {
      if (isReserved) return
      if (!(await reserveAssertion(table, provider.id, id, untilMs))) throw createReplayError()
      isReserved = true
    },
    buildSteps: () =>
      isReserved ? [] : [buildAssertionStep(provider.id, id, { untilMs, nowMs: now() }, createReplayError)],
  }
}
