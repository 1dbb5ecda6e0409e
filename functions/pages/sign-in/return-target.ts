import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { keepValue, readKeptValue } from '../shared/kept-values.ts'
import { openReturnUrl } from '../shared/open-return-url.ts'

/** An address that the service accepts. */
export interface ReturnTarget {
  readonly origin: string
  /** Whether it is a page of a product. */
  readonly is_external: boolean
}

export const refusedReturnMessage =
  'The page that you came from cannot be opened from here. You can sign in, but you will stay on this page.'

/** Whether the service refused the address. */
export const isRefusedReturn = ({ status }: ApiFailure): boolean => status === 400

/** Asks the service about an address to return to. Returns undefined if it does not answer. */
export const fetchReturnTarget = async (returnTo: string): Promise<ReturnTarget | 'refused' | undefined> => {
  const query = new URLSearchParams({ return_to: returnTo })
  const response = await callApi<ReturnTarget>('GET', `/api/2/auth/continue?${query}`).catch(() => undefined)
  if (response?.isOk) return response.body
  return response && isRefusedReturn(response) ? 'refused' : undefined
}

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
