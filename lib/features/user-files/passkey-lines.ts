import type { FieldError } from '../../kernel/errors/errors.ts'
import { passkeyNameLength } from '../../kernel/limits/limits.ts'
import type { ImportedPasskey } from '../directory/users/import-user.ts'
import { toOneLine } from '../mail/user-text.ts'
import { hashCredentialId } from '../passkeys/records.ts'
import { isUsablePublicKey, readTransports } from '../passkeys/verify-registration.ts'
import type { PasskeyLine } from './user-line.ts'

/** Checks what the schema does not: that the public keys can be used, and that none is there twice. */
export const validatePasskeys = async (passkeys: readonly PasskeyLine[]): Promise<readonly FieldError[]> => {
  const ids = passkeys.map(({ credential_id: id }) => hashCredentialId(id))
  const checked = await Promise.all(passkeys.map(({ public_key: key }) => isUsablePublicKey(key)))
  return passkeys.flatMap((_, at): FieldError[] => [
    ...(checked[at]
      ? []
      : [{ field: `passkeys.${at}.public_key`, message: 'must be a COSE key for ES256, EdDSA or RS256' }]),
    ...(ids.indexOf(ids[at] ?? '') < at
      ? [{ field: `passkeys.${at}.credential_id`, message: 'must not be repeated' }]
      : []),
  ])
}

const unknownModel = '00000000-0000-0000-0000-000000000000'

export const toPasskey = (line: PasskeyLine): ImportedPasskey => ({
  credentialId: Buffer.from(line.credential_id, 'base64url').toString('base64url'),
  publicKey: line.public_key,
  counter: line.sign_count ?? 0,
  transports: readTransports(line.transports),
  isBackupEligible: line.backup_eligible,
  aaguid: line.aaguid?.toLowerCase() ?? unknownModel,
  name: toOneLine(line.name ?? '', passkeyNameLength) || 'Passkey',
  createdAt: line.created_at ? Date.parse(line.created_at) : undefined,
})
