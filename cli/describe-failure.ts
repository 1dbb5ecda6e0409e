import { getErrorMessage } from '../lib/util/error-message.ts'
import { CommandFailure, codeOf } from './command-failure.ts'

const unreachableCodes = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE']

/** One sentence about any error, for the person at the terminal. */
export const describeFailure = (error: unknown): string => {
  if (error instanceof CommandFailure) return error.message
  const name = error instanceof Error ? error.name : ''
  const message = firstLineOf(getErrorMessage(error))
  if (name === 'ResourceNotFoundException')
    return 'The table does not exist in this account and region. Check --table and AWS_REGION.'
  if (name === 'CredentialsProviderError') return 'There are no AWS credentials in the environment.'
  if (/region is missing/i.test(message))
    return 'No region is set. Set AWS_REGION to the region of the table.'
  if (['ConnectionError', 'TimeoutError'].includes(name) || unreachableCodes.includes(codeOf(error)))
    return 'The table cannot be reached. Run the same command again to resume.'
  // AWS explains its errors. Other errors have a sentence of Latchkey.
  return name.endsWith('Exception') ? `DynamoDB refused the call (${name}): ${message}` : message
}

const firstLineOf = (text: string): string => text.split('\n')[0] ?? ''
