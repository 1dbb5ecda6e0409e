import { readFile } from 'node:fs/promises'
import { openSigner } from '../../lib/kernel/secrets/open-signer.ts'
import { isPublicKey, splitPublicKeys } from '../../lib/kernel/secrets/signer.ts'
import { getErrorMessage } from '../../lib/kernel/util/error-message.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { openTarget } from '../users/import-target.ts'
import { type OpenAuditFile, openAuditFile } from './audit-file.ts'
import type { AuditTarget } from './command.ts'

export interface OpenAudit {
  readonly services: Services
  /** The public key of the checkpoints in PEM format. */
  readonly publicKey: string
  readonly close: () => Promise<void>
}

/** Opens an exported audit log. @throws CommandFailure */
export const openExport = async (
  file: string,
  publicKeyFile: string | undefined,
): Promise<OpenAuditFile & { readonly publicKey: string }> => {
  const auditKeyId = process.env['AUDIT_KEY_ID']
  if (publicKeyFile === undefined && !auditKeyId)
    throw new CommandFailure('Pass --public-key, or set AUDIT_KEY_ID to the key that signed the checkpoints.')
  const publicKey =
    publicKeyFile === undefined
      ? await (await openSigner({ auditKeyId, auditKeyFile: undefined })).getPublicKey()
      : await readPublicKey(publicKeyFile)
  return { ...(await openAuditFile(file)), publicKey }
}

/** Opens the table of an audit log. @throws CommandFailure, or an `Error` with one sentence */
export const openAudit = async ({ table, publicKeyFile }: AuditTarget): Promise<OpenAudit> => {
  if (table !== undefined && publicKeyFile === undefined && !process.env['AUDIT_KEY_ID'])
    throw new CommandFailure('Set AUDIT_KEY_ID to the output AuditKeyArn of the stack, or pass --public-key.')
  const { services, close } = await openTarget({ table, whenNew: 'fail' })
  try {
    const publicKey =
      publicKeyFile === undefined
        ? await (await openSigner(services.config)).getPublicKey()
        : await readPublicKey(publicKeyFile)
    return { services, publicKey, close }
  } catch (error) {
    await close()
    throw error
  }
}

const readPublicKey = async (file: string): Promise<string> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(`The public key cannot be read: ${getErrorMessage(error)}.`)
  })
  const keys = splitPublicKeys(text)
  if (keys.length === 0 || !keys.every(isPublicKey))
    throw new CommandFailure(`${file} contains no public key in PEM format.`)
  return text
}
