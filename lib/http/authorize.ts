import { mayUse } from '../accounts/common/permissions.ts'
import { noteRecord } from '../accounts/common/request-context.ts'
import { AppError } from '../core/errors.ts'
import type { Services } from '../services.ts'
import { type Middleware, operationOf } from './http-types.ts'
import { visitorOf } from './request-context.ts'

/**
 * Refuses a caller without the permission that the operation asks for, and names it. Whoever is refused for
 * want of a permission, here or by the use case, is recorded.
 */
export const authorizeCaller = (services: Services): Middleware => ({
  before: async ({ context }) => {
    const { access } = operationOf(context)
    const { principal } = context.exchange
    if (access.allow !== 'permission') return
    if (!principal || !(await mayUse(services.table, principal.user, access.permission)))
      throw new AppError('permission_denied', { detail: `This takes the permission ${access.permission}.` })
  },
  onError: async ({ error, event, context }) => {
    const { principal, operation } = context.exchange
    if (!(error instanceof AppError) || error.code !== 'permission_denied' || !principal) return
    const visitor = visitorOf(event, context, services.now())
    const facts = { user: principal.user.id, target: operation?.id ?? null, outcome: error.code }
    await noteRecord(services, visitor, 'access.denied', facts).catch((cause: unknown) =>
      services.log.error('audit.not_written', { error: cause }),
    )
  },
})
