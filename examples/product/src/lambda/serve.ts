import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Hono } from 'hono'
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda'
import { createApp } from '../app.ts'
import type { Environment } from '../environment.ts'
import { createTableStore } from '../table-store.ts'

const client = new SecretsManagerClient()

/** The value of an environment variable. @throws Error if the stack did not set it */
const readVariable = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is missing.`)
  return value
}

/** The secret whose ARN an environment variable has. */
const readSecret = async (name: string): Promise<string> => {
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: readVariable(name) }))
  if (!SecretString) throw new Error(`The secret of ${name} is empty.`)
  return SecretString
}

const start = async (): Promise<Hono<Environment>> => {
  const [clientSecret, apiToken] = await Promise.all([
    readSecret('CLIENT_SECRET_ARN'),
    readSecret('API_TOKEN_ARN'),
  ])
  const credentials = { clientId: readVariable('CLIENT_ID'), clientSecret, apiToken }
  const settings = { origin: readVariable('ORIGIN'), latchkeyUrl: readVariable('LATCHKEY_URL'), credentials }
  return createApp(settings, createTableStore(readVariable('SESSIONS_TABLE')))
}

/** After a change of `secretVersion`, the secrets before work for another day. */
const readAgainMs = 60 * 60 * 1000

let started: { readonly app: Promise<Hono<Environment>>; readonly at: number } | undefined

const getApp = async (): Promise<Hono<Environment>> => {
  if (started && Date.now() - started.at < readAgainMs) return started.app
  const current = { app: start(), at: Date.now() }
  started = current
  return current.app.catch((error: unknown) => {
    if (started === current) started = undefined
    throw error
  })
}

/** Serves the product. */
export const handler = async (event: LambdaEvent, context: LambdaContext) =>
  handle(await getApp())(event, context)
