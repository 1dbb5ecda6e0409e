import type { ApiFailure, ApiResponse } from '../kit/call-api.ts'
import type { Accepted, Invitation } from './invitation-api.ts'

/** What each way to accept the invitation gets. */
export interface AcceptProps {
  readonly token: string
  readonly invitation: Invitation
  /** The session is only for the setup of a second factor if `isForSetup`. */
  readonly onAccepted: (accepted: Accepted, isForSetup?: boolean) => void
  readonly onEnded: () => void
}

/** Continues after an answer of the service. Returns the failure that the person has to see, if there is one. */
export const settle = <Body>(
  response: ApiResponse<Body>,
  onSuccess: (body: Body) => void,
  onEnded: () => void,
): ApiFailure | undefined => {
  if (!response.isOk && !isEnded(response)) return response
  if (response.isOk) onSuccess(response.body)
  else onEnded()
  return undefined
}

/** Whether a request failed because the invitation was used, revoked or replaced, or has expired. */
export const isEnded = ({ problem }: ApiFailure): boolean => problem.code === 'invalid_token'
