import { grants, hasPermission } from '../accounts/common/permissions.ts'
import type { Principal } from '../accounts/common/principal.ts'
import { writeAudit } from '../accounts/common/request-context.ts'
import type { Access } from '../contract/access.ts'
import { AppError } from '../errors/errors.ts'
import type { Services } from '../services.ts'
import { getOperation, type Middleware } from './http-types.ts'
import { getRequestContext } from './request-context.ts'

/**
 * Rejects a caller without the permission that the operation requires, or whose API token lacks its scope. Every refusal
 * for lack of a permission, here or in the use case, is written to the audit log.
 */
export const authorizeCaller = (services: Services): Middleware => ({
  before: async ({ context }) => {
    const { access } = getOperation(context)
    const { principal } = context.requestState
    if (principal) requireScope(access, principal)
    if (access.allow !== 'permission') return
    if (!principal || !(await hasPermission(services.table, principal.user, access.permission)))
      throw new AppError('permission_denied', {
        detail: `This operation requires the permission ${access.permission}.`,
      })
  },
  onError: async ({ error, event, context }) => {
    const { principal, product, clientAddress, operation } = context.requestState
    // A product is the one who was refused only if it may not name an address.
    const user = (principal ?? (clientAddress === undefined ? product : undefined))?.user.id
    if (!(error instanceof AppError) || error.code !== 'permission_denied' || user === undefined) return
    const requestContext = getRequestContext(event, context, services)
    const facts = { user, target: operation?.id ?? null, outcome: error.code }
    await writeAudit(services, requestContext, 'access.denied', facts).catch((cause: unknown) =>
      services.log.error('audit.not_written', { error: cause }),
    )
  },
})

/** @throws AppError `permission_denied` with the header of RFC 6750 3.1 that names the missing scope */
const requireScope = (access: Access, { scopes }: Principal): void => {
  if (!scopes || access.allow === 'anyone') return
  const { scope } = access
  if (scope && grants(scopes, scope)) return
  throw new AppError('permission_denied', {
    reason: 'insufficient_scope',
    detail: `The API token lacks the scope ${scope}.`,
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  })
}
