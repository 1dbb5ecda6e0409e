import { useState } from 'preact/hooks'
import { consolePermissions } from '../../lib/contract/page-data.ts'
import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'
import { describePasskeyError } from '../kit/passkeys.ts'
import { describeSignInFailure } from './describe-sign-in-failure.ts'
import { leaveFor } from './leave.ts'
import { findPendingLink } from './pending-link.ts'
import type { Outcome } from './sign-in-flow.ts'
import { returnTo } from './sign-in-options.ts'
import { type SignInResult, signInWithPasskey } from './sign-in-with-passkey.ts'
import type { SignedIn, Step } from './steps.ts'
import { stopSuggestingPasskeys } from './suggest-passkeys.ts'

const t = messagesOf('signIn')

export interface SignIn {
  readonly step: Step
  readonly show: (step: Step) => void
  /** Shows what follows. Returns the failure if this step goes on. */
  readonly finish: (outcome: Outcome) => Promise<ApiFailure | undefined>
  readonly complete: (result: SignInResult) => Promise<void>
  /** Leads to where the page was asked to lead. */
  readonly leave: (user: SignedIn) => Promise<void>
  /** Signs in with a passkey. Returns what went wrong. */
  readonly usePasskey: (token?: string) => Promise<string | undefined>
}

/** The state of the page, and what its steps can do. */
export const useSignIn = (firstStep: Step): SignIn => {
  const [step, show] = useState<Step>(firstStep)
  const leave = async (user: SignedIn): Promise<void> => {
    if (returnTo === undefined) return show({ name: 'signedIn', user })
    show({ name: 'leaving', user })
    const failure = await leaveFor(returnTo)
    if (!failure) return
    // The session ended in the meantime.
    if (failure.status === 401) return show({ name: 'credentials', problem: describeFailure(failure) })
    const problem = failure.status === 400 ? t('refusedReturn') : describeFailure(failure)
    show({ name: failure.status === 400 ? 'signedIn' : 'leaving', user, problem })
  }
  const complete = async ({ user, redirect }: SignInResult): Promise<void> => {
    stopSuggestingPasskeys()
    const pendingLink = findPendingLink()
    if (pendingLink) return location.replace(pendingLink)
    const signedIn = toSignedIn(user)
    if (returnTo !== undefined) return leave(signedIn)
    if (redirect) return location.assign(redirect)
    show({ name: 'signedIn', user: signedIn })
  }
  const finish = async (outcome: Outcome): Promise<ApiFailure | undefined> => {
    if (outcome.kind === 'failed') return outcome.failure
    if (outcome.kind === 'step') show(outcome.step)
    else await complete(outcome.result)
    return undefined
  }
  const usePasskey = async (token?: string): Promise<string | undefined> => {
    stopSuggestingPasskeys()
    try {
      const response = await signInWithPasskey(token)
      if (!response.isOk) return describeSignInFailure(response)
      await complete(response.body)
      return undefined
    } catch (error) {
      return describePasskeyError(error)
    }
  }
  return { step, show, finish, complete, leave, usePasskey }
}

const toSignedIn = ({ display_name: name, effective_permissions = [] }: SignInResult['user']): SignedIn => ({
  name,
  isGuest: false,
  canAdminister: effective_permissions.some((permission) => consolePermissions.includes(permission)),
})
