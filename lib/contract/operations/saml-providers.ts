import * as z from 'zod/mini'
import { adminBySession, adminWithScope, anyoneOrKnown } from '../access.ts'
import { ParsedSAMLIDPMetadata, ParseSAMLIDPMetadataRequest } from '../models/saml-metadata.ts'
import { SAMLProvider, SAMLProviderPartialUpdate, SAMLProviderUpdate } from '../models/saml-providers.ts'
import { RotateSPKeyRequest, SPKeyRotation } from '../models/saml-sp-key.ts'
import { writable } from '../models/writable.ts'
import { defineOperation } from '../operation.ts'
import { ordering, paging } from '../query.ts'

const provider = writable(SAMLProviderUpdate, SAMLProvider)

export const samlProviders = {
  getAllSamlProviders: defineOperation({
    id: 'get_all_saml_providers',
    group: 'saml-providers',
    method: 'GET',
    path: '/api/2/auth/saml',
    // Administrators see one more field.
    access: anyoneOrKnown,
    summary: 'List SAML identity providers',
    query: z.strictObject({ ordering: ordering(['id', 'name']), ...paging }),
    responses: { 200: z.array(SAMLProvider) },
  }),
  createSamlProvider: defineOperation({
    id: 'create_saml_provider',
    group: 'saml-providers',
    method: 'POST',
    path: '/api/2/auth/saml',
    access: adminBySession,
    summary: 'Create a SAML identity provider',
    body: provider,
    responses: { 201: SAMLProvider },
    errors: ['conflict'],
    recentAuthentication: true,
  }),
  getSamlProvider: defineOperation({
    id: 'get_saml_provider',
    group: 'saml-providers',
    method: 'GET',
    path: '/api/2/auth/saml/{id}',
    access: anyoneOrKnown,
    summary: 'Get a SAML identity provider',
    responses: { 200: SAMLProvider },
    errors: ['not_found'],
  }),
  updateSamlProvider: defineOperation({
    id: 'update_saml_provider',
    group: 'saml-providers',
    method: 'PUT',
    path: '/api/2/auth/saml/{id}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Replace a SAML identity provider',
    body: provider,
    responses: { 200: SAMLProvider },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
  }),
  patchSamlProvider: defineOperation({
    id: 'patch_saml_provider',
    group: 'saml-providers',
    method: 'PATCH',
    path: '/api/2/auth/saml/{id}',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Update some fields of a SAML identity provider',
    body: writable(SAMLProviderPartialUpdate, SAMLProvider),
    responses: { 200: SAMLProvider },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
  }),
  deleteSamlProvider: defineOperation({
    id: 'delete_saml_provider',
    group: 'saml-providers',
    method: 'DELETE',
    path: '/api/2/auth/saml/{id}',
    access: adminBySession,
    summary: 'Delete a SAML identity provider and end its sessions',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
  }),
  parseSamlidpMetadata: defineOperation({
    id: 'parse_samlidp_metadata',
    group: 'saml-providers',
    method: 'POST',
    path: '/api/2/auth/saml/parse-idp-metadata',
    access: adminWithScope('saml-providers:manage'),
    summary: 'Read the settings of an identity provider from its metadata',
    body: ParseSAMLIDPMetadataRequest,
    responses: { 200: ParsedSAMLIDPMetadata },
    errors: ['upstream_failed'],
  }),
  refreshSamlidpMetadata: defineOperation({
    id: 'refresh_samlidp_metadata',
    group: 'saml-providers',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/refresh-idp-metadata',
    access: adminBySession,
    summary: 'Refresh a SAML identity provider from its metadata',
    body: ParseSAMLIDPMetadataRequest,
    responses: { 200: ParsedSAMLIDPMetadata },
    errors: ['not_found', 'conflict', 'upstream_failed'],
    recentAuthentication: true,
  }),
  rotateSamlSpKey: defineOperation({
    id: 'rotate_saml_sp_key',
    group: 'saml-providers',
    method: 'POST',
    path: '/api/2/auth/saml/{id}/rotate-sp-key',
    access: adminBySession,
    summary: 'Rotate the service provider key for a SAML identity provider',
    body: RotateSPKeyRequest,
    responses: { 200: SPKeyRotation },
    errors: ['not_found', 'conflict'],
    recentAuthentication: true,
  }),
}
