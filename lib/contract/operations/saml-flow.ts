import * as z from 'zod/mini'
import { adminWithScope, anyone, anyoneOrKnown } from '../access.ts'
import { DiagnoseSAMLResponseRequest, SAMLDiagnosis } from '../models/saml-diagnosis.ts'
import { SAMLAssertionForm, SAMLLogoutQuery } from '../models/saml-messages.ts'
import { defineOperation } from '../operation.ts'
import { queryBoolean, queryText } from '../query.ts'

export const samlFlow = {
  getSamlServiceProviderMetadata: defineOperation({
    id: 'get_saml_service_provider_metadata',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/metadata',
    access: anyone,
    summary: 'Get the service provider metadata for an identity provider',
    responses: { 200: 'application/samlmetadata+xml' },
    errors: ['not_found'],
    // Identity providers send various Accept headers, but all of them read this type.
    ignoresAccept: true,
  }),
  startSamlAuth: defineOperation({
    id: 'start_saml_auth',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso',
    // A signed-in user can link their account at the provider to their user.
    access: anyoneOrKnown,
    summary: 'Redirect the browser to the identity provider to sign in',
    query: z.strictObject({
      return_to: z.optional(queryText),
      force_authn: z.optional(queryBoolean),
      link: z.optional(queryBoolean),
    }),
    responses: { 303: null },
    errors: ['not_found', 'not_authenticated', 'permission_denied', 'too_many_requests'],
    isFlowStep: true,
  }),
  receiveSamlAuthAssertion: defineOperation({
    id: 'receive_saml_auth_assertion',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/assertion',
    access: anyone,
    summary: 'Receive the SAML response of the identity provider',
    body: SAMLAssertionForm,
    bodyType: 'form',
    bodyLimitBytes: 256 * 1024,
    responses: { 303: null },
    errors: [
      'not_found',
      'not_authenticated',
      'permission_denied',
      'login_failed',
      'login_incomplete',
      'conflict',
      'too_many_requests',
    ],
  }),
  returnFromSamlAuth: defineOperation({
    id: 'return_from_saml_auth',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso/return',
    access: anyoneOrKnown,
    summary: 'Redirect the browser back to the page where its sign-in started',
    query: z.strictObject({
      SAMLResponse: z.optional(z.never('is accepted only by POST to the assertion endpoint')),
      flow: z.optional(queryText),
    }),
    responses: { 303: null },
    errors: ['not_authenticated', 'too_many_requests'],
    isFlowStep: true,
  }),
  diagnoseSamlResponse: defineOperation({
    id: 'diagnose_saml_response',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/diagnose',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Check a SAML response step by step without signing anyone in',
    body: DiagnoseSAMLResponseRequest,
    bodyLimitBytes: 256 * 1024,
    responses: { 200: SAMLDiagnosis },
    errors: ['not_found'],
  }),
  startSamlLogout: defineOperation({
    id: 'start_saml_logout',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls',
    access: anyoneOrKnown,
    summary: 'End the current session, then redirect to the identity provider for logout',
    responses: { 303: null },
    errors: ['not_found'],
    changesState: true,
    endsSession: 'session',
  }),
  returnFromSamlLogout: defineOperation({
    id: 'return_from_saml_logout',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls/return',
    // A signed message ends sessions, so neither the credential nor the origin of the request counts.
    access: anyone,
    summary: 'Receive a logout request or logout response from the identity provider',
    query: SAMLLogoutQuery,
    responses: { 303: null },
    errors: ['not_found'],
    isFlowStep: true,
  }),
}
