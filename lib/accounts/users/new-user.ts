import { randomUUID } from 'node:crypto'
import { noAttributes } from '../../kernel/contract/stored-attributes.ts'
import { normalizeEmail, normalizeUsername } from '../names/names.ts'
import type { EmailState, NewUser } from './stored-user.records.ts'

type Given = Partial<Omit<NewUser, 'email' | keyof EmailState>> & { readonly username: string }

/** An address comes with its state. */
type GivenAddress =
  | { readonly email?: null }
  | ({ readonly email: string | null } & Pick<NewUser, 'email'> & EmailState)

/** Builds a user. Omitted fields get their defaults. */
export const buildUser = (given: Given & GivenAddress): NewUser => ({
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
