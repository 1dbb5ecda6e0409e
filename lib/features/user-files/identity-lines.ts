import type { FieldError } from '../../kernel/errors/errors.ts'
import { getPresetAccounts } from '../connections/public-providers.models.ts'
import type { IdentityLine } from './user-line.ts'

/** What no two lines may have. */
export const formatIdentity = ({ provider, subject }: IdentityLine): string => `${provider} ${subject}`

/** Checks what the schema does not: that the provider could name an account like this, and that none is there twice. */
export const validateIdentities = (identities: readonly IdentityLine[]): readonly FieldError[] => {
  const names = identities.map(formatIdentity)
  return identities.flatMap(({ provider, subject }, at): FieldError[] => {
    const { subject: form, rule } = getPresetAccounts(provider)
    return [
      ...(form.test(subject) ? [] : [{ field: `public_identities.${at}.subject`, message: rule }]),
      ...(names.indexOf(names[at] ?? '') < at
        ? [{ field: `public_identities.${at}`, message: 'must not be repeated' }]
        : []),
    ]
  })
}
