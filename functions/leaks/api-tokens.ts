import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { hashCredential } from '../../lib/secrets/credentials.ts'
import type { Services } from '../../lib/services.ts'
import { deleteApiToken, findApiTokenAndUser, findChosenOwner } from '../../lib/store/sign-in/api-tokens.ts'
import { buildLeakSteps } from './leak-steps.ts'

/** Deletes an API token and revokes the tickets that it created. */
export const endLeakedApiToken = async (
  services: Services,
  context: RequestContext,
  owner: { readonly subject: number; readonly hash: string },
): Promise<void> => {
  const { token, user } = await findApiTokenAndUser(services.table, owner.subject, owner.hash)
  if (!token || !user) return
  const steps = buildLeakSteps(services, context, user, `api_token:${token.id}`)
  await deleteApiToken(services.table, token, steps)
}

/** Deletes an API token whose value its owner chose, if the text is one. */
export const endLeakedCustomToken = async (
  services: Services,
  context: RequestContext,
  value: string,
): Promise<void> => {
  const hash = hashCredential(value)
  const subject = await findChosenOwner(services.table, hash)
  if (subject !== undefined) await endLeakedApiToken(services, context, { subject, hash })
}
