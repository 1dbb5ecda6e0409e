import { hooks } from '../../lib/features/hook-console/operations.ts'
import * as useCases from '../../lib/features/hook-console/use-cases.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(hooks, {
  ...useCases,
  ...onDemand(() => import('../../lib/features/hook-console/trial.use-cases.ts'), 'tryHook'),
})
