import type { Access } from '../kernel/contract/access.ts'
import type { Operation } from '../kernel/contract/operation.ts'

/** Describes the rules of access that OpenAPI has no fields for, in one paragraph. */
export const describeAccessRules = ({
  access,
  notWhileImpersonating,
  recentAuthentication,
  decidesSignIn,
}: Operation): string =>
  [
    ...(access.allow === 'permission' ? [`Requires the permission \`${access.permission}\`.`] : []),
    ...(access.allow === 'role' ? [describeRole(access)] : []),
    ...(access.allow !== 'anyone' &&
    !access.by.includes('api_token') &&
    !access.by.includes('organization_token')
      ? ['API tokens are not accepted.']
      : []),
    ...(access.allow !== 'anyone' && access.scope
      ? [`API tokens with scopes need \`${access.scope}\`.`]
      : []),
    ...(access.allow !== 'anyone' && access.by.includes('organization_token')
      ? [
          access.by.length === 1
            ? 'Accepts only API tokens of organizations.'
            : 'API tokens of the organization are accepted.',
        ]
      : []),
    ...(access.allow !== 'anyone' && access.by.includes('reset_token') ? ['Reset tokens are accepted.'] : []),
    ...(notWhileImpersonating
      ? ['Not allowed while impersonating another user or in a session that an access link opened.']
      : []),
    ...(recentAuthentication === true
      ? ['Requires a recent authentication: see the operation `confirm_identity`.']
      : []),
    ...(recentAuthentication === 'for_sign_in_and_rights'
      ? [
          'Requires a recent authentication (see the operation `confirm_identity`) to set an email address of an existing user, to give or take `system:admin-access` or `users:manage`, and to change who of their holders can sign in.',
        ]
      : []),
    ...(decidesSignIn === undefined ? [] : [describeDecider(decidesSignIn)]),
  ].join(' ')

const describeRole = ({
  inOrganization,
  permission,
}: Extract<Access, { readonly allow: 'role' }>): string => {
  if (inOrganization === 'none')
    return `Requires the permission \`${permission}\`. Without it and for people who are no members, the organization does not exist.`
  const role = inOrganization === 'membership' ? 'any role' : `a role with \`${inOrganization}\``
  return `Requires ${role} in the organization, or the permission \`${permission}\`. To others, the organization does not exist.`
}

const describeDecider = (decider: NonNullable<Operation['decidesSignIn']>): string =>
  decider === 'caller'
    ? 'If the caller decides how the account of somebody else signs in, permissions that the caller lacks have no effect in it. A holder who gives it one ends what the caller set: the account starts anew.'
    : 'If the connection alone leads to an account, by its address or because it creates it, `system:admin-access` and `users:manage` have no effect in it. A holder who gives it one ends the connection: the account starts anew.'

const credentials = [{ bearer: [] }, { cookie: [] }]

/** Builds the `security` of an operation: the alternatives that authenticate a caller. An empty one stands for none. */
export const describeSecurity = ({ access, acceptsProduct }: Operation) => {
  if (access.allow !== 'anyone') return credentials
  if (acceptsProduct && access.credential === 'ignored') return [{}, { bearer: [] }]
  return access.credential === 'ignored' ? [] : [{}, ...credentials]
}

/** The ways to send a credential. The configuration decides the name of the cookie. */
export const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A session, an API token or a reset token in the header `Authorization` (RFC 6750). It counts if both it and the cookie are sent.',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'latchkey',
    description:
      'The session of a browser, which a sign-in sets. A request that changes something must come from a page of the service.',
  },
}
