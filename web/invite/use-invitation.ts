import { useEffect, useState } from 'preact/hooks'
import type { ApiFailure } from '../kit/call-api.ts'
import { findInvitation, type Invitation } from './invitation-api.ts'
import { forgetToken, readToken } from './kept-token.ts'
import { settle } from './settle.ts'

/** Where the page is. */
export type InvitationState =
  | { readonly step: 'checking' }
  | { readonly step: 'failed'; readonly failure: ApiFailure }
  | { readonly step: 'ended' }
  | { readonly step: 'open'; readonly token: string; readonly invitation: Invitation }

export interface UsedInvitation {
  readonly state: InvitationState
  /** Asks the service again. */
  readonly retry: () => void
  /** Shows that the invitation does not work any more. */
  readonly end: () => void
}

/** Looks the invitation of the page up, without using it. */
export const useInvitation = (): UsedInvitation => {
  const [state, setState] = useState<InvitationState>({ step: 'checking' })
  const [attempt, setAttempt] = useState(0)
  const end = () => {
    forgetToken()
    setState({ step: 'ended' })
  }
  const look = async (): Promise<void> => {
    const token = readToken()
    if (token === undefined) return setState({ step: 'ended' })
    setState({ step: 'checking' })
    const response = await findInvitation(token)
    const failure = settle(response, (invitation) => setState({ step: 'open', token, invitation }), end)
    if (failure) setState({ step: 'failed', failure })
  }
  // Looks once, and again when the person asks for it.
  useEffect(() => void look(), [attempt])
  return { state, retry: () => setAttempt(attempt + 1), end }
}
