/** The paths of the endpoints. The library resumes authorizations below `authorization`, which has no route of its own. */
export const providerPaths = {
  authorization: '/oauth2/authorize',
  interaction: '/oauth2/interaction',
  token: '/oauth2/token',
  userinfo: '/oauth2/userinfo',
  introspection: '/oauth2/introspect',
  revocation: '/oauth2/revoke',
  logout: '/oauth2/logout',
  jwks: '/.well-known/jwks.json',
} as const

/** The first letter of the address of an interaction that needs a new proof of identity. */
const proofMark = 'p'
const ordinaryMark = 'o'

/** The address of an interaction below `interaction`, from a hash. It is sealed with the interaction, so no one can change it. */
export const formatInteractionUid = (hash: string, needsNewProof: boolean): string =>
  `${needsNewProof ? proofMark : ordinaryMark}${hash.slice(0, 21)}`

/** Whether a path is that of an interaction that needs a new proof of identity. */
export const leadsToNewProof = (path: string): boolean =>
  path.startsWith(`${providerPaths.interaction}/${proofMark}`)
