import { defineHook } from '@latchkey/hooks'
import { findCustomer } from './customers.ts'

/** Tokens say the role and the plan of today. People who are no customers have neither. */
export const handler = defineHook('beforeToken', async ({ user }) => {
  const customer = user.email_verified ? await findCustomer(user.email) : undefined
  return { claims: customer ? { role: customer.role, plan: customer.plan } : {} }
})
