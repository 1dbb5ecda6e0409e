import { isPresent } from '../../../kernel/table/expressions.ts'
import { connectionKey } from '../../../kernel/table/keys/keys.ts'
import type { Step } from '../../../kernel/table/transaction.ts'

/**
 * Builds the step that stores how many days before the end of a certificate a warning was sent. Fails if that was done
 * already. This is no edit: it does not change the version of the provider.
 */
export const buildWarnedStep = (providerId: number, fingerprint: string, days: number): Step => ({
  update: connectionKey(providerId),
  changes: (x) => {
    const path = x.path('warnedOf', fingerprint)
    return {
      set: [`${path} = ${x.value(days)}`],
      condition: `${isPresent(x)} AND (attribute_not_exists(${path}) OR ${path} > ${x.value(days)})`,
    }
  },
})
