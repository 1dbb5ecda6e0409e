import { exampleIds } from '../../accounts/example-values.models.ts'
import { byRoleOrToken } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { writable } from '../../kernel/contract/fields.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { OrganizationBranding, OrganizationBrandingChanges } from './branding.models.ts'

/** Two logos of 128 KiB in base64. */
const bodyLimitBytes = 384 * 1024
const access = byRoleOrToken('org:settings:manage', 'organizations:manage')
const path = '/api/2/organizations/{id}/branding'
const parameters =
  docs && ({ id: { description: 'The ID of the organization.', example: exampleIds.organization } } as const)
const responses = docs && [
  { summary: 'The branding of the organization', value: exampleOf(OrganizationBranding) },
]

export const organizationBranding = {
  getOrganizationBranding: defineOperation({
    id: 'get_organization_branding',
    group: 'organizations',
    method: 'GET',
    path,
    access,
    summary: 'Get the branding of an organization',
    responses: { 200: docs && OrganizationBranding },
    errors: ['not_found'],
    text:
      docs &&
      describe(() => ({
        description: 'Gets what was set for the organization.',
        parameters,
        responses: { 200: responses },
      })),
  }),
  updateOrganizationBranding: defineOperation({
    id: 'update_organization_branding',
    group: 'organizations',
    method: 'PUT',
    path,
    access,
    summary: 'Replace the branding of an organization',
    body: writable(OrganizationBrandingChanges, OrganizationBranding),
    bodyLimitBytes,
    responses: { 200: docs && OrganizationBranding },
    errors: ['not_found', 'conflict'],
    audit: ['organization.changed'],
    text:
      docs &&
      describe(() => ({
        description: `Replaces the branding of an organization. To keep a logo, send it as it was returned. A logo that was replaced or removed is deleted at once.
Pages and emails show the change within seconds.`,
        parameters,
        request: [{ summary: 'A name, a color and a logo', value: exampleOf(OrganizationBrandingChanges) }],
        responses: { 200: responses },
      })),
  }),
  resetOrganizationBranding: defineOperation({
    id: 'reset_organization_branding',
    group: 'organizations',
    method: 'DELETE',
    path,
    access,
    summary: 'Remove the branding of an organization',
    responses: { 204: null },
    errors: ['not_found', 'conflict'],
    audit: ['organization.changed'],
    text:
      docs &&
      describe(() => ({
        description:
          'Removes everything that was set, also the logos. Pages and emails then look like the product.',
        parameters,
      })),
  }),
}
