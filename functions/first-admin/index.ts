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
 * Has the user `admin` made with the password of the secret `ADMIN_PASSWORD_SECRET`, as a custom resource of
 * CloudFormation, which is answered whatever happens: a deployment that hears nothing waits for its time limit.
 */
export const handler = async (event: CloudFormationCustomResourceEvent): Promise<void> => {
  const outcome = await outcomeOf(event).catch((error: unknown): Outcome => {
    createLog('error').error('first admin not made', { error })
    const name = error instanceof Error ? error.name : 'Error'
    return {
      Status: 'FAILED',
      Reason: `The user admin could not be made (${name}); the log of this function says more.`,
    }
  })
  await retry(() => answer(event, outcome), {
    attempts: 6,
    baseMs: 500,
    capMs: 4000,
    isRetryable: () => true,
  })
}

const outcomeOf = async ({ RequestType }: CloudFormationCustomResourceEvent): Promise<Outcome> => {
  if (RequestType === 'Delete') return { Status: 'SUCCESS', Reason: 'The user admin stays with the table.' }
  const services = createServices(process.env)
  // The deployment has just created the role. IAM is eventually consistent, so access may be denied at first.
  const made = await retry(async () => ensureFirstAdmin(services, { password: await readPassword() }), {
    attempts: 8,
    baseMs: 2000,
    capMs: 5000,
    isRetryable: (error) => error instanceof Error && error.name === 'AccessDeniedException',
  })
  return {
    Status: 'SUCCESS',
    Reason: made ? 'The user admin was made.' : 'The user admin had been made before.',
  }
}

const readPassword = async (): Promise<string> => {
  const client = new SecretsManagerClient({ maxAttempts: 4 })
  const command = new GetSecretValueCommand({ SecretId: process.env['ADMIN_PASSWORD_SECRET'] })
  const { SecretString } = await client.send(command)
  if (!SecretString) throw new Error('The secret with the password of the user admin is empty.')
  return SecretString
}

/** Puts the outcome where CloudFormation waits for it: a signed URL, which knows no content type. */
const answer = async (event: CloudFormationCustomResourceEvent, outcome: Outcome): Promise<void> => {
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
  if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}.`)
}
