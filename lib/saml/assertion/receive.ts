import { getEncryptedAssertion } from './envelope.ts'
import { type Assertion, readAssertion } from './reading.ts'
import { steps } from './steps.ts'
import {
  createFinding,
  createValidationContext,
  type Expected,
  type Finding,
  type Step,
  type ValidationContext,
} from './validation-context.ts'

/** Why nobody is signed in by a response. */
export interface Rejection {
  /** The name of the step that didn't hold. */
  readonly reason: string
  readonly finding: Finding
  /** Whether this was about encrypted content that nobody vouched for. */
  readonly isBlind: boolean
}

/** Takes a response as it was posted, or says what is the first thing wrong with it. */
export const receive = async (
  posted: string,
  expected: Expected,
): Promise<{ readonly assertion: Assertion } | { readonly refusal: Rejection }> => {
  const dossier = createValidationContext(posted)
  for (const step of steps) {
    const found = await step.look(dossier, expected)
    if (found) return { refusal: refusalOf(step, found, dossier) }
  }
  return { assertion: readAssertion(dossier) }
}

/*
 * Whoever catches an encrypted assertion can change it and post it again. A cipher without integrity, such as AES in CBC
 * mode, is read in this way as soon as the answers tell padding that is wrong from XML that is wrong; so where no
 * signature around it vouched for the cipher text, one answer stands for all of it.
 */
const blind = createFinding(
  'The encrypted assertion could not be decrypted, or its signature does not hold.',
  'Let an administrator diagnose the response here: the answer tells which of both it is.',
)

/** The steps whose outcome depends on decrypted content that no signature covers. */
const readingDecrypted = ['decryption', 'assertion_signature', 'second_verifier']

const refusalOf = (step: Step, found: Finding, dossier: ValidationContext): Rejection => {
  const isBlind =
    !dossier.isResponseSigned &&
    getEncryptedAssertion(dossier.response) !== undefined &&
    readingDecrypted.includes(step.name)
  return isBlind
    ? { reason: 'encrypted_assertion', finding: blind, isBlind }
    : { reason: step.name, finding: found, isBlind }
}

/** How one step went; `skipped` where an earlier one left nothing to look at. */
export interface StepOutcome {
  readonly step: Step
  readonly outcome: 'held' | 'failed' | 'skipped'
  readonly finding?: Finding
}

/** Takes the same steps, and goes on behind those that don't hold, as far as there is something to look at. */
export const examine = async (
  posted: string,
  expected: Expected,
): Promise<{ readonly outcomes: readonly StepOutcome[]; readonly assertion: Assertion | undefined }> => {
  const dossier = createValidationContext(posted)
  const outcomes: StepOutcome[] = []
  let isBlocked = false
  for (const step of steps) {
    const isSkipped: boolean =
      isBlocked || (step.needsAll === true && outcomes.some(({ outcome }) => outcome === 'failed'))
    const found: Finding | undefined = isSkipped ? undefined : await step.look(dossier, expected)
    outcomes.push(
      isSkipped
        ? { step, outcome: 'skipped' }
        : found
          ? { step, outcome: 'failed', finding: found }
          : { step, outcome: 'held' },
    )
    isBlocked ||= found !== undefined && step.isGate === true
  }
  const isGood = outcomes.every(({ outcome }) => outcome === 'held')
  return { outcomes, assertion: isGood ? readAssertion(dossier) : undefined }
}
