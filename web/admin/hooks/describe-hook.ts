import type { Hook } from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('hooks')

/** What happens if a hook gives no usable answer. */
export const describeFailureRule = ({ name, on_failure: rule }: Hook): string => {
  if (name === 'beforeSignUp') return t('failBeforeSignUp')
  if (name === 'afterSignIn') return t('failAfterSignIn')
  return t(rule === 'refuse' ? 'failRefuse' : 'failContinue')
}

const offTexts = {
  beforeSignUp: 'offBeforeSignUp',
  afterSignIn: 'offAfterSignIn',
  beforeToken: 'offBeforeToken',
} as const

/** What happens while a hook is off. */
export const describeOff = (name: Hook['name']): string => t(offTexts[name])

const problemTexts = {
  timeout: 'timeoutProblem',
  connect: 'connectProblem',
  status: 'statusProblem',
  error: 'errorProblem',
  size: 'sizeProblem',
  answer: 'answerProblem',
  circuit: 'circuitProblem',
} as const

/** Why there was no usable answer. */
export const describeProblem = (problem: keyof typeof problemTexts): string => t(problemTexts[problem])
