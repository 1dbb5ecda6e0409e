import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { ensureFirstAdmin } from '../../lib/accounts/directory/first-admin.ts'
import { createLog } from '../../lib/core/log.ts'
import { retry } from '../../lib/core/retry.ts'
import { createServices } from '../../lib/services.ts'

interface Outcome {
  readonly Status: 'SUCCESS' | 'FAILED'
  readonly Reason: string
}

/**
 * Creates the user `admin` with the password in the secret `ADMIN_PASSWORD_SECRET`, as a custom resource of
 * CloudFormation. CloudFormation always gets a response, because otherwise the deployment would wait until it times out.
 */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const outcome = await createAdmin(event).catch((error: unknown): Outcome => {
    createLog('error').error('first_admin.failed', { error })
    const name = error instanceof Error ? error.name : 'Error'
    return {
      Status: 'FAILED',
      Reason: `The user admin could not be created (${name}). See the log of this function.`,
    }
  })
  await retry(() => sendOutcome(event, outcome), {
    attempts: 6,
    baseMs: 500,
    capMs: 4000,
    isRetryable: () => true,
  })
}

const createAdmin = async ({ RequestType }: CloudFormationCustomResourceEvent): Promise<Outcome> => {
  if (RequestType === 'Delete') return { Status: 'SUCCESS', Reason: 'The user admin remains in the table.' }
  const services = createServices(process.env)
  // The deployment has just created the role. IAM is eventually consistent, so access may be denied at first.
  const isNew = await retry(async () => ensureFirstAdmin(services, { password: await readPassword() }), {
    attempts: 8,
    baseMs: 2000,
    capMs: 5000,
    isRetryable: (error) => error instanceof Error && error.name === 'AccessDeniedException',
  })
  return {
    Status: 'SUCCESS',
    Reason: isNew ? 'The user admin was created.' : 'The user admin already exists.',
  }
}

const readPassword = async (): Promise<string> => {
  const client = new SecretsManagerClient({ maxAttempts: 4 })
  const command = new GetSecretValueCommand({ SecretId: process.env['ADMIN_PASSWORD_SECRET'] })
  const { SecretString } = await client.send(command)
  if (!SecretString) throw new Error('The secret for the password of the user admin is empty.')
  return SecretString
}

/** Sends the outcome to the presigned URL of CloudFormation, whose signature covers an empty content type. */
const sendOutcome = async (event: CloudFormationCustomResourceEvent, outcome: Outcome): Promise<void> => {
  const { ResponseURL, StackId, RequestId, LogicalResourceId } = event
  const { ok, status } = await fetch(ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    body: JSON.stringify({
      ...outcome,
      StackId,
      RequestId,
      LogicalResourceId,
      PhysicalResourceId: 'first-admin',
    }),
  })
  if (!ok) throw new Error(`CloudFormation rejected the outcome with status ${status}.`)
}
