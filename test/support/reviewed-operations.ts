import { readFileSync } from 'node:fs'
import type { Method, Operation } from '../../lib/kernel/contract/operation.ts'

/** An operation with its access, as a review approved them. */
export type ReviewedOperation = Pick<
  Operation,
  'id' | 'method' | 'path' | 'access' | 'changesState' | 'notWhileImpersonating' | 'recentAuthentication'
>

interface Reviewed {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string
            readonly 'x-latchkey-access': Operation['access'] & Omit<ReviewedOperation, 'access'>
          }
        >
      >
    >
  >
}

const file = 'docs/reference/interface.json'

/**
 * Reads the operations from the file in git that shows each change of the interface to a review. Attacks expect what it says,
 * not what the code declares.
 */
export const readReviewedOperations = (): readonly ReviewedOperation[] => {
  const { paths }: Reviewed = JSON.parse(readFileSync(file, 'utf8'))
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, 'x-latchkey-access': access }]) => ({
      ...access,
      id,
      method: method.toUpperCase() as Method,
      path,
      access,
    })),
  )
}
