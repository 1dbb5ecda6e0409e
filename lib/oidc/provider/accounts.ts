import { errors, type FindAccount } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { authenticateStored } from '../../accounts/sign-in/authentication.ts'
import { buildUserClaims, type UserClaims } from '../../tokens/claims.ts'
import { buildScopeClaims } from '../scope-claims.ts'
import { isSignedIn } from '../signed-in.ts'
import { getRun, type ProviderRun } from './run.ts'

/**
 * Finds the user of an authorization, or of a code or refresh token. In the latter case the session is read again. If it
 * has ended, or is of another user by now, the token does not work any more.
 */
export const findAccount: FindAccount = async (_ctx, accountId, token) => {
  const run = getRun()
  const subject = token ? await findGrantSubject(run) : run.principal
  if (!subject || String(subject.user.id) !== accountId) return undefined
  run.subject = subject
  return {
    accountId,
    claims: async (use, scope) => {
      const claims = buildScopeClaims(subject.user, await getUserClaims(run), scope.split(' '))
      // The library hashes it.
      const atHash = use === 'id_token' && run.accessToken ? { at_hash: run.accessToken } : {}
      return { ...claims, sub: accountId, ...atHash }
    },
  }
}

const findGrantSubject = async ({ services, grant }: ProviderRun): Promise<SessionPrincipal | undefined> => {
  if (!grant) return undefined
  const { hash, userId } = grant.session
  const principal = await authenticateStored(services, { kind: 'session', userId, hash })
  if (!principal?.session || principal.user.id !== grant.userId) return undefined
  const subject = { ...principal, session: principal.session }
  return isSignedIn(subject) ? subject : undefined
}

/** What the tokens of a request state about their user. Reads groups once. */
export const getUserClaims = async (run: ProviderRun): Promise<UserClaims> => {
  if (!run.subject) throw new errors.InvalidGrant('the user is not known')
  run.claims ??= await buildUserClaims(run.services, run.subject)
  return run.claims
}
