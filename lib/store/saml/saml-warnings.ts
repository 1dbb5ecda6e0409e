import { isPresent } from '../engine/expressions.ts'
import { samlProviderKey } from '../engine/keys.ts'
import type { Step } from '../engine/transaction.ts'

/**
 * Notes that a certificate was warned of so many days before its end; refuses when that was done already. No edit, so
 * that it never gets in the way of one.
 */
export const buildWarnedStep = (providerId: number, fingerprint: string, days: number): Step => ({
  update: samlProviderKey(providerId),
  changes: (x) => {
    const place = x.path('warnedOf', fingerprint)
    return {
      set: [`${place} = ${x.value(days)}`],
      condition: `${isPresent(x)} AND (attribute_not_exists(${place}) OR ${place} > ${x.value(days)})`,
    }
  },
})
