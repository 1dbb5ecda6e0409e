import type { Hook, HookName } from '../../kernel/settings/hooks.ts'
import type { Services } from '../../services.ts'
import { readBeforeSignUpAnswer } from '../invitations/before-sign-up-answer.ts'
import { findGifts } from '../invitations/sign-up-hook.ts'
import { readClaims } from '../oauth/hook-claims.ts'
import { readAfterSignInAnswer } from '../sign-in/after-sign-in-answer.ts'
import { listAnswerProblems } from './answer-problems.ts'
import type { HookTrialResult } from './models.ts'

type Judgment = Pick<HookTrialResult, 'verdict' | 'message' | 'problem' | 'problems'>

/** Says what the service would do with an answer. The code that reads answers decides, and the list of problems explains it. */
export const judgeAnswer = async (
  services: Services,
  { name, hook }: { readonly name: HookName; readonly hook: Hook },
  answer: unknown,
): Promise<Judgment> => {
  const read = await readVerdict(services, { name, hook }, answer)
  return read
    ? { ...read, problem: null, problems: [] }
    : {
        ...{ verdict: 'failed', message: null, problem: 'answer' },
        problems: [...listAnswerProblems(name, hook, answer)],
      }
}

const readVerdict = async (
  services: Services,
  { name, hook }: { readonly name: HookName; readonly hook: Hook },
  answer: unknown,
): Promise<Pick<Judgment, 'verdict' | 'message'> | undefined> => {
  if (name === 'beforeSignUp') {
    const read = readBeforeSignUpAnswer(answer)
    if (read?.decision !== 'accept') return read && { verdict: read.decision, message: read.message ?? null }
    return (await findGifts(services, read, hook)) && { verdict: 'accept', message: null }
  }
  if (name === 'beforeToken') return readClaims(answer, hook.claims) && { verdict: 'claims', message: null }
  const read = readAfterSignInAnswer(answer)
  return read && { verdict: read.decision, message: read.message ?? null }
}
