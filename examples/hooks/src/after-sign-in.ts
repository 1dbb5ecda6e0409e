import { defineHook } from '@latchkey/hooks'
import { findCustomer } from './customers.ts'

/** Managers need a second factor. People without a contract do not get in. Administrators are no customers. */
export const handler = defineHook('afterSignIn', async ({ user }) => {
  const customer = await findCustomer(user.email)
  if (customer?.hasEnded) return { decision: 'refuse', message: 'Your contract has ended.' }
  return { decision: customer?.role === 'manager' ? 'require_second_factor' : 'continue' }
})
