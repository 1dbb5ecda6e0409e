import { buildPolicySource } from '../../oauth/client-uris.ts'

/** Lets the forms of a page lead to an address: browsers also apply the rule for forms to the redirect that follows. */
export const allowFormTarget = (
  headers: Readonly<Record<string, string>>,
  location: string,
): Record<string, string> => {
  const source = buildPolicySource(location)
  if (source === undefined) return { ...headers }
  const policy = headers['content-security-policy'] ?? ''
  return {
    ...headers,
    'content-security-policy': policy.replace("form-action 'self'", (rule) => `${rule} ${source}`),
  }
}
