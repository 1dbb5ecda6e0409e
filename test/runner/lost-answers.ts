import type { TableCall } from '../infra/dynamodb-proxy.ts'

/** Decides whose answers are lost on the way, after the table has carried out the call. */
export const createLosses = () => {
  const lost = new Set<string>()
  let matches = (_: TableCall): boolean => false
  return {
    isLost: (call: TableCall): boolean => {
      if (!matches(call)) return false
      const name = JSON.stringify(call)
      if (lost.has(name)) return false
      lost.add(name)
      return true
    },
    /** Loses the first answer to each different call that matches, until the next call of this function. */
    loseAnswers: (matching: (call: TableCall) => boolean): void => {
      matches = matching
    },
  }
}
