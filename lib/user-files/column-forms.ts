import type { ColumnForm, ColumnForms } from '../contract/column-form.ts'
import { userColumnForms } from '../contract/published-clients/column-forms.ts'
import type { UserLine } from './user-line.ts'

const forms: ColumnForms<UserLine> = {
  ...userColumnForms,
  username: 'text',
  email: 'text',
  email_verified: 'number or flag',
  full_name: 'text',
  permissions: 'list',
  groups: 'list',
  is_enabled: 'number or flag',
  is_external: 'number or flag',
  expiry: 'text',
  password_change_required: 'number or flag',
  allow_changing_password: 'number or flag',
  default_page: 'text',
  language: 'text',
  page_language: 'text',
  attributes: 'list',
  password_hash: 'text',
  password_check: 'text',
  totp_seed: 'text',
  recovery_codes: 'list',
  passkeys: 'list',
  external_id: 'text',
  created_at: 'text',
}

/** The form of the cells of each column. Browsers read it without the schemas of the fields. */
export const columnForms: ReadonlyMap<string, ColumnForm> = new Map(Object.entries(forms))
