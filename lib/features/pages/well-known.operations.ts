import { anyone } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { PasskeyEndpoints, RelatedOrigins } from './well-known.models.ts'

/** What browsers, password managers and finders of vulnerabilities look up. */
export const wellKnownFiles = {
  changePasswordPage: defineOperation({
    id: 'change_password_page',
    group: 'pages',
    method: 'GET',
    path: '/.well-known/change-password',
    access: anyone,
    summary: 'Lead to the page where users change their password',
    // 303 to the account page.
    responses: { 303: null },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Leads to the password on the account page. Password managers open this address to help with a weak or leaked password (W3C, A Well-Known URL for Changing Passwords).',
        parameters: {},
        responses: {},
      })),
  }),
  getSecurityContact: defineOperation({
    id: 'get_security_contact',
    group: 'pages',
    method: 'GET',
    path: '/.well-known/security.txt',
    access: anyone,
    summary: 'Get the address for reports of vulnerabilities',
    responses: { 200: 'text/plain' },
    errors: ['not_found'],
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns the setting `securityContact` and its last day (RFC 9116). Without the setting, and after that day, it is a 404.',
        parameters: {},
        responses: {
          200: [
            {
              summary: 'An address for emails',
              value:
                'Contact: mailto:security@example.com\nExpires: 2027-04-01T00:00:00.000Z\nCanonical: https://auth.example.com/.well-known/security.txt\n',
            },
          ],
        },
      })),
  }),
  getPasskeyEndpoints: defineOperation({
    id: 'get_passkey_endpoints',
    group: 'pages',
    method: 'GET',
    path: '/.well-known/passkey-endpoints',
    access: anyone,
    summary: 'Get the pages where users manage their passkeys',
    responses: { 200: docs && PasskeyEndpoints },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns the addresses to which password managers lead users who want to add or remove a passkey, after the W3C draft of passkey endpoints.',
        parameters: {},
        responses: { 200: [{ summary: 'Both on the account page', value: exampleOf(PasskeyEndpoints) }] },
      })),
  }),
  getRelatedOrigins: defineOperation({
    id: 'get_related_origins',
    group: 'pages',
    method: 'GET',
    path: '/.well-known/webauthn',
    access: anyone,
    summary: 'Get the origins that may use the passkeys of this service',
    responses: { 200: docs && RelatedOrigins },
    ignoresAccept: true,
    text:
      docs &&
      describe(() => ({
        description:
          'Returns the address of this service and the origins of the setting `passkeyOrigins`. A browser reads them before a page of another domain uses a passkey of this one (WebAuthn Level 3, section 5.11).',
        parameters: {},
        responses: { 200: [{ summary: 'A shop on another domain', value: exampleOf(RelatedOrigins) }] },
      })),
  }),
}
