import { fillTemplate } from '../../lib/http/fill-template.ts'
import type { LogoutTarget } from '../../lib/oidc/logout-target.ts'
import { builtPages } from './pages.prebuilt.ts'

/** Builds the page that asks whether to sign out. It works without a script. */
export const buildLogoutPage = (
  { client, location }: LogoutTarget,
  { post_logout_redirect_uri: returnTo, state }: Readonly<Record<string, string>>,
) => {
  const { html, headers } = builtPages.signOut
  const texts = { name: client?.name, clientId: client?.clientId, returnTo, state: client && state }
  return { body: fillTemplate(html, texts), headers: allowTarget(headers, location) }
}

/** Browsers also apply the rule for forms to the redirect that follows. */
const allowTarget = (headers: Readonly<Record<string, string>>, location: string): Record<string, string> => {
  const { protocol, origin } = new URL(location)
  const source = origin === 'null' ? protocol : origin
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy.replace("form-action 'self'", `form-action 'self' ${source}`),
  }
}
