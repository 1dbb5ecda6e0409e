import { defineHook } from '@latchkey/hooks'
import { findCustomer } from './customers.ts'

/** Only customers create an account. They get the group that all of them have. */
export const handler = defineHook('beforeSignUp', async ({ account }) => {
  const customer = account.email_verified ? await findCustomer(account.email) : undefined
  return customer && !customer.hasEnded
    ? { decision: 'accept', groups: ['Customers'] }
    : { decision: 'refuse', message: 'This address belongs to no customer. Ask your contact to add it.' }
})
