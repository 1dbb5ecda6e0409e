import { spawnSync } from 'node:child_process'
import { chooseEngine, type EngineName } from '../../local/engines.ts'

const isAvailable = (name: EngineName): boolean => {
  try {
    chooseEngine(undefined, name)
    return name === 'dynoxide' || spawnSync('java', ['-version']).status === 0
  } catch {
    return false
  }
}

/**
 * The engines that can run on this machine. dynoxide needs a supported platform and DynamoDB Local needs Java. The tests
 * run with either one; CI has both.
 */
export const availableEngines: readonly EngineName[] = (['dynoxide', 'dynamodb-local'] as const).filter(
  isAvailable,
)
