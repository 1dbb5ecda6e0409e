import { type ApiFailure, callApi } from './call-api.ts'

/**
 * Opens the URL that the service gives for `returnTo`. For a product, it contains a ticket of the session: that of the
 * browser, or `bearer`. Returns the failure if the service gives none.
 */
export const openReturnUrl = async (
  returnTo: string,
  { bearer, onLeave }: { readonly bearer?: string; readonly onLeave?: () => void } = {},
): Promise<ApiFailure | undefined> => {
  const response = await callApi<{ readonly location: string }>('POST', '/api/2/auth/continue', {
    body: { return_to: returnTo },
    ...(bearer === undefined ? {} : { bearer }),
  })
  if (!response.isOk) return response
  onLeave?.()
  location.replace(response.body.location)
  return undefined
}
