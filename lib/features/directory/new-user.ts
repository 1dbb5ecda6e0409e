import { randomUUID } from 'node:crypto'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { normalizeEmail, normalizeUsername } from './names.ts'
import type { NewUser } from './user.records.ts'

/** Builds a user. Omitted fields get their defaults. */
export const buildUser = (
  given: Partial<NewUser> & { readonly username: string; readonly email?: string | null },
): NewUser => ({
  full_name: null,
  sync_id: randomUUID(),
  is_enabled: true,
  is_external: false,
  expiresAt: null,
  passwordHash: null,
  password_change_required: false,
  allow_changing_password: true,
  totp: null,
  permissions: [],
  groups: [],
  default_page: '/',
  language: null,
  attributes: noAttributes,
  ...given,
  normalizedUsername: normalizeUsername(given.username),
  email: given.email || null,
  normalizedEmail: given.email ? normalizeEmail(given.email) : null,
})
