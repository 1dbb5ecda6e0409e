/**
 * The settings of a service with a hook that no request calls: its claim has a scope that no client has. Operations about hooks need one
 * that is configured.
 */
export const unusedHook = {
  HOOKS: JSON.stringify({
    beforeToken: { function: 'http://127.0.0.1:9/unused', claims: ['phone_number'] },
  }),
}
