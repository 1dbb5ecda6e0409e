import { randomUUID } from 'node:crypto'
import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import {
  type ResourceOutcome,
  respondToCloudFormation,
  retryDeniedAccess,
} from '../../kernel/util/respond-to-cloudformation.ts'
import type { Services } from '../../services.ts'
import { ensureKeys, withdrawKeys } from './signing-keys/rotate-keys.ts'

/** What an operator can send: the `kid` of a key that is withdrawn, or `all`. */
interface WithdrawCommand {
  readonly withdraw: string
}

type SigningKeysEvent = Partial<WithdrawCommand> | CloudFormationCustomResourceEvent

/**
 * Maintains the keys that sign JWTs. A schedule runs it once a day. A deployment runs it as a custom resource, so that the
 * first key exists at once. An operator invokes it with `{ "withdraw": "<kid>" }` after a key was compromised.
 *
 * @throws Error if an operator names no published key
 */
export const createSigningKeysJob =
  (services: Services) =>
  async (event: SigningKeysEvent = {}): Promise<{ readonly withdrawn: string[] }> => {
    const run = { services, requestId: randomUUID() }
    if ('ResponseURL' in event) {
      await answerDeployment(services, event, () => ensureKeys(run))
      return { withdrawn: [] }
    }
    if ('withdraw' in event) {
      const withdrawn = await withdrawKeys(run, String(event.withdraw))
      if (withdrawn.length === 0) throw new Error('No published key has this kid.')
      services.log.info('signing_keys.withdrawn', { withdrawn })
      return { withdrawn: [...withdrawn] }
    }
    const created = await ensureKeys(run)
    services.log.info('signing_keys.done', { created: created.map(({ kid }) => kid) })
    return { withdrawn: [] }
  }

/** CloudFormation always gets a response, because otherwise the deployment would wait until it times out. */
const answerDeployment = async (
  { log }: Services,
  event: CloudFormationCustomResourceEvent,
  createKeys: () => Promise<unknown>,
): Promise<void> => {
  const outcome = await prepareKeys(event, createKeys).catch((error: unknown): ResourceOutcome => {
    log.error('signing_keys.failed', { error })
    const name = error instanceof Error ? error.name : 'Error'
    return {
      Status: 'FAILED',
      Reason: `The signing keys could not be created (${name}). See the log of this function.`,
    }
  })
  await respondToCloudFormation(event, 'signing-keys', outcome)
}

const prepareKeys = async (
  { RequestType }: CloudFormationCustomResourceEvent,
  createKeys: () => Promise<unknown>,
): Promise<ResourceOutcome> => {
  if (RequestType === 'Delete') return { Status: 'SUCCESS', Reason: 'The signing keys remain in the table.' }
  await retryDeniedAccess(createKeys)
  return { Status: 'SUCCESS', Reason: 'There is a signing key.' }
}
