import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type Cause, holdings } from '../../lib/features/leaked-credentials/holdings.records.ts'
import { mintSecurityReport } from '../../lib/features/mail/write-reset.ts'
import {
  credentialKinds,
  type Held,
  holdingLimits,
  type Owner,
  requireSuccess,
  startHoldings,
} from '../support/holdings.ts'
import { addSignedIn } from '../support/people.ts'
import { reportChange } from '../support/security-emails.ts'
import { useService } from '../support/use-service.ts'

/*
 * Each prefix goes through everything that can end what somebody holds. An attacker kept the value, and tries it afterwards. The registry
 * of holdings says what has to be left. `test/cli/table/holdings.test.ts` does the same with a table that leaked or was restored.
 */

const service = await useService(holdingLimits)
const { table } = service.services
const { addOwner, makers, staff } = await startHoldings(service)

/** What ends something of one person. */
const causes = {
  leak: async (_, { value }) =>
    requireSuccess(await service.client('POST', '/api/2/auth/leaked', { body: { token: value } })),
  report: async (owner) => {
    const { value, step } = mintSecurityReport(service.services, {
      ...{ userId: owner.user.id, change: 'new_device', changedAt: owner.user.createdAt + 1 },
      ...{ email: owner.user.email ?? '', normalizedEmail: owner.user.email ?? '' },
    })
    await table.transact([step])
    requireSuccess(await reportChange(service, value))
  },
  password: async ({ user }) =>
    requireSuccess(
      await staff('POST', `users/${user.id}/password`, { password: `Password of ${randomUUID()}` }),
    ),
  leaving: async ({ user, organizationId }) =>
    requireSuccess(await staff('DELETE', `organizations/${organizationId}/members/${user.id}`)),
  merge: async ({ user }) => {
    const kept = await addSignedIn(service, { permissions: ['media:access'] })
    requireSuccess(await staff('POST', `users/${kept.user.id}/merge`, { user: user.id }))
  },
  deletion: async ({ user }) => requireSuccess(await staff('DELETE', `users/${user.id}`)),
  everything: async ({ user }) => requireSuccess(await staff('POST', `users/${user.id}/holdings/end`, {})),
  organizationEnd: async ({ organizationId }) =>
    requireSuccess(await staff('DELETE', `organizations/${organizationId}`)),
} satisfies Partial<Record<Cause, (owner: Owner, held: Held) => Promise<unknown>>>

const leaves: readonly string[] = ['stays', 'moves']

describe.each(credentialKinds)('a credential of the kind %s', (kind) => {
  it.each(Object.keys(causes) as (keyof typeof causes)[])(
    'is as the registry says after: %s',
    async (cause) => {
      const owner = await addOwner()
      const held = await makers[kind](owner)
      await causes[cause](owner, held)
      expect(await held.works()).toBe(leaves.includes(holdings[kind].ends[cause]))
    },
  )
})
