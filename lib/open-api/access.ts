import type { Operation } from '../contract/operation.ts'

/** Describes the rules of access that OpenAPI has no fields for, in one paragraph. */
export const describeAccessRules = ({
  access,
  notWhileImpersonating,
  recentAuthentication,
}: Operation): string =>
  [
    ...(access.allow === 'permission' ? [`Requires the permission \`${access.permission}\`.`] : []),
    ...(access.allow !== 'anyone' && !access.by.includes('api_token')
      ? ['API tokens are not accepted.']
      : []),
    ...(access.allow !== 'anyone' && access.scope
      ? [`API tokens with scopes need \`${access.scope}\`.`]
      : []),
    ...(access.allow !== 'anyone' && access.by.includes('reset_token') ? ['Reset tokens are accepted.'] : []),
    ...(notWhileImpersonating
      ? ['Not allowed while impersonating another user or in a session that an access link opened.']
      : []),
    ...(recentAuthentication
      ? ['Requires a recent authentication: see the operation `confirm_identity`.']
      : []),
  ].join(' ')

const credentials = [{ bearer: [] }, { cookie: [] }]

/** Builds the `security` of an operation: the alternatives that authenticate a caller. An empty one stands for none. */
export const describeSecurity = ({ access, acceptsProduct }: Operation) => {
  if (access.allow !== 'anyone')
    // API tokens and reset tokens are no cookies.
    return credentials
  if (acceptsProduct && access.credential === 'ignored') return [{}, { bearer: [] }]
  return access.credential === 'ignored' ? [] : [{}, ...credentials]
}
