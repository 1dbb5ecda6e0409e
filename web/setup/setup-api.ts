import { useEffect, useState } from 'preact/hooks'
import type {
  ConnectionTestResult,
  InvitationRedirect,
  SAMLSetup,
  ScimTokenWithSecret,
} from '../../lib/client/generated/models.ts'
import { type ApiFailure, type ApiResponse, callApi } from '../kit/call-api.ts'
import { leavePage } from '../kit/leave-page.ts'

const path = '/api/2/auth/saml-setup'

/** Sends a change to the service, which answers with the connection. */
export type SendChange = (
  rest: '' | '/metadata' | '/domains' | '/domains/remove' | '/directory' | '/finish',
  fields?: Readonly<Record<string, unknown>>,
) => Promise<ApiFailure | undefined>

/** Where the page is. */
type SetupState =
  | { readonly step: 'checking' }
  | { readonly step: 'failed'; readonly failure: ApiFailure }
  | { readonly step: 'ended' }
  /** Another browser opened the link first. */
  | { readonly step: 'taken' }
  | { readonly step: 'open'; readonly setup: SAMLSetup }

/*
 * The token of the link arrives in the fragment of the address, which no server gets. The address bar is visible to
 * others, so the token moves to the history entry, where a reload finds it.
 */

/** Moves a token from the address to the history entry. Pasting another link into the tab starts the page again. */
export const watchToken = (): void => {
  const given = new URLSearchParams(location.hash.slice(1))
  const [token, test] = [given.get('token'), given.get('test')]
  const state = test === null ? { token } : { token: sessionStorage.getItem(tested), test }
  if (token !== null || test !== null) history.replaceState(state, '', location.pathname + location.search)
  sessionStorage.removeItem(tested)
  addEventListener('hashchange', () => location.reload())
}

/** Where the token waits while the tab is at the identity provider. It comes back to another history entry. */
const tested = 'latchkey-setup-test'

const readEntry = (name: 'token' | 'test'): string | undefined => {
  const state: Readonly<Record<string, unknown>> = history.state ?? {}
  const value = state[name]
  return typeof value === 'string' ? value : undefined
}

/** Leaves for the identity provider. Returns why it could not. */
export const startTest = async (): Promise<ApiFailure | undefined> => {
  const token = readEntry('token')
  if (token === undefined) return undefined
  const response: ApiResponse<InvitationRedirect> = await callApi('POST', `${path}/test`, { body: { token } })
  if (!response.isOk) return response
  sessionStorage.setItem(tested, token)
  await leavePage(response.body.url)
  return undefined
}

/** Creates a token of the directory. */
export const createDirectoryToken = (): Promise<ApiResponse<ScimTokenWithSecret>> =>
  callApi('POST', `${path}/directory/tokens`, { body: { token: readEntry('token') ?? '' } })

/** What the test found that the tab came back from. */
export const findTest = async (): Promise<ApiResponse<ConnectionTestResult> | undefined> => {
  const [token, test] = [readEntry('token'), readEntry('test')]
  if (token === undefined || test === undefined) return undefined
  return callApi('POST', `${path}/test-result`, { body: { token, test } })
}

/** Shows the connection of the link, and changes it. */
export const useSetup = (): {
  readonly state: SetupState
  readonly send: SendChange
  /** Asks the service again. */
  readonly retry: () => void
} => {
  const [state, setState] = useState<SetupState>({ step: 'checking' })
  const send: SendChange = async (rest, fields = {}) => {
    const token = readEntry('token')
    const response: ApiResponse<SAMLSetup> | undefined =
      token === undefined ? undefined : await callApi('POST', path + rest, { body: { token, ...fields } })
    if (response?.isOk) setState({ step: 'open', setup: response.body })
    else if (!response || response.problem.code === 'invalid_token') setState({ step: 'ended' })
    else if (response.problem.reason === 'setup_browser') setState({ step: 'taken' })
    else return response
    return undefined
  }
  const look = async (): Promise<void> => {
    const failure = await send('')
    if (failure) setState({ step: 'failed', failure })
  }
  useEffect(() => void look(), [])
  const retry = (): void => {
    setState({ step: 'checking' })
    void look()
  }
  return { state, send, retry }
}
