import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { hasJustLeftFor } from './leave.ts'
import { findPendingLink } from './pending-link.ts'
import { request, returnTo } from './sign-in-options.ts'
import type { SignedIn, Step } from './steps.ts'

const t = messagesOf('signIn')

/** The name to greet a user by. The generated names of guests mean nothing to people. */
export const describeUser = ({ name, isGuest }: SignedIn): string => (isGuest ? t('aGuest') : name)

/** What the page shows at its first paint, and whether it goes on at once. */
export const findFirstStep = (): { readonly step: Step; readonly leaves: boolean } => {
  const problem = findFirstProblem()
  const user = getPageUser()
  if (!user) return { step: { name: 'credentials', ...(problem ? { problem } : {}) }, leaves: false }
  if (request.requiresSignIn) {
    const notice = t('signInAgain', { name: describeUser(user) })
    return { step: { name: 'credentials', notice, ...(problem ? { problem } : {}) }, leaves: false }
  }
  const step = { name: 'signedIn' as const, user, ...(problem ? { problem } : {}) }
  if (returnTo === undefined || findPendingLink()) return { step, leaves: false }
  // Guests can have an account of their own.
  const isChoice = request.offersAccounts || user.isGuest || hasJustLeftFor(returnTo)
  return isChoice ? { step, leaves: false } : { step: { ...step, name: 'leaving' }, leaves: true }
}

const findFirstProblem = (): string | undefined => {
  if (pageData.returnTarget === 'refused') return t('refusedReturn')
  const { searchParams } = new URL(location.href)
  return searchParams.get('error') === 'sign_in_not_finished' ? t('notFinished') : undefined
}

/** A session for the setup of a second factor signs no one in anywhere else. */
const getPageUser = (): SignedIn | undefined =>
  pageData.user && pageData.user.session !== 'setup'
    ? {
        name: pageData.user.displayName,
        isGuest: pageData.user.isGuest,
        canAdminister: pageData.canAdminister,
      }
    : undefined
