import type { ApiFailure } from '../kit/call-api.ts'
import { toFailure } from '../kit/to-failure.ts'
import { askForIdentity, reportSignedOut } from './prompts.ts'

/** Work that returns a failure, or throws one of the typed client. */
export type Work = () => Promise<ApiFailure | undefined>

/**
 * Runs work. If the service asks for a recent proof of identity, the person gives it and the work runs again. It returns no
 * failure if they cancel. If the session has ended, a dialog leads to the sign-in page.
 */
export const runConfirmed = async (work: Work): Promise<ApiFailure | undefined> => {
  const failure = await run(work)
  if (failure?.problem.reason !== 'reauthentication_required') return failure
  return (await askForIdentity()) ? run(work) : undefined
}

const run = async (work: Work): Promise<ApiFailure | undefined> => {
  const failure = await work().catch(toFailure)
  if (failure?.problem.code === 'not_authenticated') reportSignedOut()
  return failure
}
