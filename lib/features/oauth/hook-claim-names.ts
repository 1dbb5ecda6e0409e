import { claimNameForm, claimNameRule } from '../../kernel/contract/text-rules.ts'
import { addedClaimsMax } from '../../kernel/limits/limits.ts'
import { findNameProblem } from './claim-name-problems.ts'

/** What keeps a list of claims from being those that a hook may add. Undefined for a good list. */
export const findHookClaimsProblem = (names: readonly string[]): string | undefined => {
  if (names.length > addedClaimsMax) return `must have at most ${addedClaimsMax} entries`
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length) return 'must not repeat a name'
  for (const name of names) {
    const problem = claimNameForm.test(name) ? findNameProblem(name, 'top') : claimNameRule
    if (problem !== undefined) return `has ${JSON.stringify(name)}, which ${problem}`
  }
  return undefined
}
