/*
 * Secrets in AWS Secrets Manager. The client is loaded on demand: few functions read a secret, and only while a stack is deployed.
 */

/** Reads the current value of a secret. @throws Error if it has none */
export const readSecretText = async (secretId: string): Promise<string> => {
  const { client, GetSecretValueCommand } = await openClient()
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secretId }))
  if (!SecretString) throw new Error('The secret is empty.')
  return SecretString
}

/** Reads a version of a secret. Undefined if the secret does not have it. */
export const findSecretVersion = async (secretId: string, versionId: string): Promise<string | undefined> => {
  const { client, GetSecretValueCommand } = await openClient()
  const command = new GetSecretValueCommand({ SecretId: secretId, VersionId: versionId })
  try {
    return (await client.send(command)).SecretString
  } catch (error) {
    if (hasName(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

interface NewVersion {
  readonly versionId: string
  /** Without a label, the new version would be the current one at once. */
  readonly label: string
  readonly value: string
}

/** Adds a version to a secret, and returns its value: another one if somebody added the version first. */
export const addSecretVersion = async (
  secretId: string,
  { versionId, label, value }: NewVersion,
): Promise<string> => {
  const { client, PutSecretValueCommand } = await openClient()
  const command = new PutSecretValueCommand({
    SecretId: secretId,
    ClientRequestToken: versionId,
    SecretString: value,
    VersionStages: [label],
  })
  try {
    await client.send(command)
    return value
  } catch (error) {
    if (!hasName(error, 'ResourceExistsException')) throw error
  }
  return (await findSecretVersion(secretId, versionId)) ?? value
}

/** The label of the version that callers get who name none. */
const current = 'AWSCURRENT'

/**
 * Makes a version the current one, and removes the labels of versions that nobody returns to. A secret can have 20 labels.
 */
export const promoteSecretVersion = async (
  secretId: string,
  versionId: string,
  isOutdated: (label: string) => boolean,
): Promise<void> => {
  const { client, DescribeSecretCommand, UpdateSecretVersionStageCommand } = await openClient()
  const { VersionIdsToStages = {} } = await client.send(new DescribeSecretCommand({ SecretId: secretId }))
  const labels = Object.entries(VersionIdsToStages).flatMap(([id, names]) =>
    names.map((name) => ({ id, name })),
  )
  const holder = labels.find(({ name }) => name === current)?.id
  const moves = [
    ...(holder === versionId
      ? []
      : [{ VersionStage: current, MoveToVersionId: versionId, RemoveFromVersionId: holder }]),
    ...labels
      .filter(({ name }) => isOutdated(name))
      .map(({ id, name }) => ({ VersionStage: name, RemoveFromVersionId: id })),
  ]
  for (const move of moves)
    await client.send(new UpdateSecretVersionStageCommand({ SecretId: secretId, ...move }))
}

const openClient = async () => {
  const { SecretsManagerClient, ...commands } = await import('@aws-sdk/client-secrets-manager')
  return { client: new SecretsManagerClient({ maxAttempts: 4 }), ...commands }
}

const hasName = (error: unknown, name: string): boolean => error instanceof Error && error.name === name
