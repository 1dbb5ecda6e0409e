import type { PageProvider } from '../../lib/contract/page-data.ts'

/** The path that starts a sign-in through a company connection. */
export const getStartPath = ({
  id,
  kind,
}: {
  readonly id: number
  readonly kind?: PageProvider['kind'] | undefined
}): string => (kind === 'oidc' ? `/api/2/auth/oidc-connections/${id}/start` : `/api/2/auth/saml/${id}/sso`)
