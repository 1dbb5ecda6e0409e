import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { createFilmServer } from './server.ts'

const { LATCHKEY_URL: latchkeyUrl, RESOURCE: resource } = process.env
if (!latchkeyUrl || !resource)
  throw new Error('Set LATCHKEY_URL, and RESOURCE to the address that agents call.')

const answer = createFilmServer({ latchkeyUrl, resource })

/**
 * The same server as a Lambda function, behind an HTTP API or a REST API without an authorizer: the middleware answers the 401, because
 * API Gateway would not name the metadata.
 */
export const handler = handle(new Hono().all('*', ({ req }) => answer(req.raw)))
