import { conflict, requireFound } from '../../kernel/errors/errors.ts'
import { type Hook, type HookName, hookNames } from '../../kernel/settings/hooks.ts'
import type { Services } from '../../services.ts'

/**
 * Finds a hook by its name in the path.
 *
 * @throws AppError `not_found` for another name, and for a hook without a function
 * @throws AppError `conflict` for a hook that the settings turn off
 */
export const requireHook = (
  { config: { hooks, disabledHooks } }: Services,
  given: string,
): { readonly name: HookName; readonly hook: Hook } => {
  const name = requireFound(
    hookNames.find((one) => one === given),
    'hook',
    `Hooks are ${hookNames.join(', ')}.`,
  )
  if (disabledHooks?.[name])
    throw conflict('The settings of the service turn this hook off. Change `enabled` there.')
  return {
    name,
    hook: requireFound(hooks?.[name], 'function of the hook', 'Configure it in the settings of the service.'),
  }
}
