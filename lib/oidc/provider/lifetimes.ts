import { oidcCodeMs, oidcInteractionMs, signedTokenLifetimeMs } from '../../limits/limits.ts'
import { getCredentialEnd } from '../../tokens/credential-end.ts'
import { getRun } from './run.ts'

const toSeconds = (ms: number): number => Math.max(1, Math.floor(ms / 1000))

/** The lifetime of a token of the present request in seconds. It never outlives the session, and an hour at most. */
const getTokenLifetime = (wantedMs: number | undefined): number => {
  const { services, subject, grant } = getRun()
  const end = Math.min(
    subject ? getCredentialEnd(services, subject) : Number.POSITIVE_INFINITY,
    grant?.expiresAt ?? Number.POSITIVE_INFINITY,
  )
  return toSeconds(Math.min(wantedMs ?? 0, signedTokenLifetimeMs, end - services.now()))
}

/** Lifetimes in seconds. */
export const lifetimes = {
  AccessToken: () => getTokenLifetime(getRun().client?.accessTokenLifetimeMs),
  IdToken: () => getTokenLifetime(getRun().client?.idTokenLifetimeMs),
  RefreshToken: () => {
    const { services, grant } = getRun()
    return toSeconds((grant?.expiresAt ?? 0) - services.now())
  },
  AuthorizationCode: toSeconds(oidcCodeMs),
  Interaction: toSeconds(oidcInteractionMs),
  // These two are never stored under these names.
  Session: toSeconds(oidcInteractionMs),
  Grant: toSeconds(oidcInteractionMs),
}
