import { spawnSync } from 'node:child_process'
import { chooseEngine, type EngineName } from '../../infra/local/engines.ts'

const isHere = (name: EngineName): boolean => {
  try {
    chooseEngine(undefined, name)
    return name === 'dynoxide' || spawnSync('java', ['-version']).status === 0
  } catch {
    return false
  }
}

/**
 * The engines that can run on this machine: the one that local mode prefers where the platform has it, and AWS's own
 * where there is Java. The tests need nothing but npm; CI has both.
 */
export const enginesHere: readonly EngineName[] = (['dynoxide', 'dynamodb-local'] as const).filter(isHere)
