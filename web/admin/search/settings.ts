import { listLabels } from '../audit/field-names.ts'
import type { Setting } from './places.ts'

/** Where the form is that changes things of a kind. The kind is the first word of the names of their events. */
const forms = [
  ['password_policy', 'policies', []],
  ['sign_up_policy', 'sign-up', []],
  ['organization_policy', 'organizations', ['policy']],
  ['agent_policy', 'apis', ['agents']],
  ['branding', 'branding', []],
  ['oidc_client', 'apps', []],
  ['protected_api', 'apis', []],
  ['saml_provider', 'connections', []],
  ['oidc_connection', 'connections', []],
  ['organization', 'organizations', []],
] as const

/** The sign-in policy has a page for each of its parts. */
const toSignInPart = (field: string): string => {
  if (field.startsWith('passkey')) return 'passkeys'
  if (field.startsWith('account_deletion')) return 'account-deletion'
  return field === 'allow_email_codes' ? 'email-codes' : 'second-factor'
}

/** Lists the fields that the forms of the console have, with the labels that they have there. */
export const listSettings = (): readonly Setting[] => [
  ...listLabels('sign_in_policy').map((setting) => ({
    ...setting,
    section: 'policies',
    path: [toSignInPart(setting.field)],
  })),
  ...forms.flatMap(([kind, section, path]) =>
    listLabels(kind).map((setting) => ({ ...setting, section, path })),
  ),
]
