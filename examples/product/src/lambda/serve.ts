import type { Hono } from 'hono'
import { handle, type LambdaContext, type LambdaEvent } from 'hono/aws-lambda'
import { createApp } from '../app.ts'
import type { Environment } from '../environment.ts'
import { createTableStore } from '../table-store.ts'
import { readCredentials, readVariable } from './credentials.ts'

let started: Promise<Hono<Environment>> | undefined

const start = async (): Promise<Hono<Environment>> => {
  const credentials = await readCredentials(readVariable('CREDENTIALS_SECRET'))
  if (!credentials) throw new Error('The product is not registered at Latchkey yet.')
  const settings = { origin: readVariable('ORIGIN'), latchkeyUrl: readVariable('LATCHKEY_URL'), credentials }
  return createApp(settings, createTableStore(readVariable('SESSIONS_TABLE')))
}

/** Serves the product. */
export const handler = async (event: LambdaEvent, context: LambdaContext) => {
  started ??= start().catch((error: unknown) => {
    started = undefined
    throw error
  })
  return handle(await started)(event, context)
}
