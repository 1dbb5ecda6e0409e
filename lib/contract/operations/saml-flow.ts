import * as z from 'zod/mini'
import { admin, anyone, anyoneOrKnown } from '../access.ts'
import { DiagnoseSAMLResponseRequest, SAMLDiagnosis } from '../models/saml-diagnosis.ts'
import { SAMLAssertionForm, SAMLLogoutQuery } from '../models/saml-messages.ts'
import { operation } from '../operation.ts'
import { queryBoolean, queryText } from '../query.ts'

export const samlFlow = {
  getSamlServiceProviderMetadata: operation({
    id: 'get_saml_service_provider_metadata',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/metadata',
    access: anyone,
    summary: 'Describe this service to an identity provider',
    responses: { 200: 'application/samlmetadata+xml' },
    // Products ask for XML, or as browsers do, and would read this.
    ignoresAccept: true,
  }),
  startSamlAuth: operation({
    id: 'start_saml_auth',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso',
    // Whose session it is matters to those who link their account at the provider to the one they have here.
    access: anyoneOrKnown,
    summary: 'Lead a browser to the identity provider to sign in',
    query: z.strictObject({
      return_to: z.optional(queryText),
      force_authn: z.optional(queryBoolean),
      link: z.optional(queryBoolean),
    }),
    responses: { 303: null },
  }),
  receiveSamlAuthAssertion: operation({
    id: 'receive_saml_auth_assertion',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/assertion',
    access: anyone,
    summary: 'Take the answer of the identity provider to a sign-in',
    body: SAMLAssertionForm,
    bodyType: 'form',
    bodyLimitBytes: 256 * 1024,
    responses: { 303: null },
  }),
  returnFromSamlAuth: operation({
    id: 'return_from_saml_auth',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sso/return',
    access: anyoneOrKnown,
    summary: 'Lead a browser on to where its sign-in began',
    query: z.strictObject({
      SAMLResponse: z.optional(z.never('is taken by POST to the assertion endpoint alone')),
      flow: z.optional(queryText),
    }),
    responses: { 303: null },
  }),
  diagnoseSamlResponse: operation({
    id: 'diagnose_saml_response',
    group: 'saml-flow',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/diagnose',
    access: admin,
    summary: 'Tell step by step whether a response of the identity provider would sign somebody in',
    body: DiagnoseSAMLResponseRequest,
    bodyLimitBytes: 256 * 1024,
    responses: { 200: SAMLDiagnosis },
  }),
  startSamlLogout: operation({
    id: 'start_saml_logout',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls',
    access: anyoneOrKnown,
    summary: 'End the session of the request here, then lead the browser to end it at the identity provider',
    responses: { 303: null },
    changesState: true,
    leaves: 'session',
  }),
  returnFromSamlLogout: operation({
    id: 'return_from_saml_logout',
    group: 'saml-flow',
    method: 'GET',
    path: '/api/2/auth/saml/{id}/sls/return',
    // Ends sessions on the word of a signed message, so neither credential nor origin of the request plays a part.
    access: anyone,
    summary: 'Take a logout request, or the answer to ours, from the identity provider',
    query: SAMLLogoutQuery,
    responses: { 303: null },
  }),
}
