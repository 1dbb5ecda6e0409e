/**
 * The kinds of connections, one for each protocol. The name of a kind is that of its sign-ins in sessions, in the claim `amr`, and in the
 * targets of audit events.
 */
export const connectionKinds = ['saml', 'oidc'] as const
export type ConnectionKindName = (typeof connectionKinds)[number]
