type Environment = Readonly<Record<string, string | undefined>>

/** Placeholder region and credentials; a local engine accepts any values. */
export const localAws = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const

/** The variables that lead an SDK to the user's credentials. */
const credentialNames = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/**
 * Returns the environment with region and credentials for DynamoDB. For the embedded engine, the user's credentials
 * are removed so that no SDK searches for them. For an external DynamoDB they stay if there are any.
 */
export const withAws = (
  env: Environment,
  { isOwnEngine }: { readonly isOwnEngine: boolean },
): NodeJS.ProcessEnv => {
  if (isOwnEngine) {
    const others = Object.entries(env).filter(([name]) => !credentialNames.includes(name))
    return { ...Object.fromEntries(others), ...localAws }
  }
  const { AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID } = env
  const credentials = AWS_PROFILE || AWS_ACCESS_KEY_ID ? {} : localAws
  return { ...env, ...credentials, AWS_REGION: AWS_REGION || localAws.AWS_REGION }
}
