import type { ApiFailure } from '../kit/call-api.ts'
import { keepValue, readKeptValue } from '../kit/kept-values.ts'
import { messagesOf } from '../kit/messages.ts'
import { openReturnUrl } from '../kit/sign-in-address.ts'
import { pageData } from '../kit/start-path.ts'
import type { SignedIn, Step } from './sign-in-flow.ts'
import { findPendingLink, request, returnTo, targetName } from './sign-in-options.ts'

const t = messagesOf('signIn')

/** The name to greet a user by. The generated names of guests mean nothing to people. */
export const describeUser = ({ name, isGuest }: SignedIn): string => (isGuest ? t('aGuest') : name)

/** What the page shows at its first paint, and whether it goes on at once. */
export const findFirstStep = (): { readonly step: Step; readonly leaves: boolean } => {
  const problem = findFirstProblem()
  const user = getPageUser()
  const stronger = request.needsSecondFactor ? t('strongerSignIn', { product: targetName }) : undefined
  if (!user) {
    const shown = { ...(stronger ? { notice: stronger } : {}), ...(problem ? { problem } : {}) }
    return { step: { name: 'credentials', ...shown }, leaves: false }
  }
  if (request.lacksFactor && pageData.user?.confirmation.lacksCode && returnTo !== undefined)
    return { step: { name: 'addCode', user }, leaves: false }
  if (request.requiresSignIn) {
    const again = t(request.lacksProof ? 'proveHere' : 'signInAgain', { name: describeUser(user) })
    const notice = stronger ?? again
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
  pageData.user && pageData.user.session !== 'setup' && pageData.user.session !== 'passkey_setup'
    ? {
        name: pageData.user.displayName,
        isGuest: pageData.user.isGuest,
        canAdminister: pageData.canAdminister,
      }
    : undefined

const name = 'last-return'
const lastReturnMs = 30_000

/**
 * Whether this tab left for the address a moment ago. A product that does not accept the sign-in sends the browser back
 * here. Without this, both would redirect to each other without an end.
 */
const hasJustLeftFor = (returnTo: string): boolean => readKeptValue('tab', name) === returnTo

/** Opens the URL that the service gives for `returnTo`. Returns the failure if it gives none. */
export const leaveFor = (returnTo: string): Promise<ApiFailure | undefined> =>
  openReturnUrl(returnTo, { onLeave: () => keepValue('tab', name, returnTo, lastReturnMs) })
