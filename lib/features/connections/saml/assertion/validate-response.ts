import type { ProvenIdentity } from '../../proven-identity.records.ts'
import { getEncryptedAssertion } from './envelope.ts'
import { readAssertion } from './read-assertion.ts'
import { steps } from './steps.ts'
import {
  createFinding,
  createValidationContext,
  type Expectations,
  type Finding,
  type Step,
  type ValidationContext,
} from './validation-context.ts'

/** Why a response signs no user in. */
export interface Rejection {
  /** The name of the step that failed. */
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
  for (const step of steps) {
    if (step.needsAll) onReadOnce(readAssertion(context))
    const finding = await step.check(context, expectations)
    if (finding) return { refusal: createRejection(step, finding, context) }
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

/** The steps whose outcome depends on decrypted content that no signature covers. */
const stepsOverDecryptedContent = ['decryption', 'assertion_signature', 'second_verifier']

const createRejection = (step: Step, finding: Finding, context: ValidationContext): Rejection => {
  const hidesCause =
    !context.isResponseSigned &&
    getEncryptedAssertion(context.response) !== undefined &&
    stepsOverDecryptedContent.includes(step.name)
  return hidesCause
    ? { reason: 'encrypted_assertion', finding: hiddenCause, hidesCause }
    : { reason: step.name, finding, hidesCause }
}

/** The outcome of one step. It is `skipped` if an earlier failure left nothing to check. */
export interface StepOutcome {
  readonly step: Step
  readonly outcome: 'held' | 'failed' | 'skipped'
  readonly finding?: Finding
}

/** Runs the same steps, but continues after failures to report all problems. */
export const diagnoseResponse = async (
  posted: string,
  expectations: Expectations,
): Promise<{ readonly outcomes: readonly StepOutcome[]; readonly assertion: ProvenIdentity | undefined }> => {
  const context = createValidationContext(posted)
  const outcomes: StepOutcome[] = []
  let isBlocked = false
  for (const step of steps) {
    const isSkipped: boolean =
      isBlocked || (step.needsAll === true && outcomes.some(({ outcome }) => outcome === 'failed'))
    const finding: Finding | undefined = isSkipped ? undefined : await step.check(context, expectations)
    outcomes.push(
      isSkipped
        ? { step, outcome: 'skipped' }
        : finding
          ? { step, outcome: 'failed', finding }
          : { step, outcome: 'held' },
    )
    isBlocked ||= finding !== undefined && step.isGate === true
  }
  const isAccepted = outcomes.every(({ outcome }) => outcome === 'held')
  return { outcomes, assertion: isAccepted ? readAssertion(context) : undefined }
}
