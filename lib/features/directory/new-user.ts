import { randomUUID } from 'node:crypto'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { normalizeEmail, normalizeUsername } from './names.ts'
import type { NewUser } from './user.records.ts'

/** Builds a user. Omitted fields get their defaults. */
export const buildUser = (
  given: Partial<NewUser> & { readonly username: string; readonly email?: string | null },
): NewUser => ({
  fullName: null,
  syncId: randomUUID(),
  isEnabled: true,
  isExternal: false,
  expiresAt: null,
  passwordHash: null,
  passwordChangeRequired: false,
  allowChangingPassword: true,
  totp: null,
  permissions: [],
  groups: [],
  defaultPage: '/',
  language: null,
  attributes: noAttributes,
  ...given,
  normalizedUsername: normalizeUsername(given.username),
  email: given.email || null,
  normalizedEmail: given.email ? normalizeEmail(given.email) : null,
})
