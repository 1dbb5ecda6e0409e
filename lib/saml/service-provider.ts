/** The URLs of this service for one identity provider. */
export interface ServiceUrls {
  /** Starts a sign-in in the browser. */
  readonly login: string
  /** Starts a sign-out in the browser. */
  readonly logout: string
  /** The metadata of this service. It is also the entity ID. */
  readonly metadata: string
  /** The assertion consumer service (ACS). */
  readonly assertion: string
  /** The single logout service. */
  readonly logoutReturn: string
}

/** Builds the URLs from the configuration only. They never depend on a request, which an attacker could influence. */
export const getServiceUrls = (publicUrl: string, providerId: number): ServiceUrls => {
  const base = `${publicUrl}/api/2/auth/saml/${providerId}`
  return {
    login: `${base}/sso`,
    logout: `${base}/sls`,
    metadata: `${base}/metadata`,
    assertion: `${base}/assertion`,
    logoutReturn: `${base}/sls/return`,
  }
}
