import { interactionPolicy } from 'oidc-provider'

/**
 * When a user has to sign in. `prompt=consent` is accepted without a page, because there is nothing to consent to.
 * `prompt=select_account` comes after `login`, whose proof of identity is also a choice.
 */
export const buildInteractionPolicy = () => {
  const policy = interactionPolicy.base()
  policy.get('consent')?.checks.clear()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }))
  return policy
}
