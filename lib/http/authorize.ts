import { mayUse } from '../accounts/permissions.ts'
import { AppError } from '../core/errors.ts'
import type { Services } from '../services.ts'
import { type Middleware, operationOf } from './exchange.ts'

/** Refuses a caller without the permission that the operation asks for, and names it. */
export const authorizeCaller = ({ table }: Services): Middleware => ({
  before: async ({ context }) => {
    const { access } = operationOf(context)
    const { principal } = context.exchange
    if (access.allow !== 'permission') return
    if (!principal || !(await mayUse(table, principal.user, access.permission)))
      throw new AppError('permission_denied', { detail: `This takes the permission ${access.permission}.` })
  },
})
