import { expect, it } from 'vitest'
import { reference } from '../../lib/features/pages/reference.prebuilt.ts'
import { findEntries } from '../../web/reference/find-entries.ts'

/* What people type into the search of the documentation, and the place that they should see first. */

const entries = reference.index
const findFirst = (query: string): string | undefined => findEntries(entries, query)[0]?.href

it.each([
  ['docker', '/docs/guides/not-included#operation'],
  ['vue', '/docs/guides/single-page-app'],
  ['angular', '/docs/guides/single-page-app'],
  ['react native', '/docs/guides/openid-connect#native-apps-and-command-lines'],
  ['fastify', '/docs/guides/integrate#use-the-middleware'],
  ['nestjs', '/docs/guides/integrate#use-the-middleware'],
  ['magic link', '/docs/guides/not-included#protocols'],
  ['multi tenant', '/docs/guides/organizations'],
  ['github actions', '/docs/guides/as-code#deployed-services'],
  ['smtp', '/docs/guides/not-included#operation'],
  ['EADDRINUSE', '/docs/guides/troubleshooting#the-port-is-in-use-eaddrinuse'],
  ['ECONNREFUSED', '/docs/guides/troubleshooting#nothing-answers-at-the-address-econnrefused'],
  ['invalid_redirect_uri', '/docs/guides/troubleshooting#the-redirect-uri-is-refused-invalid_redirect_uri'],
  ['getServerSession', '/docs/guides/nextjs#2-save-five-files'],
  ['forgot admin password', '/docs/guides/troubleshooting#i-lost-the-password-of-the-administrator'],
  ['lost password of admin', '/docs/guides/troubleshooting#i-lost-the-password-of-the-administrator'],
  ['social login', '/docs/guides/public-sign-in'],
  ['custom domain', '/docs/guides/deploy#change-the-domain'],
  ['backup', '/docs/guides/operate#back-up-and-restore'],
  ['roles', '/docs/guides/organizations#roles'],
  ['sso', '/docs/guides/company-sign-in'],
  ['mfa', '/docs/guides/sign-in-policies'],
  ['2fa', '/docs/guides/sign-in-policies'],
  ['react', '/docs/guides/single-page-app'],
  ['delete user', '/docs/users#delete_user'],
  ['how do I log out', '/docs/guides/openid-connect#sign-out'],
  ['change port', '/docs/guides/troubleshooting#the-port-is-in-use-eaddrinuse'],
  ['CORS', '/docs/guides/troubleshooting#the-browser-blocks-a-call-from-another-origin-cors'],
  ['api key', '/docs/guides/api-tokens'],
  ['webhook', '/docs/guides/call-the-service#follow-the-audit-events'],
  ['saml', '/docs/guides/saml'],
  ['okta', '/docs/guides/identity-providers#okta'],
  ['passkey', '/docs/guides/passkeys'],
  ['rate limit', '/docs/guides/rate-limits'],
  ['invite user', '/docs/guides/invitations'],
  ['import users', '/docs/guides/import-export'],
  ['audit log', '/docs/guides/audit-events'],
  ['terraform', '/docs/guides/terraform-and-pulumi#terraform'],
  ['get_user', '/docs/users#get_user'],
  ['member_limit', '/docs/organizations#NewOrganization.member_limit'],
  ['dark mode', '/docs/guides/branding'],
  ['pricing', '/docs/guides/cost'],
  ['how to reset a password', '/docs/guides/passwords#reset'],
  ['google sign in', '/docs/guides/public-sign-in'],
  ['email templates', '/docs/guides/emails'],
  ['upgrade', '/docs/guides/operate#upgrade'],
  ['scim', '/docs/guides/scim'],
  ['token expired', '/docs/guides/troubleshooting#the-access-token-has-expired-right-after-it-was-issued'],
  ['rotate keys', '/docs/guides/operate#rotate-keys'],
  ['device code', '/docs/guides/devices'],
  ['multi region', '/docs/guides/multi-region'],
  ['export users', '/docs/guides/import-export'],
  ['cognito', '/docs/guides/cognito'],
  ['auth0', '/docs/guides/auth0'],
  ['keycloak', '/docs/guides/keycloak'],
  ['logo', '/docs/guides/branding'],
  ['cookie', '/docs#guide-the-session-cookie'],
  ['permissions', '/docs/guides/permissions'],
  ['service account', '/docs/guides/oidc-clients#machines'],
  ['m2m', '/docs/guides/oidc-clients#machines'],
  ['webauthn', '/docs/guides/passkeys'],
  ['gdpr', '/docs/guides/privacy'],
  ['offboarding', '/docs/guides/leavers'],
  ['cdk', '/docs/guides/cdk'],
  ['express', '/docs/guides/express'],
  ['python', '/docs/guides/python'],
  ['next auth', '/docs/guides/nextjs'],
  ['middleware', '/docs/guides/middleware'],
  ['verify jwt', '/docs/guides/jwts#verify'],
  ['captcha', '/docs/guides/not-included#accounts'],
  ['brute force', '/docs/guides/rate-limits'],
  ['sms', '/docs/guides/not-included#accounts'],
  ['two factor', '/docs/guides/sign-in-policies'],
  ['pulumi', '/docs/guides/terraform-and-pulumi#pulumi'],
  ['saml certificate', '/docs/guides/saml#certificates'],
  ['ip allowlist', '/docs/guides/not-included#operation'],
  ['csrf', '/docs#guide-the-session-cookie'],
  ['organization roles', '/docs/guides/organizations'],
  ['mcp', '/docs/guides/apis#agents-and-mcp-servers'],
  ['agents', '/docs/guides/agents'],
  ['login', '/docs/sessions#login'],
  ['jwks', '/docs/oidc#get_jwks'],
  ['account deletion', '/docs/users#request_account_deletion'],
  ['session lifetime', '/docs/guides/sessions#lifetime'],
  ['impersonate a user', '/docs/impersonation#start_impersonation'],
  ['account linking', '/docs/guides/import-export#accounts-at-providers'],
  ['fido2', '/docs/guides/passkeys'],
  ['tenant', '/docs/guides/organizations'],
  ['flutter', '/docs/guides/openid-connect#native-apps-and-command-lines'],
  ['kubernetes', '/docs/guides/not-included#operation'],
  ['sendgrid', '/docs/guides/not-included#operation'],
])('%s leads to %s', (query, place) => {
  expect(findFirst(query)).toBe(place)
})

it('finds nothing for words that no page has, and for none', () => {
  for (const query of ['', '  ', 'zxqwv', 'zxqwv qqqzzz sign'])
    expect(findEntries(entries, query)).toEqual([])
})

it('finds a question by the words that say something', () => {
  expect(findFirst('How do I export my users?')).toBe(findFirst('export users'))
  expect(findFirst('which one is it')).not.toBe(undefined)
})
