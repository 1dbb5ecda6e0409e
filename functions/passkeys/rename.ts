import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { toPasskeyBody } from '../../lib/accounts/passkeys/passkey-body.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildRenamePasskeyStep } from '../../lib/store/sign-in/passkeys.ts'
import { requirePasskey } from './require-passkey.ts'

/** Renames one of the caller's passkeys. No other field can be changed. */
export const patchPasskey: UseCase<typeof passkeys.patchPasskey> = async (
  { params, body, principal: { user }, context },
  services,
) => {
  const passkey = await requirePasskey(services, user.id, params.id)
  const { name = passkey.name } = body
  if (name !== passkey.name)
    await services.table.transact([
      buildRenamePasskeyStep(passkey, name),
      auditStep(context, 'passkey.renamed', { user: user.id, target: String(passkey.id) }),
    ])
  return { status: 200, body: toPasskeyBody({ ...passkey, name }) }
}
