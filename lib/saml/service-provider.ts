/** Where this service is, for one identity provider. */
export interface ServiceUrls {
  /** Leads a browser to sign in. */
  readonly login: string
  /** Leads a browser to sign out. */
  readonly logout: string
  /** Our metadata; it is our entity id as well. */
  readonly metadata: string
  /** Where assertions are posted to. */
  readonly assertion: string
  /** Where logout messages are sent to. */
  readonly logoutReturn: string
}

/** The addresses of ours that belong to a provider; nothing of a request plays a part in them. */
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
