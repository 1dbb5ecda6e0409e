import type {
  ServiceUserDetail,
  ServiceUserDetailPartialUpdate,
} from '../../../lib/client/generated/models.ts'
import { messagesOf } from '../../kit/messages.ts'

const people = messagesOf('people')
const t = messagesOf('users')

/** What an administrator edits of a user. Empty texts stand for no value. */
export interface UserValues {
  readonly username: string
  readonly full_name: string
  readonly email: string
  readonly language: string
  readonly default_page: string
  readonly is_external: boolean
  readonly is_enabled: boolean
  readonly expiry: string | null
  readonly allow_changing_password: boolean
  readonly password_change_required: boolean
  readonly groups: readonly number[]
  readonly permissions: readonly string[]
}

export const toUserValues = (user: ServiceUserDetail): UserValues => ({
  username: user.username,
  full_name: user.full_name ?? '',
  email: user.email ?? '',
  language: user.language ?? '',
  default_page: user.default_page,
  is_external: user.is_external,
  is_enabled: user.is_enabled,
  expiry: user.expiry,
  allow_changing_password: user.allow_changing_password,
  password_change_required: user.password_change_required,
  groups: [...user.groups].sort((a, b) => a - b),
  permissions: [...user.permissions].sort(),
})

/** The request body of these changes. */
export const toUserChanges = (changes: Partial<UserValues>): ServiceUserDetailPartialUpdate => {
  const { full_name: fullName, email, language, ...rest } = changes
  return {
    ...rest,
    ...(fullName === undefined ? {} : { full_name: fullName.trim() || null }),
    ...(email === undefined ? {} : { email: email.trim() || null }),
    ...(language === undefined ? {} : { language: (language as ServiceUserDetail['language']) || null }),
  }
}

export const getUserLabels = (): Readonly<Record<keyof UserValues, string>> => ({
  username: t('username'),
  full_name: t('fullName'),
  email: t('email'),
  language: people('language'),
  default_page: people('startPage'),
  is_external: people('external'),
  is_enabled: t('mayUseAccount'),
  expiry: t('expiry'),
  allow_changing_password: t('mayChangePassword'),
  password_change_required: t('mustChangePassword'),
  groups: people('groups'),
  permissions: people('permissions'),
})
