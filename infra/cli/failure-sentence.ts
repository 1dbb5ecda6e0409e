import { CommandFailure, codeOf, messageOf } from './failure.ts'

const unreachable = ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EHOSTUNREACH', 'ETIMEDOUT', 'EPIPE']

/** What to tell the person at the terminal of whatever went wrong. */
export const failureSentence = (error: unknown): string => {
  if (error instanceof CommandFailure) return error.message
  const name = error instanceof Error ? error.name : ''
  const message = firstLine(messageOf(error))
  if (name === 'ResourceNotFoundException')
    return 'There is no such table in this region of this account: check --table and AWS_REGION.'
  if (name === 'CredentialsProviderError') return 'There are no AWS credentials in the environment.'
  if (/region is missing/i.test(message)) return 'No region is set: set AWS_REGION to that of the table.'
  if (name === 'TimeoutError' || unreachable.includes(codeOf(error)))
    return "The table can't be reached. Once it can, the same again goes on where this ended."
  // What AWS refuses, it says why; other sentences are our own.
  return name.endsWith('Exception') ? `The table refused (${name}): ${message}` : message
}

const firstLine = (text: string): string => text.split('\n')[0] ?? ''
