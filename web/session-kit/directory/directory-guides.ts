import type { ScimSettings } from '../../../lib/client/generated/models.ts'

export type ConnectionKind = 'saml' | 'oidc'
export type Match = Pick<ScimSettings, 'match_to' | 'match_attribute'>

/** What to enter where in a directory. Names of menus and fields are as English administrators see them. */
export interface DirectoryGuide {
  readonly name: string
  /** Where the form is. */
  readonly form: string
  readonly fields: readonly {
    readonly field: string
    /** The base URL, or a text to enter or choose. A token is only shown once, so the field says where it goes. */
    readonly enter: 'baseUrl' | 'token' | { readonly text: string }
  }[]
  /** What first sign-ins with this provider are compared with. */
  readonly match: Readonly<Record<ConnectionKind, Match>>
}

const byName: Match = { match_to: 'user_name', match_attribute: null }
const byEmailClaim: Match = { match_to: 'user_name', match_attribute: 'email' }

export const directoryGuides: readonly DirectoryGuide[] = [
  {
    name: 'Okta',
    form: 'Applications › your app › General › Provisioning: SCIM, then Provisioning › Integration',
    fields: [
      { field: 'SCIM connector base URL', enter: 'baseUrl' },
      { field: 'Unique identifier field for users', enter: { text: 'userName' } },
      {
        field: 'Supported provisioning actions',
        enter: { text: 'Push New Users, Push Profile Updates, Push Groups' },
      },
      { field: 'Authentication Mode', enter: { text: 'HTTP Header' } },
      { field: 'Authorization', enter: 'token' },
      {
        field: 'Provisioning › To App',
        enter: { text: 'Create Users, Update User Attributes, Deactivate Users' },
      },
    ],
    match: { saml: byName, oidc: { match_to: 'external_id', match_attribute: null } },
  },
  {
    name: 'Microsoft Entra ID',
    form: 'Enterprise applications › your app › Provisioning › New configuration',
    fields: [
      { field: 'Tenant URL', enter: 'baseUrl' },
      { field: 'Secret token', enter: 'token' },
      { field: 'Attribute mapping › externalId', enter: { text: 'objectId' } },
      { field: 'Provisioning Status', enter: { text: 'On' } },
    ],
    match: {
      saml: {
        match_to: 'external_id',
        match_attribute: 'http://schemas.microsoft.com/identity/claims/objectidentifier',
      },
      oidc: { match_to: 'external_id', match_attribute: 'oid' },
    },
  },
  {
    name: 'JumpCloud',
    form: 'SSO Applications › your app › Identity Management',
    fields: [
      { field: 'API Type', enter: { text: 'SCIM API' } },
      { field: 'SCIM Version', enter: { text: 'SCIM 2.0' } },
      { field: 'Base URL', enter: 'baseUrl' },
      { field: 'Token Key', enter: 'token' },
    ],
    match: { saml: byName, oidc: byEmailClaim },
  },
  {
    name: 'OneLogin',
    form: 'Applications › SCIM Provisioner with SAML (SCIM v2 Enterprise) › Configuration',
    fields: [
      { field: 'SCIM Base URL', enter: 'baseUrl' },
      { field: 'SCIM Bearer Token', enter: 'token' },
      { field: 'Provisioning', enter: { text: 'Enable provisioning' } },
      { field: 'When users are deleted in OneLogin', enter: { text: 'Delete' } },
    ],
    match: { saml: byName, oidc: byEmailClaim },
  },
]
