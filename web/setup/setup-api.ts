import { useEffect, useState } from 'preact/hooks'
import type { SAMLSetup } from '../../lib/client/generated/models.ts'
import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'

const path = '/api/2/auth/saml-setup'

/** Sends a change to the service, which answers with the connection. */
export type SendChange = (
  rest: '' | '/metadata' | '/domains' | '/domains/remove' | '/finish',
  fields?: Readonly<Record<string, unknown>>,
) => Promise<ApiFailure | undefined>

/** Where the page is. */
type SetupState =
  | { readonly step: 'checking' }
  | { readonly step: 'failed'; readonly failure: ApiFailure }
  | { readonly step: 'ended' }
  | { readonly step: 'open'; readonly setup: SAMLSetup }

/*
 * The token of the link arrives in the fragment of the address, which no server gets. The address bar is visible to
 * others, so the token moves to the history entry, where a reload finds it.
 */

/** Moves a token from the address to the history entry. Pasting another link into the tab starts the page again. */
export const watchToken = (): void => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given !== null) history.replaceState({ token: given }, '', location.pathname + location.search)
  addEventListener('hashchange', () => location.reload())
}

const readToken = (): string | undefined => {
  const state: { readonly token?: unknown } = history.state ?? {}
  return typeof state.token === 'string' ? state.token : undefined
}

/** Shows the connection of the link, and changes it. */
export const useSetup = (): { readonly state: SetupState; readonly send: SendChange } => {
  const [state, setState] = useState<SetupState>({ step: 'checking' })
  const send: SendChange = async (rest, fields = {}) => {
    const token = readToken()
    const response: ApiResponse<SAMLSetup> | undefined =
      token === undefined ? undefined : await callApi('POST', path + rest, { body: { token, ...fields } })
    if (response?.isOk) setState({ step: 'open', setup: response.body })
    else if (!response || response.problem.code === 'invalid_token') setState({ step: 'ended' })
    else return response
    return undefined
  }
  const look = async (): Promise<void> => {
    const failure = await send('')
    if (failure) setState({ step: 'failed', failure })
  }
  useEffect(() => void look(), [])
  return { state, send }
}
