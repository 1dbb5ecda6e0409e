import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { retry } from './work.ts'

/** The type of the custom resource that checks the version of the secret between CloudFront and the service. */
export const originSecretResource = 'Custom::LatchkeyOriginSecretVersion'

/** The result of a custom resource. */
export interface ResourceOutcome {
  readonly Status: 'SUCCESS' | 'FAILED'
  readonly Reason: string
  /** The attributes of the resource. The template can refer to them, so they are no place for secrets. */
  readonly Data?: Readonly<Record<string, unknown>>
}

/**
 * Sends the outcome of a custom resource to CloudFormation, which otherwise waits until it times out. A resource keeps the ID
 * that it has: with another one, CloudFormation would take it for a replacement and delete it under its earlier ID.
 *
 * @throws Error after several attempts
 */
export const respondToCloudFormation = (
  event: CloudFormationCustomResourceEvent,
  newResourceId: string,
  outcome: ResourceOutcome,
): Promise<void> =>
  retry(() => sendOutcome(event, getResourceId(event) ?? newResourceId, outcome), {
    attempts: 6,
    baseMs: 500,
    capMs: 4000,
    isRetryable: () => true,
  })

/**
 * Runs the work of a custom resource. The deployment has just created the role of the function, and IAM is eventually
 * consistent, so access may be denied at first.
 */
export const retryDeniedAccess = <Result>(work: () => Promise<Result>): Promise<Result> =>
  retry(work, {
    attempts: 8,
    baseMs: 2000,
    capMs: 5000,
    isRetryable: (error) => error instanceof Error && error.name === 'AccessDeniedException',
  })

const getResourceId = (event: CloudFormationCustomResourceEvent): string | undefined =>
  event.RequestType === 'Create' ? undefined : event.PhysicalResourceId

/** Sends the outcome to the presigned URL of CloudFormation, whose signature covers an empty content type. */
const sendOutcome = async (
  { ResponseURL, StackId, RequestId, LogicalResourceId }: CloudFormationCustomResourceEvent,
  PhysicalResourceId: string,
  { Status, Reason, Data }: ResourceOutcome,
): Promise<void> => {
  const { ok, status } = await fetch(ResponseURL, {
    method: 'PUT',
    headers: { 'content-type': '' },
    redirect: 'error',
    body: JSON.stringify({ Status, Reason, Data, StackId, RequestId, LogicalResourceId, PhysicalResourceId }),
  })
  if (!ok) throw new Error(`CloudFormation rejected the outcome with status ${status}.`)
}
