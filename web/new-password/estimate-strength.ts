import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const longest = 100

const estimator = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  // Without a limit, 100 characters take 300 ms.
  l33tMaxSubstitutions: 20,
  maxLength: 2 * longest,
})

/** Returns how hard the password is to guess, from 0 to 4. `words` are those that an attacker would try first. */
export const estimateStrength = (password: string, words: readonly string[]): number =>
  estimator.check([...password.normalize('NFC')].slice(0, longest).join(''), [...words]).score
