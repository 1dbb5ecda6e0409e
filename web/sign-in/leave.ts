import type { ApiFailure } from '../kit/call-api.ts'
import { keepValue, readKeptValue } from '../kit/kept-values.ts'
import { openReturnUrl } from '../kit/open-return-url.ts'

const name = 'last-return'
const lastReturnMs = 30_000

/**
 * Whether this tab left for the address a moment ago. A product that does not accept the sign-in sends the browser back
 * here. Without this, both would redirect to each other without an end.
 */
export const hasJustLeftFor = (returnTo: string): boolean => readKeptValue('tab', name) === returnTo

/** Opens the URL that the service gives for `returnTo`. Returns the failure if it gives none. */
export const leaveFor = (returnTo: string): Promise<ApiFailure | undefined> =>
  openReturnUrl(returnTo, { onLeave: () => keepValue('tab', name, returnTo, lastReturnMs) })
