import type { ProvenIdentity } from '../../proven-identity.records.ts'
import { checks } from './checks.ts'
import { getEncryptedAssertion } from './envelope.ts'
import { readAssertion } from './read-assertion.ts'
import {
  type AssertionCheck,
  createFinding,
  createValidationContext,
  type Expectations,
  type Finding,
  type ValidationContext,
} from './validation-context.ts'

/** Why a response signs no user in. */
export interface Rejection {
  /** The name of the check that failed. */
  readonly reason: string
  readonly finding: Finding
  /** Whether `reason` and `finding` hide the cause, because it depends on unsigned encrypted content. */
  readonly hidesCause: boolean
}

/**
 * Validates a posted response. Returns its assertion, or the first problem. `onReadOnce` gets the assertion when only the
 * second verifier is left, so that reads can begin which depend on its name. Nothing may be written for it yet.
 */
export const validateResponse = async (
  posted: string,
  expectations: Expectations,
  onReadOnce: (assertion: ProvenIdentity) => void = () => {},
): Promise<{ readonly assertion: ProvenIdentity } | { readonly refusal: Rejection }> => {
  const context = createValidationContext(posted)
  for (const check of checks) {
    if (check.needsAll) onReadOnce(readAssertion(context))
    const finding = await check.check(context, expectations)
    if (finding) return { refusal: createRejection(check, finding, context) }
  }
  return { assertion: readAssertion(context) }
}

/*
 * An attacker who intercepts an encrypted assertion can change it and post it again. If answers differ for wrong padding
 * and wrong XML, the attacker can decrypt a cipher without integrity, such as AES-CBC. So all failures have the same
 * answer, unless a signature around the cipher text was verified.
 */
const hiddenCause = createFinding(
  'The encrypted assertion could not be decrypted, or its signature is not valid.',
  'Ask an administrator to diagnose the response here. The diagnosis shows which of the two it is.',
)

/** The checks whose outcome depends on decrypted content that no signature covers. */
const checksOfDecryptedContent = ['decryption', 'assertion_signature', 'second_verifier']

const createRejection = (check: AssertionCheck, finding: Finding, context: ValidationContext): Rejection => {
  const hidesCause =
    !context.isResponseSigned &&
    getEncryptedAssertion(context.response) !== undefined &&
    checksOfDecryptedContent.includes(check.name)
  return hidesCause
    ? { reason: 'encrypted_assertion', finding: hiddenCause, hidesCause }
    : { reason: check.name, finding, hidesCause }
}

/** The outcome of one check. It is `skipped` if an earlier failure left nothing to check. */
export interface CheckOutcome {
  readonly check: AssertionCheck
  readonly outcome: 'held' | 'failed' | 'skipped'
  readonly finding?: Finding
}

/** Runs the same checks, but continues after failures to report all problems. */
export const diagnoseResponse = async (
  posted: string,
  expectations: Expectations,
): Promise<{
  readonly outcomes: readonly CheckOutcome[]
  readonly assertion: ProvenIdentity | undefined
}> => {
  const context = createValidationContext(posted)
  const outcomes: CheckOutcome[] = []
  let isBlocked = false
  for (const check of checks) {
    const isSkipped: boolean =
      isBlocked || (check.needsAll === true && outcomes.some(({ outcome }) => outcome === 'failed'))
    const finding: Finding | undefined = isSkipped ? undefined : await check.check(context, expectations)
    outcomes.push(
      isSkipped
        ? { check, outcome: 'skipped' }
        : finding
          ? { check, outcome: 'failed', finding }
          : { check, outcome: 'held' },
    )
    isBlocked ||= finding !== undefined && check.isGate === true
  }
  const isAccepted = outcomes.every(({ outcome }) => outcome === 'held')
  return { outcomes, assertion: isAccepted ? readAssertion(context) : undefined }
}
