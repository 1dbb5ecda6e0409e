import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { createLog } from '../../../kernel/log/log.ts'
import { readSecretText } from '../../../kernel/secrets/secrets-manager.ts'
import { UnreadableSecret } from '../../../kernel/secrets/vault.ts'
import { checkVaultCanary } from '../../../kernel/table/vault-canary.ts'
import {
  originSecretResource,
  type ResourceOutcome,
  respondToCloudFormation,
  retryDeniedAccess,
} from '../../../kernel/util/respond-to-cloudformation.ts'
import type { Services } from '../../../services.ts'
import { ensureFirstAdmin } from './first-admin.ts'

/**
 * Answers the custom resources that need to run before the service. CloudFormation always gets a response, because otherwise the
 * deployment would wait until it times out.
 */
export const createFirstAdminJob =
  (openServices: () => Services) =>
  (event: CloudFormationCustomResourceEvent): Promise<void> =>
    event.ResourceType === originSecretResource
      ? respondToCloudFormation(event, 'origin-secret-version', checkOriginSecretVersion(event))
      : createFirstAdmin(openServices, event)

/**
 * Refuses to raise the version of the secret between CloudFront and the service by more than 1. A rollback lowers it again, which must
 * succeed.
 */
const checkOriginSecretVersion = (event: CloudFormationCustomResourceEvent): ResourceOutcome => {
  if (event.RequestType !== 'Update')
    return { Status: 'SUCCESS', Reason: 'There is nothing to compare with.' }
  // CloudFormation turns numbers into texts.
  const [earlier, later] = [event.OldResourceProperties, event.ResourceProperties].map((properties) =>
    Number(properties?.['Version']),
  )
  if (Number.isSafeInteger(earlier) && Number.isSafeInteger(later) && Number(later) <= Number(earlier) + 1)
    return { Status: 'SUCCESS', Reason: 'The functions accept the earlier secret as well.' }
  return {
    Status: 'FAILED',
    Reason: `frontDoor.originSecretVersion must be raised by 1, from ${earlier} to ${Number(earlier) + 1}. The functions would refuse the secret that CloudFront still sends.`,
  }
}

/**
 * Creates the user `admin` with an invitation to the address `ADMIN_EMAIL`, or with the password in the secret `ADMIN_PASSWORD_SECRET`. It fails if the vault does not have the key of
 * the table, so that CloudFormation returns to the earlier key.
 */
const createFirstAdmin = async (
  openServices: () => Services,
  event: CloudFormationCustomResourceEvent,
): Promise<void> => {
  const outcome = await createAdmin(openServices, event).catch((error: unknown): ResourceOutcome => {
    createLog('error').error('first_admin.failed', { error })
    if (error instanceof UnreadableSecret) return { Status: 'FAILED', Reason: otherVaultKey }
    const name = error instanceof Error ? error.name : 'Error'
    return {
      Status: 'FAILED',
      Reason: `The user admin could not be created (${name}). See the log of this function.`,
    }
  })
  await respondToCloudFormation(event, 'first-admin', outcome)
}

const otherVaultKey =
  'The secrets in the table are encrypted with another key than the one of this deployment. Set vaultKeyArn to that key, or otherVaultKeyArn while you change it.'

const createAdmin = async (
  openServices: () => Services,
  { RequestType, RequestId }: CloudFormationCustomResourceEvent,
): Promise<ResourceOutcome> => {
  if (RequestType === 'Delete') return { Status: 'SUCCESS', Reason: 'The user admin remains in the table.' }
  const services = openServices()
  const isNew = await retryDeniedAccess(async () => {
    await checkVaultCanary(services.table, services.vault)
    const { ADMIN_EMAIL: email } = process.env
    return ensureFirstAdmin(services, email ? { email, requestId: RequestId } : { readPassword })
  })
  return {
    Status: 'SUCCESS',
    Reason: isNew ? 'The user admin was created.' : 'The user admin already exists.',
  }
}

/** Only where there is no administrator yet. Later deployments never read the secret. */
const readPassword = (): Promise<string> => readSecretText(process.env['ADMIN_PASSWORD_SECRET'] ?? '')
