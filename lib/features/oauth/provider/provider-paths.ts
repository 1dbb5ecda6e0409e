/** The paths of the endpoints. The library resumes authorizations below `authorization`, which has no route of its own. */
export const providerPaths = {
  authorization: '/oauth2/authorize',
  interaction: '/oauth2/interaction',
  deviceAuthorization: '/oauth2/device',
  pushedAuthorization: '/oauth2/par',
  token: '/oauth2/token',
  userinfo: '/oauth2/userinfo',
  introspection: '/oauth2/introspect',
  revocation: '/oauth2/revoke',
  logout: '/oauth2/logout',
  jwks: '/.well-known/jwks.json',
} as const

/** Where an authorization that waits is completed: the place where the browser keeps it, and the one that is meant. */
export const buildInteractionPath = ({ uid, id }: { readonly uid: string; readonly id: string }): string =>
  `${providerPaths.interaction}/${uid}?id=${id}`
