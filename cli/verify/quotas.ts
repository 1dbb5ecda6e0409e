import * as z from 'zod/mini'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { read } from './account.ts'
import type { Aws } from './aws.ts'
import { Skipped } from './check.ts'

const Quotas = z.object({
  Quotas: z.array(z.object({ QuotaName: z.string(), Value: z.number() })),
  NextToken: z.optional(z.string()),
})

export type Quota = z.output<typeof Quotas>['Quotas'][number]

const maxPages = 20

/** The quotas of a service. Without the permission to read them there are none, and the usual ones count. */
export const readQuotas = async (client: Aws, code: string): Promise<readonly Quota[]> => {
  const all: Quota[] = []
  let token: string | undefined
  try {
    for (let at = 0; at < maxPages; at++) {
      const input = { ServiceCode: code, ...omitUndefined({ NextToken: token }) }
      const page = read(Quotas, await client.json('servicequotas', 'ListServiceQuotas', input))
      all.push(...page.Quotas)
      token = page.NextToken
      if (token === undefined) break
    }
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
  }
  return all
}

export const findQuota = (quotas: readonly Quota[], name: RegExp): number | undefined =>
  quotas.find(({ QuotaName: one }) => name.test(one) && !/websocket/i.test(one))?.Value
