import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { Credentials } from '../settings.ts'

const client = new SecretsManagerClient()

/** The value of an environment variable. @throws Error if the stack did not set it */
export const readVariable = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is missing.`)
  return value
}

export const readSecret = async (arn: string): Promise<string> => {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: arn }))
  return SecretString
}

/** Returns undefined before the product was registered: the secret has a random value then. */
export const readCredentials = async (arn: string): Promise<Credentials | undefined> => {
  const text = await readSecret(arn)
  return text.startsWith('{') ? (JSON.parse(text) as Credentials) : undefined
}

export const writeCredentials = async (arn: string, credentials: Credentials): Promise<void> => {
  const SecretString = JSON.stringify(credentials)
  await client.send(new PutSecretValueCommand({ SecretId: arn, SecretString }))
}
