import { errors, type FindAccount } from 'oidc-provider'
import { buildUserClaims, type UserClaims } from '../../tokens/claims.ts'
import { findGrantSubject } from '../find-grant-subject.ts'
import { buildScopeClaims } from '../scope-claims.ts'
import { getRun, type ProviderRun } from './run.ts'

/**
 * Finds the user of an authorization, or of a code or refresh token. In the latter case the session is read again. If it
 * has ended, or is of another user by now, the token does not work any more.
 */
export const findAccount: FindAccount = async (_ctx, accountId, token) => {
  const run = getRun()
  const subject = token ? run.grant && (await findGrantSubject(run.services, run.grant)) : run.principal
  const { client } = run
  if (!client || !subject || String(subject.user.id) !== accountId) return undefined
  run.subject = subject
  return {
    accountId,
    claims: async (use, scope) => {
      const claims = buildScopeClaims(subject.user, await getUserClaims(run), {
        client,
        scopes: scope.split(' '),
      })
      // The library hashes it.
      const atHash = use === 'id_token' && run.accessToken ? { at_hash: run.accessToken } : {}
      return { ...claims, sub: accountId, ...atHash }
    },
  }
}

/** What the tokens of a request state about their user. Reads groups once. */
export const getUserClaims = async (run: ProviderRun): Promise<UserClaims> => {
  if (!run.subject) throw new errors.InvalidGrant('the user is not known')
  run.claims ??= await buildUserClaims(run.services, run.subject)
  return run.claims
}
