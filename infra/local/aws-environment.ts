type Environment = Readonly<Record<string, string | undefined>>

/** What a local engine accepts as region and credentials: anything. */
export const localAws = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const

/** What leads to the user's own credentials. */
const credentialNames = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/**
 * The environment with region and credentials for DynamoDB. For an engine of ours the user's own are taken out, so
 * that no SDK goes looking for them; for another they stay, if there are any.
 */
export const withAws = (env: Environment, isOwnEngine: boolean): NodeJS.ProcessEnv => {
  if (isOwnEngine) {
    const others = Object.entries(env).filter(([name]) => !credentialNames.includes(name))
    return { ...Object.fromEntries(others), ...localAws }
  }
  const { AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID } = env
  const credentials = AWS_PROFILE || AWS_ACCESS_KEY_ID ? {} : localAws
  return { ...env, ...credentials, AWS_REGION: AWS_REGION || localAws.AWS_REGION }
}
